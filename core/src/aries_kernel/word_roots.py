"""What forms of one word have in common, without a dictionary."""

from __future__ import annotations

import functools

__all__ = ["root_of"]

_LONGEST = 6
"""Letters that tell words apart; the same for all scripts, since few words of others are longer."""
_SHORTEST = 3
_ENDINGS = ("ingly", "edly", "ings", "ing", "ies", "ied", "es", "ed", "ly", "s", "e", "y")
"""Of English, the longest first. Other languages lose a letter at most, in all forms alike."""


@functools.lru_cache(maxsize=20_000)
def root_of(word: str) -> str:
    """The beginning of a word in small letters that its other forms begin with too: `paint` of `painted`.

    Every word begins with its root, so a root finds words in a store that knows beginnings only.
    """
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST:
            return word[: min(len(word) - len(ending), _LONGEST)]
    return word[:_LONGEST]
