"""The words of a long text by stretches of it, so that what does not hold a word is not looked through for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from attrs import frozen

__all__ = ["Words"]

_STRETCH = 1 << 20
_LETTERS = frozenset(b"abcdefghijklmnopqrstuvwxyz0123456789_") | frozenset(range(128, 256))
_PLAIN = bytes(code if code in _LETTERS else 32 for code in range(256))
"""Blanks in the place of all that is part of no word."""


@frozen
class Words:
    """Of a text in small letters. Gathering them costs about what looking through the text twenty times does."""

    _stretches: tuple[tuple[int, int, bytes], ...]
    """Where each begins and ends, and its words."""

    @classmethod
    def of(cls, text: bytes, starts: Sequence[int]) -> Words:
        """`starts`: where files begin; a stretch begins at one of them."""
        cuts: list[int] = []
        for start in starts:
            if not cuts or start - cuts[-1] >= _STRETCH:
                cuts.append(start)
        cuts.append(len(text))
        return cls(
            tuple((one, end, b" ".join(set(text[one:end].translate(_PLAIN).split()))) for one, end in pairwise(cuts))
        )

    def stretches_with(self, wanted: bytes) -> Iterator[tuple[int, int]]:
        """Where a text may stand that lies within one line: each word in it, or the part of one, has to be there."""
        parts = wanted.translate(_PLAIN).split()
        for start, end, words in self._stretches:
            if all(part in words for part in parts):
                yield start, end
