"""Two pieces of code side by side."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from attrs import frozen

from aries_body.judgement.grams import FINE, PRINT, grams_of, prints_of
from aries_body.judgement.lexing import Lexer
from aries_body.judgement.profile import spoken
from aries_body.judgement.sketches import sketch_of

if TYPE_CHECKING:
    from aries_body.judgement.grams import Numbers

__all__ = ["Evidence", "Likeness", "Piece", "Weights", "evidence", "likeness", "read_pieces"]


class Likeness(NamedTuple):
    """What a piece has in common with another one, each from 0 to 1."""

    form: float
    """The share of their grams that both have: 1 for code that differs in names and literals only."""
    within: float
    """The share of the piece's own long grams that the other has: 1 where it is a part of it."""
    around: float
    """The share of the other's long grams that the piece has: 1 where the other is a part of it."""
    names: float
    """The share of their names and literals that both have."""


class Evidence(NamedTuple):
    """What speaks for one of two pieces being made from the other."""

    likeness: Likeness
    stretches: float
    """How many stretches both have, those that few others have counting more."""
    names: float
    """How many names and literals both have, rare ones counting more."""
    names_share: float
    """Of the piece with fewer of them, the share that these are."""


class _Counted(NamedTuple):
    """Grams of a piece, and how often each is there."""

    values: frozenset[int]
    again: Mapping[int, int]
    """How often a gram is there after the first time."""
    total: int

    @classmethod
    def of(cls, values: Sequence[int], counts: Sequence[int]) -> _Counted:
        """`values` each once."""
        again = {value: count - 1 for value, count in zip(values, counts, strict=True) if count > 1}
        return cls(frozenset(values), again, sum(counts))

    def shared(self, other: _Counted) -> int:
        """How many both have."""
        again = other.again
        return len(self.values & other.values) + sum(
            min(count, again[value]) for value, count in self.again.items() if value in again
        )


@frozen(eq=False)
class Piece:
    """A piece of code, read."""

    codes: Sequence[int]
    """Its words as numbers, comments left out."""
    words: frozenset[str]
    """Names and literals."""
    _fine: _Counted
    _long: _Counted

    @property
    def size(self) -> int:
        """Words, comments left out."""
        return len(self.codes)

    @property
    def prints(self) -> Numbers:
        """What it is looked for by."""
        return prints_of([self.codes]).values

    @property
    def sketch(self) -> bytes:
        """What its names and literals are looked for by."""
        return sketch_of(self.words)


def read_pieces(texts: Sequence[str], lexer: Lexer) -> list[Piece]:
    """Pieces of code from their texts: many at once are read in a fraction of the time of one after the other."""
    reading = lexer.reading()
    rows = [lexer.words(text) for text in texts]
    codes = [reading.codes(words) for words in rows]
    fine, long = _counted(codes, FINE), _counted(codes, PRINT)
    return [
        Piece(codes[number], frozenset(spoken(words, reading)), fine[number], long[number])
        for number, words in enumerate(rows)
    ]


def _counted(codes: Sequence[Sequence[int]], length: int) -> list[_Counted]:
    """The grams of each of several pieces."""
    import numpy as np

    grams = grams_of(codes, length)
    both = (grams.owner.astype(np.uint64) << np.uint64(32)) | grams.values.astype(np.uint64)
    distinct, counts = np.unique(both, return_counts=True)
    borders = np.searchsorted(distinct >> np.uint64(32), np.arange(1, len(codes), dtype=np.uint64))
    values = (distinct & np.uint64(0xFFFFFFFF)).astype(np.uint32)
    parts = zip(np.split(values, borders), np.split(counts, borders), strict=True)
    return [_Counted.of(some.tolist(), times.tolist()) for some, times in parts]


def likeness(one: Piece, other: Piece) -> Likeness:
    """What a piece has in common with another one."""
    fine, long = one._fine.shared(other._fine), one._long.shared(other._long)
    every = one._fine.total + other._fine.total
    shared = len(one.words & other.words)
    union = len(one.words) + len(other.words) - shared
    return Likeness(
        form=2 * fine / every if every else 0.0,
        within=long / max(1, one._long.total),
        around=long / max(1, other._long.total),
        names=shared / union if union else 1.0,
    )


class Weights:
    """How much names tell, each and together; pieces are compared with many others."""

    def __init__(self, rarity: Callable[[str], float]) -> None:
        """`rarity`: how much it tells that two pieces have a name in common."""
        self._rarity = functools.cache(rarity)
        self._of_piece: dict[Piece, float] = {}

    def of(self, words: Iterable[str]) -> float:
        """Of all of them together."""
        return sum(map(self._rarity, words))

    def of_piece(self, piece: Piece) -> float:
        """Of all that a piece names."""
        found = self._of_piece.get(piece)
        if found is None:
            found = self._of_piece[piece] = self.of(piece.words)
        return found


def evidence(one: Piece, other: Piece, stretches: float, weights: Weights) -> Evidence:
    """What speaks for one of both being made from the other."""
    both = weights.of(one.words & other.words)
    fewer = min(weights.of_piece(one), weights.of_piece(other))
    return Evidence(likeness(one, other), stretches, both, both / fewer if fewer else 0.0)
