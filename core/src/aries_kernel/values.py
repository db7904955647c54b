"""attrs classes that are made in three quarters of the time: a command makes a hundred of them before it answers.

attrs writes and compiles a `__repr__` for each class; here one function serves all and says the same. `frozen` and
`define` are those of attrs in all else. Modules that every command passes take them from here.
"""

from __future__ import annotations

from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

import attrs

__all__ = ["define", "frozen"]

if TYPE_CHECKING:
    from attrs import define, frozen
else:

    def define(cls: type | None = None, **options: Any) -> Any:
        """As `attrs.define`."""
        return _made(attrs.define, cls, options)

    def frozen(cls: type | None = None, **options: Any) -> Any:
        """As `attrs.frozen`."""
        return _made(attrs.frozen, cls, options)


def _made(make: Any, cls: type | None, options: dict[str, Any]) -> Any:
    if cls is None:
        return lambda later: _made(make, later, options)
    if "__repr__" not in cls.__dict__:
        cls.__repr__ = _told  # type: ignore[method-assign, assignment]
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
