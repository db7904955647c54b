"""How much there is to learn of a note: the bonus of UCB1-Tuned."""

from __future__ import annotations

import math

__all__ = ["NEVER_SHOWN", "bonus"]

_C = 0.2
NEVER_SHOWN = 2.5 * _C
"""Nothing is known of it (spec C.12)."""
_MOST_VARIANCE = 0.25
"""Of what is either of use or not."""


def bonus(shown: int, total: int, variance: float = 0.0) -> float:
    """Of a note that was shown `shown` times, all candidates together `total` times; less with every time.

    `variance`: of what it was worth each time.
    """
    if shown <= 0:
        return NEVER_SHOWN
    known = math.log(max(total, shown) + 1) / shown
    return min(NEVER_SHOWN, _C * math.sqrt(known * min(_MOST_VARIANCE, variance + math.sqrt(2 * known))))
