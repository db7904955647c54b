"""In what the models and servers of one wire format differ: a record of traits, replaced field by field."""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping
from typing import Any, Literal, TypeVar

import attrs

from aries_kernel.errors import ConfigError

__all__ = ["with_traits"]

Traits = TypeVar("Traits", bound=attrs.AttrsInstance)


def with_traits(base: Traits, changes: Mapping[str, object], where: str) -> Traits:
    """`base` with fields replaced.

    Raises: ConfigError with every field that is unknown or holds the wrong kind of value; `where` names the place.
    """
    hints = typing.get_type_hints(type(base))
    problems = []
    for name, value in changes.items():
        if name not in hints:
            problems.append(f"{where}.{name}: there is no such field. Known: {', '.join(sorted(hints))}.")
        elif not _fits(value, hints[name]):
            problems.append(f"{where}.{name}: {value!r} does not fit; it must be {_words(hints[name])}.")
    if problems:
        raise ConfigError(problems)
    given: dict[str, Any] = dict(changes)
    return attrs.evolve(base, **given)  # type: ignore[misc]  # the bound is a protocol, not a class


def _fits(value: object, hint: object) -> bool:
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return any(_fits(value, one) for one in inner)
    if origin is Literal:
        return isinstance(value, str) and value in inner
    if origin is Mapping:
        return isinstance(value, Mapping) and all(isinstance(one, str) for pair in value.items() for one in pair)
    return isinstance(value, hint) if isinstance(hint, type) else False


def _words(hint: object) -> str:
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return " or ".join(_words(one) for one in inner)
    if origin is Literal:
        return "one of " + ", ".join(map(str, inner))
    if origin is Mapping:
        return "a mapping of texts to texts"
    names = {bool: "true or false", str: "a text", type(None): "nothing"}
    return names.get(hint, str(hint)) if isinstance(hint, type) else str(hint)
