"""Rows of code as sets of numbers that survive renaming: what several stretches have in common is told by them.

A gram stands for a few words in a row. A name counts by how far back in the gram it stood before, not by what it is
called (Baker's parametrised matching). Prints are a choice among the grams that is the same wherever the same stretch
stands (winnowing: Schleimer, Wilkerson and Aiken, 2003).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from attrs import frozen

from aries_body.judgement.lexing import FIRST_NAME

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.uint32]

__all__ = ["FINE", "PRINT", "WINDOW", "Grams", "grams_of", "prints_of"]

PRINT = 8
"""Words of a gram that prints are chosen from."""
FINE = 5
"""Words of a gram where two pieces of code are compared closely."""
WINDOW = 4
"""Of so many grams in a row, one is a print."""


@frozen
class Grams:
    """Grams of several pieces of code in one row."""

    values: Numbers
    owner: NDArray[np.int64]
    """Which piece each belongs to."""


def grams_of(pieces: Sequence[Sequence[int]], length: int) -> Grams:
    """All grams of `length` words, piece by piece; one that is shorter has none."""
    values, owner, is_whole = _hashed(pieces, length)
    return Grams(values[is_whole].astype("uint32"), owner[is_whole])


def prints_of(pieces: Sequence[Sequence[int]]) -> Grams:
    """The chosen grams of each piece, once each time they are chosen."""
    import numpy as np

    values, owner, is_whole = _hashed(pieces, PRINT)
    if not is_whole.any():
        return Grams(np.zeros(0, np.uint32), np.zeros(0, np.int64))
    # What runs over the end of a piece is never the least.
    most = np.uint64(1 << 40)
    ends = np.full(WINDOW - 1, most)
    row = np.concatenate([np.where(is_whole, values, most), ends])
    windows = np.lib.stride_tricks.sliding_window_view(row, WINDOW)[is_whole]
    # The last of equal ones, so that a run of the same is chosen once a window.
    last = WINDOW - 1 - np.argmin(windows[:, ::-1], axis=1)
    chosen = np.unique(np.flatnonzero(is_whole) + last)
    return Grams(values[chosen].astype("uint32"), owner[chosen])


def _hashed(pieces: Sequence[Sequence[int]], length: int) -> tuple[Any, Any, Any]:
    """A gram for every word of all pieces, which piece it is of, and whether it lies within it."""
    import numpy as np

    sizes = np.fromiter(map(len, pieces), np.int64, len(pieces))
    total = int(sizes.sum())
    if total < length:
        return np.zeros(0, np.uint64), np.zeros(0, np.int64), np.zeros(0, bool)
    codes = np.fromiter((code for piece in pieces for code in piece), np.int64, total)
    owner = np.repeat(np.arange(len(pieces)), sizes)
    left = np.repeat(np.cumsum(sizes), sizes) - np.arange(total)
    count = total - length + 1
    is_name = codes >= FIRST_NAME
    back = _distances(codes, owner, is_name)
    plain = _mixed(codes.astype(np.uint64))
    names = _mixed(np.arange(length, dtype=np.uint64) + np.uint64(FIRST_NAME))
    found = np.zeros(count, np.uint64)
    for place in range(length):
        part = slice(place, place + count)
        seen = np.where(back[part] <= place, back[part], 0)
        value = np.where(is_name[part], names[seen], plain[part])
        found = (found * np.uint64(0x9E3779B97F4A7C15)) ^ _mixed(value + np.uint64(place))
    return found >> np.uint64(32), owner[:count], left[:count] >= length


def _distances(codes: Any, owner: Any, is_name: Any) -> Any:
    """For each name, how many words ago it stood before in its piece; 0 for those that did not."""
    import numpy as np

    found = np.zeros(len(codes), np.int64)
    places = np.flatnonzero(is_name)
    keys = owner[places] * (1 << 24) + (codes[places] - FIRST_NAME)
    order = np.argsort(keys, kind="stable")
    before, after = places[order][:-1], places[order][1:]
    is_same = keys[order][1:] == keys[order][:-1]
    found[after[is_same]] = (after - before)[is_same]
    return found


def _mixed(values: Any) -> Any:
    """Each number spread over all bits (the last steps of splitmix64)."""
    import numpy as np

    found = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    found = (found ^ (found >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return found ^ (found >> np.uint64(31))
