"""Turning plain data into frozen values and back, strictly, with every problem named by its path."""

from __future__ import annotations

import difflib
import functools
import typing
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal

import attrs
from cattrs import ClassValidationError, Converter, IterableValidationError
from cattrs.errors import ForbiddenExtraKeysError
from cattrs.gen import make_dict_structure_fn

__all__ = ["Problem", "plain_name", "problems_of", "strict_converter"]

Problem = tuple[tuple[str, ...], str]
"""Where (keys from the outside in) and what."""

_PLAIN = {str: "string", int: "integer", float: "number", bool: "boolean"}


def plain_name(value: object) -> str:
    """The JSON name of a value's type."""
    names: Mapping[type[Any], str] = {dict: "object", list: "array", type(None): "null", **_PLAIN}
    return names.get(type(value), type(value).__name__)


@functools.cache
def strict_converter() -> Converter:
    """A converter that converts nothing silently: no number from text, no truth from a number, no unknown key."""
    converter = Converter(forbid_extra_keys=True)
    converter.register_structure_hook(str, _strict(str, (str,)))
    converter.register_structure_hook(int, _strict(int, (int,)))
    converter.register_structure_hook(float, _strict(float, (int, float)))
    converter.register_structure_hook(bool, _strict(bool, (bool,)))
    converter.register_structure_hook_func(lambda hint: hint is object, lambda value, _: value)
    converter.register_structure_hook_factory(attrs.has, _structure_class)
    converter.register_structure_hook_func(_is_mapping, _structure_mapping)
    converter.register_structure_hook_func(_is_sequence, _structure_sequence)
    converter.register_structure_hook_func(_is_literal, _structure_literal)
    return converter


def _strict(kind: type[Any], allowed: tuple[type[Any], ...]) -> Callable[[Any, Any], Any]:
    def check(value: Any, _: Any) -> Any:
        if isinstance(value, allowed) and (kind is bool or not isinstance(value, bool)):
            return kind(value)
        if kind is int and isinstance(value, float) and value.is_integer():
            return int(value)
        article = "an" if kind is int else "a"
        raise ValueError(f"must be {article} {_PLAIN[kind]}, not {plain_name(value)}")

    return check


def _structure_class(kind: type[Any], converter: Converter) -> Callable[[Any, Any], Any]:
    from_mapping = make_dict_structure_fn(kind, converter, _cattrs_forbid_extra_keys=True)

    def structure(value: Any, hint: Any) -> Any:
        if not isinstance(value, Mapping):
            raise ValueError(f"must be an object with keys, not {plain_name(value)}")
        return from_mapping(value, hint)

    return structure


def _is_mapping(hint: Any) -> bool:
    return typing.get_origin(hint) in (Mapping, dict)


def _structure_mapping(value: Any, hint: Any) -> Any:
    if not isinstance(value, Mapping):
        raise ValueError(f"must be an object with keys, not {plain_name(value)}")
    inner = typing.get_args(hint)[1]
    return _each(((str(key), str(key), item) for key, item in value.items()), inner, hint)


def _is_literal(hint: Any) -> bool:
    return bool(typing.get_origin(hint) == Literal)


def _structure_literal(value: Any, hint: Any) -> Any:
    choices = typing.get_args(hint)
    if any(value == choice and type(value) is type(choice) for choice in choices):
        return value
    close = difflib.get_close_matches(str(value), [str(choice) for choice in choices], n=1)
    hint_text = f" (did you mean '{close[0]}'?)" if close else ""
    raise ValueError(f"must be one of {', '.join(map(str, choices))}, not {value!r}{hint_text}")


def _is_sequence(hint: Any) -> bool:
    arguments = typing.get_args(hint)
    return typing.get_origin(hint) is tuple and len(arguments) == 2 and arguments[1] is Ellipsis


def _structure_sequence(value: Any, hint: Any) -> Any:
    # A text is a sequence of characters to Python, but whoever writes `allow: Read` means one rule or made a mistake.
    if not isinstance(value, list | tuple):
        raise ValueError(f"must be an array, not {plain_name(value)}")
    inner = typing.get_args(hint)[0]
    indexed = ((str(position), f"[{position}]", item) for position, item in enumerate(value))
    return tuple(_each(indexed, inner, hint).values())


def _each(items: Iterable[tuple[str, str, Any]], inner: Any, hint: Any) -> dict[str, Any]:
    errors: list[Exception] = []
    made: dict[str, Any] = {}
    for key, name, item in items:
        try:
            made[key] = strict_converter().structure(item, inner)
        except Exception as error:
            error.add_note(_Place.of(name))
            errors.append(error)
    if errors:
        raise IterableValidationError("items do not fit", errors, hint)
    return made


class _Place(str):
    """A note that carries the key or position of an item."""

    name: str

    @classmethod
    def of(cls, name: str) -> _Place:
        note = cls(f"item {name}")
        note.name = name
        return note


def problems_of(error: BaseException, where: tuple[str, ...] = ()) -> list[Problem]:
    """Every problem inside a cattrs error; unknown keys each as a problem of their own path, with an empty text."""
    if isinstance(error, ClassValidationError | IterableValidationError):
        found: list[Problem] = []
        for inner in error.exceptions:
            names = [str(note.name) for note in getattr(inner, "__notes__", ()) if hasattr(note, "name")]
            found += problems_of(inner, (*where, *names[-1:]))
        return found
    if isinstance(error, ForbiddenExtraKeysError):
        return [((*where, str(key)), "") for key in sorted(map(str, error.extra_fields))]
    if isinstance(error, KeyError):
        # cattrs raises the bare key for a required field that is absent.
        return [(where or (str(error.args[0]),), "is missing")]
    return [(where, str(error))]
