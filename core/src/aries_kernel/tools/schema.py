"""One definition of a tool's arguments: an attrs class gives the JSON schema and checks what the model sent."""

from __future__ import annotations

import json
import types
import typing
from collections.abc import Callable, Mapping
from typing import Any

import attrs
from cattrs import ClassValidationError, Converter, IterableValidationError
from cattrs.errors import ForbiddenExtraKeysError

from aries_kernel.errors import BadArguments

__all__ = ["described", "json_schema", "parse_arguments"]

_PLAIN = {str: "string", int: "integer", float: "number", bool: "boolean"}


def described(text: str, *, default: Any = attrs.NOTHING) -> Any:
    """An attrs field with the text the model reads about it."""
    return attrs.field(default=default, metadata={"description": text})


def json_schema(arguments: type[Any]) -> dict[str, object]:
    """A plain object schema: no `$ref`, no `anyOf`; a field that may be None is simply optional.

    Raises: TypeError for a field type that has no plain form.
    """
    hints = typing.get_type_hints(arguments)
    properties: dict[str, object] = {}
    required = []
    for attribute in attrs.fields(arguments):
        described_as = attribute.metadata.get("description")
        properties[attribute.name] = _type_schema(hints[attribute.name]) | (
            {"description": described_as} if described_as else {}
        )
        if attribute.default is attrs.NOTHING:
            required.append(attribute.name)
    return {"type": "object", "properties": properties, "required": required}


def _type_schema(hint: Any) -> dict[str, object]:
    if hint in _PLAIN:
        return {"type": _PLAIN[hint]}
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin in (types.UnionType, typing.Union):
        kept = [one for one in inner if one is not type(None)]
        if len(kept) == 1:
            return _type_schema(kept[0])
    if origin is typing.Literal:
        return {"type": "string", "enum": list(inner)}
    if origin is tuple and len(inner) == 2 and inner[1] is Ellipsis:
        return {"type": "array", "items": _type_schema(inner[0])}
    raise TypeError(f"{hint} has no plain JSON schema; use str, int, float, bool, Literal or tuple[..., ...]")


def parse_arguments(arguments: type[Any], raw: str) -> Any:
    """Check the raw JSON text of a call; an empty text counts as no arguments.

    Raises: BadArguments naming every field that does not fit.
    """
    try:
        data = json.loads(raw, parse_constant=_refuse_constant) if raw.strip() else {}
    except ValueError as error:
        raise BadArguments(f"The arguments are not valid JSON: {error}.") from error
    if not isinstance(data, dict):
        raise BadArguments("The arguments must be a JSON object.")
    try:
        return _CONVERTER.structure(data, arguments)
    except ClassValidationError as error:
        known = ", ".join(attribute.name for attribute in attrs.fields(arguments))
        raise BadArguments("; ".join(_problems(error, "")) + f". Arguments are: {known}.") from error


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON")


def _problems(error: BaseException, where: str) -> list[str]:
    if isinstance(error, ClassValidationError | IterableValidationError):
        found: list[str] = []
        for inner in error.exceptions:
            notes = [str(note) for note in getattr(inner, "__notes__", ())]
            name = next((note.rsplit(" ", 1)[-1] for note in notes if " attribute " in note or " index " in note), "")
            found += _problems(inner, f"{where}.{name}".strip("."))
        return found
    if isinstance(error, ForbiddenExtraKeysError):
        return [f"unknown: {', '.join(sorted(error.extra_fields))}"]
    if isinstance(error, KeyError):
        return [f"missing: {where or error.args[0]}"]
    return [f"{where}: {error}"]


def _strict(kind: type[Any], allowed: tuple[type[Any], ...]) -> Callable[[Any, Any], Any]:
    def check(value: Any, _: Any) -> Any:
        if isinstance(value, allowed) and not (kind is not bool and isinstance(value, bool)):
            return kind(value)
        if kind is int and isinstance(value, float) and value.is_integer():
            return int(value)
        raise ValueError(f"must be {'an' if kind is int else 'a'} {_PLAIN[kind]}, not {_json_name(value)}")

    return check


def _json_name(value: object) -> str:
    names: Mapping[type[Any], str] = {dict: "object", list: "array", type(None): "null", **_PLAIN}
    return names.get(type(value), type(value).__name__)


def _make_converter() -> Converter:
    converter = Converter(forbid_extra_keys=True)
    converter.register_structure_hook(str, _strict(str, (str,)))
    converter.register_structure_hook(int, _strict(int, (int,)))
    converter.register_structure_hook(float, _strict(float, (int, float)))
    converter.register_structure_hook(bool, _strict(bool, (bool,)))
    return converter


_CONVERTER = _make_converter()
