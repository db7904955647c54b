"""Two pieces of code side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from attrs import frozen

from aries_body.judgement.grams import FINE, PRINT, grams_of, prints_of
from aries_body.judgement.lexing import Lexer
from aries_body.judgement.profile import spoken
from aries_body.judgement.sketches import sketch_of

if TYPE_CHECKING:
    from aries_body.judgement.grams import Numbers

__all__ = ["Likeness", "Piece", "likeness"]


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


class _Counted(NamedTuple):
    """Grams, sorted, and how often each is there."""

    values: Any
    counts: Any

    @classmethod
    def of(cls, codes: list[int], length: int) -> _Counted:
        import numpy as np

        return cls(*np.unique(grams_of([codes], length).values, return_counts=True))

    @property
    def total(self) -> int:
        return int(self.counts.sum())

    def shared(self, other: _Counted) -> int:
        """How many both have."""
        import numpy as np

        if not len(self.values) or not len(other.values):
            return 0
        places = np.minimum(np.searchsorted(other.values, self.values), len(other.values) - 1)
        both = np.where(other.values[places] == self.values, np.minimum(self.counts, other.counts[places]), 0)
        return int(both.sum())


@frozen(eq=False)
class Piece:
    """A piece of code, read."""

    text: str
    size: int
    """Words, comments left out."""
    prints: Numbers
    sketch: bytes
    words: frozenset[str]
    """Names and literals."""
    _fine: _Counted
    _long: _Counted

    @classmethod
    def of(cls, text: str, lexer: Lexer) -> Piece:
        """From its text."""
        words = lexer.words(text)
        reading = lexer.reading()
        codes, known = reading.codes(words), spoken(words, reading)
        prints = prints_of([codes]).values
        fine, long = _Counted.of(codes, FINE), _Counted.of(codes, PRINT)
        return cls(text, len(codes), prints, sketch_of(known), frozenset(known), fine, long)


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
