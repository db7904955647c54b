"""What a ranked list is worth when it is known what it should hold."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

__all__ = ["DEPTH", "METRICS", "measure"]

DEPTH = 10
"""Places that are looked at."""

METRICS = ("recall@1", "recall@5", "recall@10", "all@5", "mrr@10", "ndcg@10")
"""Recall: the share of the gold within the first k. `all@5`: whether all of it is. The rest as usual, gain 0 or 1."""


def measure(ranked: Sequence[str], gold: Collection[str]) -> tuple[float, ...]:
    """The metrics of one question, in the order of METRICS. What is ranked twice counts once, in its first place."""
    wanted = set(gold)
    places = [place for place, one in enumerate(dict.fromkeys(ranked), 1) if one in wanted and place <= DEPTH]
    return (
        *(sum(place <= k for place in places) / len(wanted) for k in (1, 5, 10)),
        float(sum(place <= 5 for place in places) == len(wanted)),
        1 / places[0] if places else 0.0,
        _gain(places) / _gain(range(1, min(len(wanted), DEPTH) + 1)),
    )


def _gain(places: Collection[int]) -> float:
    return sum(1 / math.log2(place + 1) for place in places)
