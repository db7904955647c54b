"""A few bytes that tell how much two sets of words have in common, without the sets (minhash)."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from zlib import crc32

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["SKETCH", "alike", "sketch_of"]

SKETCH = 16
"""Bytes of a sketch."""
_BY_CHANCE = 1 / 256


def sketch_of(words: Collection[str]) -> bytes:
    """For each of `SKETCH` ways to number words, the lowest number: a byte of it."""
    import numpy as np

    if not words:
        return bytes(SKETCH)
    marks = np.array([_mark(word) for word in words], np.uint64)
    factors = np.arange(1, 2 * SKETCH, 2, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    numbers = marks[:, None] * factors[None, :]
    numbers = (numbers ^ (numbers >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    lowest = (numbers >> np.uint64(32)).min(axis=0)
    return bytes((lowest & np.uint64(255)).astype(np.uint8))


@lru_cache(maxsize=1 << 15)
def _mark(word: str) -> int:
    return crc32(word.encode("utf-8", "surrogatepass"))


def alike(sketch: bytes, others: NDArray[np.uint8]) -> Any:
    """The share of words in common with each of the others, a row each, as far as sketches tell."""
    import numpy as np

    equal = (others == np.frombuffer(sketch, np.uint8)).mean(axis=1)
    return np.clip((equal - _BY_CHANCE) / (1 - _BY_CHANCE), 0.0, 1.0)
