"""One layer of settings against its schema, whatever the schema: unknown keys, wrong values, merging."""

from __future__ import annotations

import difflib
import math
import typing
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar

import attrs
from cattrs import ClassValidationError, IterableValidationError

from aries_kernel.errors import ConfigError
from aries_kernel.settings.document import Document
from aries_kernel.structuring import Problem, problems_of, strict_converter

__all__ = [
    "attributes_of",
    "inner_type",
    "merge",
    "problems_in",
    "structure_document",
    "structure_given",
    "told",
    "unknown_key",
    "without_unknown",
]

Path_ = tuple[str, ...]
Schema = TypeVar("Schema")


def structure_document(document: Document, schema: type[Schema]) -> tuple[Schema, tuple[str, ...]]:
    """A file laid over the defaults of `schema`, and warnings about the keys it does not know.

    Raises: ConfigError with every wrong value at once, each with its line.
    """
    warnings: list[str] = []
    known = without_unknown(document, schema, warnings)
    problems = problems_in(known, schema)
    if problems:
        raise ConfigError(problems)
    merged = merge(strict_converter().unstructure(schema()), known.data, schema)
    return strict_converter().structure(merged, schema), tuple(warnings)


def structure_given(place: str, where: Path_, kind: type[Schema], given: Mapping[str, object]) -> Schema:
    """What stands at `where`, as the own type of a plugin; an unknown key is wrong here too.

    Raises: ConfigError with every wrong value, and for an unknown key the nearest known one.
    """
    known = attributes_of(kind)
    try:
        return strict_converter().structure(dict(given), kind)
    except (ClassValidationError, IterableValidationError) as error:
        problems = [((*where, *path), text) for path, text in problems_of(error)]
        raise ConfigError(
            told(place, path, text) if text else unknown_key(place, path, known).replace(", ignored", "")
            for path, text in problems
        ) from error


def problems_in(layer: Document, schema: Any) -> list[str]:
    """What is wrong with this layer by itself, laid over the defaults so that nothing is missing."""
    found = list(_out_of_range(layer.data, schema))
    try:
        strict_converter().structure(merge(strict_converter().unstructure(schema()), layer.data, schema), schema)
    except (ClassValidationError, IterableValidationError) as error:
        found += ((path, text or "is unknown") for path, text in problems_of(error))
    return [told(layer.place(path), path, text) for path, text in found]


def _out_of_range(data: Mapping[str, Any], kind: Any, where: Path_ = ()) -> Iterator[Problem]:
    for key, value in data.items():
        about = attributes_of(kind).get(key)
        least, most = (about.metadata.get(limit) if about is not None else None for limit in ("least", "most"))
        if isinstance(value, Mapping):
            yield from _out_of_range(value, inner_type(kind, key), (*where, key))
        elif least is not None and isinstance(value, int | float) and not least <= value < math.inf:
            yield (*where, key), f"must be a number from {least} on, not {value}"
        elif most is not None and isinstance(value, int | float) and value > most:
            yield (*where, key), f"must be at most {most}, not {value}"


def told(place: str, path: Path_, text: str) -> str:
    """A problem as a line."""
    return f"{place}: {'.'.join(path)} {text}."


def merge(below: Mapping[str, Any], above: Mapping[str, Any], kind: Any) -> dict[str, Any]:
    """`above` over `below`: mappings key by key, lists that add up added, everything else as a whole."""
    merged = dict(below)
    attributes = attributes_of(kind)
    for key, value in above.items():
        old = merged.get(key)
        if isinstance(old, Mapping) and isinstance(value, Mapping):
            merged[key] = merge(old, value, inner_type(kind, key))
        elif key in attributes and attributes[key].metadata.get("adds") and isinstance(value, list):
            # A project must not be able to take the person's own rules away by naming none.
            merged[key] = [*(old or ()), *value]
        else:
            merged[key] = value
    return merged


def without_unknown(document: Document, schema: Any, warnings: list[str]) -> Document:
    """`document` without keys that `schema` does not know; each is a warning with the nearest known one."""

    def walk(data: Mapping[str, Any], kind: Any, where: Path_) -> dict[str, Any]:
        kept = {}
        for key, value in data.items():
            inner = inner_type(kind, key)
            if inner is None:
                warnings.append(unknown_key(document.place((*where, key)), (*where, key), attributes_of(kind)))
            elif value is not None or not attributes_of(inner):  # A section may hold nothing but comments.
                kept[key] = walk(value, inner, (*where, key)) if isinstance(value, Mapping) else value
        return kept

    return attrs.evolve(document, data=walk(document.data, schema, ()))


def attributes_of(kind: Any) -> Mapping[str, Any]:
    """The attrs fields of a class by name; empty for any other type."""
    return {one.name: one for one in attrs.fields(kind)} if isinstance(kind, type) and attrs.has(kind) else {}


def inner_type(kind: Any, key: str) -> Any:
    """The type below `key`, None where `kind` has no such key."""
    if typing.get_origin(kind) in (Mapping, dict) or kind in (object, Any):
        arguments = typing.get_args(kind)
        return arguments[1] if arguments else Any
    if not attributes_of(kind):
        return Any
    return typing.get_type_hints(kind).get(key)


def unknown_key(place: str, path: Path_, known: Mapping[str, Any] | Sequence[str]) -> str:
    """The warning about a key that nothing reads."""
    close = difflib.get_close_matches(path[-1], list(known), n=1, cutoff=0.5)
    hint = f" Did you mean '{close[0]}'?" if close else f" Known here: {', '.join(known)}."
    return f"{place}: unknown key {'.'.join(path)}, ignored.{hint}"
