"""What a step of the code graph's benchmark costs this process."""

from __future__ import annotations

import resource
import statistics
import sys
from collections.abc import Callable

__all__ = ["cpu", "peak_mb", "timed"]


def cpu() -> float:
    """Seconds of this process and of those it waited for."""
    own, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def timed(function: Callable[[], object], times: int = 1) -> float:
    """Median CPU seconds of a call."""
    found = []
    for _ in range(times):
        start = cpu()
        function()
        found.append(cpu() - start)
    return statistics.median(found)


def peak_mb() -> float:
    return round(
        resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 if sys.platform != "darwin" else 1 << 20), 1
    )
