"""Betweenness of a large graph from the shortest ways that begin in some of its files, after Brandes and Pich."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from typing import NamedTuple

__all__ = ["Estimate", "estimated_betweenness"]

_SEED = 0


class Estimate(NamedTuple):
    """Equal for equal graphs."""

    values: list[float]
    """By number, as the share of all pairs."""
    error: float
    """The largest standard error of any of them."""


def estimated_betweenness(count: int, leading: Mapping[int, Sequence[int]], samples: int) -> Estimate:
    """`leading`: by number the ones it leads to. `samples`: how many of them ways begin in."""
    sources = sorted(random.Random(_SEED).sample(range(count), samples))
    sums, squares = [0.0] * count, [0.0] * count
    out = [leading.get(number, ()) for number in range(count)]
    for source in sources:
        for number, share in _shares(source, out):
            sums[number] += share
            squares[number] += share * share
    pairs = max(1, (count - 1) * (count - 2))
    scale = count / (samples * pairs)
    spread = max(
        (square / samples - (total / samples) ** 2 for total, square in zip(sums, squares, strict=True)), default=0.0
    )
    error = math.sqrt(max(0.0, spread) / samples) * count / pairs
    return Estimate([total * scale for total in sums], error)


def _shares(source: int, out: Sequence[Sequence[int]]) -> list[tuple[int, float]]:
    """How much of the shortest ways from `source` to all others leads through each one between."""
    distance, ways = {source: 0}, {source: 1}
    levels, here = [[source]], 0
    while levels[-1]:
        here += 1
        following: list[int] = []
        for one in levels[-1]:
            count = ways[one]
            for other in out[one]:
                known = distance.get(other)
                if known is None:
                    distance[other], ways[other] = here, count
                    following.append(other)
                elif known == here:
                    ways[other] += count
        levels.append(following)
    through: dict[int, float] = {}
    found: list[tuple[int, float]] = []
    for depth in range(len(levels) - 1, 0, -1):
        for one in levels[depth]:
            share = 0.0
            for other in out[one]:
                if distance[other] == depth + 1:
                    share += (1.0 + through.get(other, 0.0)) / ways[other]
            if share:
                through[one] = share * ways[one]
                found.append((one, through[one]))
    return found
