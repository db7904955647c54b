"""One definition of a tool's arguments: an attrs class gives the JSON schema and checks what the model sent."""

from __future__ import annotations

import json
import math
import types
import typing
from collections import Counter
from collections.abc import Iterable
from typing import Any

import attrs
from cattrs import ClassValidationError
from cattrs.errors import ForbiddenExtraKeysError

from aries_kernel.errors import BadArguments
from aries_kernel.structuring import problems_of, strict_converter

__all__ = ["described", "json_schema", "parse_arguments"]

_MOST_TOLD = 10
_LONGEST_TOLD = 200
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
    if origin is typing.Literal and len({type(one) for one in inner}) == 1 and type(inner[0]) in _PLAIN:
        return {"type": _PLAIN[type(inner[0])], "enum": list(inner)}
    if origin is tuple and len(inner) == 2 and inner[1] is Ellipsis:
        return {"type": "array", "items": _type_schema(inner[0])}
    raise TypeError(f"{hint} has no plain JSON schema; use str, int, float, bool, Literal or tuple[..., ...]")


def parse_arguments(arguments: type[Any], raw: str) -> Any:
    """Check the raw JSON text of a call; an empty text counts as no arguments.

    Raises: BadArguments naming every field that does not fit.
    """
    try:
        data = _parse(raw) if raw.strip() else {}
    except ValueError as error:
        raise BadArguments(f"The arguments are not valid JSON: {error}.") from error
    except RecursionError as error:
        raise BadArguments("The arguments are nested too deeply.") from error
    if not isinstance(data, dict):
        raise BadArguments("The arguments must be a JSON object.")
    optional = {attribute.name for attribute in attrs.fields(arguments) if attribute.default is not attrs.NOTHING}
    # Many models send null for an argument they leave out.
    given = {key: value for key, value in data.items() if value is not None or key not in optional}
    try:
        return strict_converter().structure(given, arguments)
    except (ClassValidationError, ForbiddenExtraKeysError) as error:
        known = ", ".join(attribute.name for attribute in attrs.fields(arguments))
        raise BadArguments(f"{_told(problems_of(error))}. The arguments are: {known}.") from error


def _told(problems: Iterable[tuple[tuple[str, ...], str]]) -> str:
    """The first problems. All of what a model gone wild sent would fill its context, at the person's cost."""
    told = [f"{'.'.join(path)} {text or 'is unknown'}".strip() for path, text in problems]
    shown = [one if len(one) <= _LONGEST_TOLD else f"{one[:_LONGEST_TOLD]}..." for one in told[:_MOST_TOLD]]
    return "; ".join(shown) + (f"; and {len(told) - _MOST_TOLD:,} more" if len(told) > _MOST_TOLD else "")


def _parse(raw: str) -> Any:
    return json.loads(raw, parse_constant=_refuse_constant, parse_float=_finite, object_pairs_hook=_once)


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text[:20]} is too large")
    return value


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object; whoever judges a call and whoever runs it must not pick different ones of two values."""
    found = dict(pairs)
    if len(found) < len(pairs):
        twice, _ = Counter(name for name, _ in pairs).most_common(1)[0]
        raise ValueError(f"'{twice[:_LONGEST_TOLD]}' is there twice")
    return found


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON")
