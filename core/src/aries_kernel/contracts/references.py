"""The references of a file as columns: what they ask for is written once, however often it is asked."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from itertools import repeat
from operator import itemgetter
from typing import NamedTuple, overload

from attrs import frozen

from aries_kernel.contracts.language import Reference

__all__ = ["Asking", "References"]

_QUESTION = itemgetter(4, 5, 2, 3, 1)
_INSIDE, _LINE = itemgetter(6), itemgetter(0)


class Asking(NamedTuple):
    """What a reference asks for; a file asks for the same thing again and again. Fields as those of `Reference`."""

    symbol: int
    binding: int
    root: str
    path: str
    kind: str


@frozen
class References(Sequence[Reference]):
    """All references of a file, in the order of the text. Made by `made` or `of`."""

    asked: tuple[Asking, ...]
    """Each once, in the order in which it is asked first."""
    lines: array[int]
    asks: array[int]
    """Place among `asked`."""
    insides: array[int]
    """Place of the innermost symbol around it, plus one."""

    @classmethod
    def of(cls, references: Sequence[Reference]) -> References:
        """From rows. Raises: ValueError, TypeError, OverflowError, IndexError for rows that are none."""
        if type(references) is cls:
            return references
        if not references:
            return _NONE
        questions = list(map(_QUESTION, references))
        asked = {one: place for place, one in enumerate(dict.fromkeys(questions))}
        insides = [one + 1 for one in map(_INSIDE, references)]
        return cls.made(list(asked), list(map(_LINE, references)), list(map(asked.__getitem__, questions)), insides)

    @classmethod
    def made(
        cls,
        asked: Sequence[tuple[int, int, str, str, str]],
        lines: Sequence[int],
        asks: Sequence[int],
        insides: Sequence[int],
    ) -> References:
        """From columns. Raises: OverflowError for a number below zero, TypeError for no number."""
        rows = tuple(map(tuple.__new__, repeat(Asking), asked))
        return cls(rows, _column(lines), _column(asks), _column(insides))

    @overload
    def __getitem__(self, place: int) -> Reference: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Reference]: ...
    def __getitem__(self, place: int | slice) -> Reference | Sequence[Reference]:
        if isinstance(place, slice):
            return tuple(self)[place]
        symbol, binding, root, path, kind = self.asked[self.asks[place]]
        return Reference(self.lines[place], kind, root, path, symbol, binding, self.insides[place] - 1)

    def __iter__(self) -> Iterator[Reference]:
        for line, ask, inside in zip(self.lines, self.asks, self.insides, strict=True):
            symbol, binding, root, path, kind = self.asked[ask]
            yield Reference(line, kind, root, path, symbol, binding, inside - 1)

    def __len__(self) -> int:
        return len(self.lines)


def _column(values: Sequence[int]) -> array[int]:
    """In as few bytes as the largest needs."""
    most = max(values, default=0)
    return array("B" if most < 1 << 8 else "H" if most < 1 << 16 else "I", values)


_NONE = References((), array("B"), array("B"), array("B"))
