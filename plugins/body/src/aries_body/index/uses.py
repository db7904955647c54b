"""The references of a file as columns: what they ask for is written once, however often it is asked."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from itertools import repeat
from typing import Any, NamedTuple

from aries_kernel.contracts import Reference

__all__ = ["Asking", "Uses"]


class Asking(NamedTuple):
    """What a reference asks for; a file asks for the same thing again and again."""

    symbol: int
    binding: int
    root: str
    path: str
    kind: str


class Uses(NamedTuple):
    """All references of a file, in the order of the text."""

    asked: tuple[Asking, ...]
    lines: Sequence[int]
    asks: Sequence[int]
    """Place among `asked`."""
    insides: Sequence[int]
    """Place of the innermost symbol around it, plus one."""

    @classmethod
    def of(cls, references: Sequence[Reference]) -> Uses:
        """As a pack gives them. Raises: ValueError, TypeError, OverflowError for rows that are none."""
        if not references:
            return _NONE
        lines, kinds, roots, paths, symbols, bindings, insides = zip(*references, strict=True)
        questions = list(zip(symbols, bindings, roots, paths, kinds, strict=True))
        asked = {one: place for place, one in enumerate(dict.fromkeys(questions))}
        return cls(
            tuple(map(Asking._make, asked)),
            _column(lines),
            _column(list(map(asked.__getitem__, questions))),
            _column([one + 1 for one in insides]),
        )

    @property
    def last_inside(self) -> int:
        """The last symbol that one stands in; -1 for none."""
        return max(self.insides, default=0) - 1

    def references(self) -> Iterator[Reference]:
        """One by one."""
        for line, ask, inside in zip(self.lines, self.asks, self.insides, strict=True):
            symbol, binding, root, path, kind = self.asked[ask]
            yield Reference(line, kind, root, path, symbol, binding, inside - 1)

    def plain(self) -> tuple[Any, ...]:
        """As plain data."""
        return (tuple(map(tuple, self.asked)), *map(_bytes, (self.lines, self.asks, self.insides)))

    @classmethod
    def from_plain(cls, value: tuple[Any, ...]) -> Uses:
        """From what `plain` gave."""
        asked, *columns = value
        return cls(tuple(map(tuple.__new__, repeat(Asking), asked)), *(_read(*one) for one in columns))


def _column(values: Sequence[int]) -> array[int]:
    """In as few bytes as the largest needs. Raises: OverflowError for a number below zero, TypeError for no number."""
    most = max(values)
    return array("B" if most < 1 << 8 else "H" if most < 1 << 16 else "I", values)


def _bytes(column: Sequence[int]) -> tuple[str, bytes]:
    assert isinstance(column, array)
    return column.typecode, column.tobytes()


def _read(code: str, data: bytes) -> array[int]:
    column = array(code)
    column.frombytes(data)
    return column


_EMPTY = array("B")
_NONE = Uses((), _EMPTY, _EMPTY, _EMPTY)
