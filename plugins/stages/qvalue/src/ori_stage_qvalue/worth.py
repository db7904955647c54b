"""What a note's uses are worth today."""

from __future__ import annotations

import datetime
import math

from aries_kernel.contracts import Credit

__all__ = ["q_value"]


def q_value(credit: Credit, today: datetime.date, rate: float, decay: float) -> float:
    """From 0 to below 1: each reward r takes q to q + rate * r * (1 - q), beginning at 0.

    What decays is the evidence, so a note that was never of use stays at 0 and no use makes one worth less
    (spec G.4-46, 49, 51). A day in the future counts as today.
    """
    days = max(0, (today - credit.last).days)
    evidence = max(0.0, credit.reward) * math.exp(-decay * days)
    return float(1 - (1 - rate) ** evidence)
