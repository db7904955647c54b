"""How good a ranked list looks without knowing the answer: a guess, which is held against labelled questions in bench/.

Free of scale: the same list with other scores in the same proportions looks the same (spec C.15, G.4-55).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

__all__ = ["concentration", "quality"]

_SEEN = 10
_CONCENTRATION = 0.75


def concentration(scores: Sequence[float]) -> float:
    """How far the first places hold what there is of score: 1 for one note alone, 0 for all alike."""
    seen = list(scores[:_SEEN])
    if len(seen) < 2:
        return float(len(seen))
    lowest = min(0.0, *seen)
    shares = [score - lowest for score in seen]
    total = sum(shares)
    if total <= 0:
        return 0.0
    discounts = [1 / math.log2(place + 2) for place in range(len(seen))]
    alike = sum(discounts) / len(seen)
    held = sum(share / total * discount for share, discount in zip(shares, discounts, strict=True))
    return (held - alike) / (1 - alike)


def quality(scores: Sequence[float], rare_held: float | None) -> float:
    """From -1 to 1. `rare_held`: share of the question's rare words that the first notes hold; None: it has none."""
    shape = concentration(scores)
    return shape if rare_held is None else _CONCENTRATION * shape + (1 - _CONCENTRATION) * (2 * rare_held - 1)
