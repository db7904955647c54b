"""Arguments as models really send them: numbers and lists as text, null for nothing, a choice written otherwise."""

from __future__ import annotations

import json
import types
import typing
from collections.abc import Mapping
from typing import Any

import attrs

from aries_kernel.errors import BadArguments
from aries_kernel.tools.schema import parse_arguments

__all__ = ["take_arguments"]

_NONE = ("", "null", "none", "undefined")
_TRUTHS = {"true": True, "yes": True, "1": True, "on": True, "false": False, "no": False, "0": False, "off": False}


def take_arguments(kind: type[Any], given: object) -> Any:
    """The arguments of a call as an instance of `kind`; what cannot be meant otherwise is taken as it is meant.

    Raises: BadArguments naming every field that does not fit, and what is known.
    """
    if isinstance(given, str):
        given = _json(given, {} if given.strip().lower() in _NONE else given)
    if given is None:
        given = {}
    if not isinstance(given, Mapping):
        raise BadArguments("The arguments must be a JSON object.")
    hints = typing.get_type_hints(kind)
    optional = {attribute.name for attribute in attrs.fields(kind) if attribute.default is not attrs.NOTHING}
    taken: dict[str, object] = {}
    for name, value in given.items():
        if name in hints:
            value = _meant(hints[name], value)
            if value is None and name in optional:
                continue
        taken[name] = value
    return parse_arguments(kind, json.dumps(taken, ensure_ascii=False, default=str))


def _meant(hint: Any, value: object) -> object:
    """`value` in the form of `hint` where it is plain what is meant; otherwise as it is, which is told as a problem."""
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin in (types.UnionType, typing.Union):
        (hint,) = (one for one in inner if one is not type(None))
        return _meant(hint, value)
    if origin is tuple:
        return _list(value)
    if origin is typing.Literal:
        return _choice(inner, value)
    if hint is str:
        return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value
    if isinstance(value, str) and value.strip().lower() in _NONE:
        return None
    if hint is bool:
        return _truth(value)
    return _number(hint, value) if isinstance(value, str) else value


def _list(value: object) -> object:
    if isinstance(value, str):
        if value.strip().lower() in _NONE:
            return None
        found = _json(value, None)
        # A link, [[so]], is no list, and a title may hold commas.
        return _list(found) if isinstance(found, list) else [value]
    if isinstance(value, list | tuple):
        return [str(one) if isinstance(one, int | float) and not isinstance(one, bool) else one for one in value]
    return value


def _choice(known: tuple[object, ...], value: object) -> object:
    if not isinstance(value, str):
        return value
    if value in known:
        return value
    wanted = _folded(value)
    near = [one for one in known if isinstance(one, str) and _folded(one) == wanted]
    return near[0] if near else None if wanted in _NONE else value


def _folded(text: str) -> str:
    return text.strip().lower().replace("_", "-").replace(" ", "-")


def _truth(value: object) -> object:
    if isinstance(value, str):
        return _TRUTHS.get(value.strip().lower(), value)
    if isinstance(value, int | float) and value in (0, 1):
        return bool(value)
    return value


def _number(hint: type, value: str) -> object:
    try:
        found = float(value)
    except ValueError:
        return value
    return int(found) if hint is int and found.is_integer() else found


def _json(text: str, otherwise: object) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return otherwise
