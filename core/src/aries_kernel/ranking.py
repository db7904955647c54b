"""What signals of retrieval share: scores of any scale brought to the stretch from 0 to 1."""

from __future__ import annotations

import heapq
from collections.abc import Hashable, Mapping
from operator import itemgetter
from typing import TypeVar

__all__ = ["FOUND", "best", "spread_out"]

FOUND = 100
"""Notes of a signal that count; what comes after its hundredth is noise."""

Key = TypeVar("Key", bound=Hashable)


def best(scores: Mapping[Key, float], count: int) -> list[tuple[Key, float]]:
    """The best `count`, best first; equal scores in the order in which they were given."""
    return heapq.nlargest(count, scores.items(), key=itemgetter(1))


def spread_out(scores: Mapping[Key, float], over: int = FOUND) -> dict[Key, float]:
    """The best `over` from 0 to 1: the best has 1, the first that is left out would have 0 (min-max normalisation).

    Margins between scores stay what they are, which ranks alone throw away. Where nothing is left out the scale begins
    at 0, so that the worst of three notes is still a find.
    """
    top = best(scores, over + 1)
    if not top:
        return {}
    highest = top[0][1]
    lowest = top[over][1] if len(top) > over else min(0.0, top[-1][1])
    if highest <= lowest:
        return {key: 1.0 for key, _ in top[:over]}
    return {key: (score - lowest) / (highest - lowest) for key, score in top[:over]}
