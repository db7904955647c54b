"""attrs classes that are made in half the time: a command makes a hundred of them before it answers.

attrs writes and compiles `__repr__`, `__eq__` and `__hash__` for each class; here three functions serve all and do the
same. `frozen` and `define` are those of attrs in all else, but that no field can have a way of its own to be compared.
Modules that every command passes take them from here.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

import attrs

__all__ = ["define", "frozen"]

_TELLING = ("repr", "str")
_COMPARING = ("eq", "order", "cmp", "hash", "unsafe_hash")
_compared: dict[type, Callable[[Any], Any]] = {}
"""What of a value of each class counts, for those that were compared."""

if TYPE_CHECKING:
    from attrs import define, frozen
else:

    def define(cls: type | None = None, **options: Any) -> Any:
        """As `attrs.define`."""
        return _made(attrs.define, cls, options)

    def frozen(cls: type | None = None, **options: Any) -> Any:
        """As `attrs.frozen`."""
        return _made(attrs.frozen, cls, options)


def _made(make: Any, cls: Any, options: dict[str, Any]) -> Any:
    if cls is None:
        return lambda later: _made(make, later, options)
    own = cls.__dict__
    if "__repr__" not in own and not any(name in options for name in _TELLING):
        cls.__repr__ = _told
    has_own = "__eq__" in own or "__hash__" in own or issubclass(cls, BaseException)
    if not has_own and not any(name in options for name in _COMPARING):
        cls.__eq__ = _is_equal
        cls.__hash__ = _hashed if options.get("frozen", make is attrs.frozen) else None
    return make(cls, **options)


@recursive_repr("...")
def _told(self: Any) -> str:
    name = type(self).__qualname__.rsplit(">.", 1)[-1]
    told = [
        f"{field.name}={repr(value) if field.repr is True else field.repr(value)}"
        for field in attrs.fields(type(self))
        if field.repr
        for value in (getattr(self, field.name, attrs.NOTHING),)
    ]
    return f"{name}({', '.join(told)})"


def _is_equal(self: Any, other: Any) -> Any:
    kind = self.__class__
    if other.__class__ is not kind:
        return NotImplemented
    of = _compared.get(kind) or _comparing(kind)
    return of(self) == of(other)


def _hashed(self: Any) -> int:
    kind = self.__class__
    return hash((kind, (_compared.get(kind) or _comparing(kind))(self)))


def _comparing(kind: type) -> Callable[[Any], Any]:
    fields = [field for field in attrs.fields(kind) if field.eq]
    if any(field.eq_key is not None or field.hash is not None for field in fields):
        raise TypeError(f"{kind.__name__} has a field with a way of its own to be compared: take its class from attrs.")
    of: Callable[[Any], Any] = attrgetter(*(field.name for field in fields)) if fields else type
    return _compared.setdefault(kind, of)
