"""JSON schemas of tools, brought into forms that servers take, with nothing lost that a model needs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

__all__ = ["as_plain_object", "inlined", "property_names", "rewritten"]

Schema = dict[str, object]

_DEPTH = 40
"""Deeper schemas are cut to "anything": no server takes them, and a recursive one has no end."""
_NODES = 20_000
"""References inside references grow without bound; a schema that needs more than this is cut, too."""
_MAPS = ("properties", "$defs", "definitions", "patternProperties", "dependentSchemas")
_LISTS = ("anyOf", "oneOf", "allOf", "prefixItems")
_SINGLE = ("items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames")


def rewritten(schema: Mapping[str, object], change: Callable[[Schema], Schema], depth: int = 0) -> Schema:
    """`schema` with `change` applied to every schema in it, the outer ones first."""
    if depth > _DEPTH:
        return {}
    made = change(dict(schema))
    for key, value in list(made.items()):
        if key in _MAPS and isinstance(value, Mapping):
            made[key] = {name: _inner(one, change, depth) for name, one in value.items()}
        elif key in _LISTS and isinstance(value, list | tuple):
            made[key] = [_inner(one, change, depth) for one in value]
        elif key in _SINGLE:
            made[key] = _inner(value, change, depth)
    return made


def _inner(value: object, change: Callable[[Schema], Schema], depth: int) -> object:
    if isinstance(value, list | tuple):
        return [_inner(one, change, depth) for one in value]
    return rewritten(value, change, depth + 1) if isinstance(value, Mapping) else value


def inlined(schema: Mapping[str, object]) -> Schema:
    """`schema` without references: each local one is replaced by what it points to, one that points into itself by
    "anything".
    """
    made = _Inliner(schema).schema(schema, (), 0)
    return {key: value for key, value in made.items() if key not in ("$defs", "definitions", "$schema", "$id")}


class _Inliner:
    def __init__(self, root: Mapping[str, object]) -> None:
        self._root = root
        self._left = _NODES

    def schema(self, schema: Mapping[str, object], seen: tuple[str, ...], depth: int) -> Schema:
        self._left -= 1
        if depth > _DEPTH or self._left < 0:
            return {}
        target = schema.get("$ref")
        if not isinstance(target, str):
            return {key: self._value(key, value, seen, depth) for key, value in schema.items()}
        rest = {key: value for key, value in schema.items() if key != "$ref"}
        found = None if target in seen else _target(self._root, target)
        return self.schema({**(found or {}), **rest}, (*seen, target), depth + 1)

    def _value(self, key: str, value: object, seen: tuple[str, ...], depth: int) -> object:
        if key in ("enum", "const", "default", "examples") or not isinstance(value, Mapping | list | tuple):
            return value
        if depth > _DEPTH or self._left < 0:
            return {}
        if key in _MAPS and isinstance(value, Mapping):
            return {name: self._value("", one, seen, depth + 1) for name, one in value.items()}
        if isinstance(value, Mapping):
            return self.schema(value, seen, depth + 1)
        return [self._value("", one, seen, depth + 1) for one in value]


def _target(root: Mapping[str, object], reference: str) -> Mapping[str, object] | None:
    if not reference.startswith("#"):
        return None
    current: object = root
    for step in reference.removeprefix("#").strip("/").split("/"):
        if step:
            name = step.replace("~1", "/").replace("~0", "~")
            current = current.get(name) if isinstance(current, Mapping) else None
    return current if isinstance(current, Mapping) else None


def as_plain_object(schema: Mapping[str, object]) -> Schema:
    """A schema whose top level is an object with properties and no choice.

    Alternatives are joined, and required is what all of them require.
    """
    made: Schema = {**schema, "type": "object"}
    properties = _mapping(made.get("properties"))
    required = set(_texts(made.get("required")))
    for key in ("allOf", "anyOf", "oneOf"):
        branches = [one for one in _sequence(made.pop(key, None)) if isinstance(one, Mapping)]
        for branch in branches:
            more = _mapping(branch.get("properties"))
            properties |= {name: value for name, value in more.items() if name not in properties}
        needs = [set(_texts(branch.get("required"))) for branch in branches]
        if needs:
            required |= set.union(*needs) if key == "allOf" else set.intersection(*needs)
    for key in ("not", "if", "then", "else"):
        made.pop(key, None)
    made["properties"] = properties
    made.pop("required", None)
    needed = [name for name in properties if name in required]
    return made | ({"required": needed} if needed else {})


def property_names(schema: Mapping[str, object], depth: int = 0) -> Iterator[str]:
    """The names of all properties, inner ones too."""
    if depth > _DEPTH:
        return
    for key, value in schema.items():
        if key == "properties" and isinstance(value, Mapping):
            yield from (str(name) for name in value)
        for one in _inner_schemas(key, value):
            yield from property_names(one, depth + 1)


def _inner_schemas(key: str, value: object) -> list[Mapping[str, object]]:
    if key in _MAPS and isinstance(value, Mapping):
        return [one for one in value.values() if isinstance(one, Mapping)]
    if key in _LISTS or (key in _SINGLE and isinstance(value, list | tuple)):
        return [one for one in _sequence(value) if isinstance(one, Mapping)]
    return [value] if key in _SINGLE and isinstance(value, Mapping) else []


def _mapping(value: object) -> dict[str, object]:
    return dict(value) if isinstance(value, Mapping) else {}


def _sequence(value: object) -> Sequence[object]:
    return value if isinstance(value, list | tuple) else ()


def _texts(value: object) -> list[str]:
    return [one for one in _sequence(value) if isinstance(one, str)]
