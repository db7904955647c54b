"""What operations answer, as names of fields and as plain data: one reading of the types of the results."""

from __future__ import annotations

import inspect
import types
import typing
from collections.abc import Callable, Mapping
from typing import Any

import attrs

from aries_body.operations.results import Found

__all__ = ["plain", "shape_of"]


def shape_of(method: Callable[..., object]) -> str:
    """How user code sees an answer: `{a, b}` for one record, `[{a, b}]` for rows, else the name of the type."""
    return _shape(typing.get_type_hints(method)["return"])


def _shape(answer: Any) -> str:
    origin, arguments = typing.get_origin(answer), typing.get_args(answer)
    if origin is Found:
        return f"[{_shape(arguments[0])}]"
    if origin is tuple:
        inner = [_shape(one) for one in arguments if one is not Ellipsis]
        return f"[{', '.join(inner)}]"
    if origin in (typing.Union, types.UnionType):
        return " | ".join(_shape(one) for one in arguments)
    if inspect.isclass(answer) and attrs.has(answer):
        return f"{{{', '.join(one.name for one in attrs.fields(answer))}}}"
    return "None" if answer is type(None) else getattr(answer, "__name__", str(answer))


def plain(value: Any, rows: Callable[[Found[Any], list[Any]], Any]) -> Any:
    """As JSON has it; `rows` says what becomes of an answer of several rows, given the answer and its rows."""
    if isinstance(value, Found):
        return rows(value, [plain(one, rows) for one in value.items])
    if attrs.has(type(value)):
        return {one.name: plain(getattr(value, one.name), rows) for one in attrs.fields(type(value))}
    if isinstance(value, Mapping):
        return {str(key): plain(one, rows) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one, rows) for one in value]
    return value
