"""Each operation in one place: name, signature, effects and text, from which help, documents and banners are made."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Literal, TypeVar, cast

from attrs import frozen

__all__ = ["Effect", "Operation", "operation", "operations_of", "operations_table"]

Effect = Literal["reads", "refreshes"]
_Method = TypeVar("_Method", bound=Callable[..., object])
_MARK = "__operation__"


@frozen
class Operation:
    """What can be asked."""

    name: str
    signature: str
    """`(query, limit=50)`, without `self`."""
    returns: str
    """The type of the answer, as it is written."""
    effect: Effect
    """`reads`: nothing changes; `refreshes`: the index takes over what changed on the disk."""
    summary: str
    """One sentence."""
    doc: str
    """All of it."""


def operation(effect: Effect = "reads") -> Callable[[_Method], _Method]:
    """Marks a method as an operation; its docstring is the text that everybody reads."""

    def mark(method: _Method) -> _Method:
        setattr(method, _MARK, effect)
        return method

    return mark


def operations_of(owner: type) -> tuple[Operation, ...]:
    """All operations of a class and of those it is made from, in the order they are written."""
    found: dict[str, Callable[..., object]] = {}
    for one in owner.__mro__:
        for name, method in vars(one).items():
            if hasattr(method, _MARK):
                found.setdefault(name, method)
    return tuple(_described(name, method) for name, method in found.items())


def operations_table(owner: type) -> str:
    """All operations of a class as a table for a document."""
    rows = [f"| `{one.name}{one.signature}` | {one.summary} |" for one in operations_of(owner)]
    return "\n".join(["| operation | what it does |", "| --- | --- |", *rows])


def _described(name: str, method: Callable[..., object]) -> Operation:
    signature = inspect.signature(method)
    shown = [_shown(one) for one in list(signature.parameters.values())[1:]]
    doc = inspect.cleandoc(method.__doc__ or "")
    effect = cast(Effect, getattr(method, _MARK))
    returns = str(signature.return_annotation).strip("'\"")
    return Operation(name, f"({', '.join(shown)})", returns, effect, doc.partition("\n")[0], doc)


def _shown(parameter: inspect.Parameter) -> str:
    return parameter.name if parameter.default is parameter.empty else f"{parameter.name}={parameter.default!r}"
