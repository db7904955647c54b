"""Time in which this machine was awake and this program ran: what limits of executions are counted in."""

from __future__ import annotations

import time
from collections.abc import Callable

__all__ = ["AwakeClock", "time_asleep"]

_LONGEST_TICK = 2.0
"""A tick is due several times a second; what took longer than this was a halt of the whole host."""


def time_asleep() -> float:
    """Seconds that this machine has slept since it was started, 0 where the system does not tell."""
    boot = getattr(time, "CLOCK_BOOTTIME", None)
    return 0.0 if boot is None else max(time.clock_gettime(boot) - time.monotonic(), 0.0)


class AwakeClock:
    """Seconds that the host was there to see. `tick` is called several times a second while something is awaited.

    A closed lid, a stopped process or a halted virtual machine shows as one long tick, on every system; it counts as
    little more than nothing, so that nobody is killed for having slept.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic, asleep: Callable[[], float] = time_asleep) -> None:
        self._now, self._asleep = now, asleep
        self._last, self._slept_before = now(), asleep()
        self.seconds = 0.0
        self.halted = 0.0
        """Seconds of sleep or halt that were not counted."""

    def tick(self) -> float:
        """Count the time since the last tick; gives `seconds`."""
        now, asleep = self._now(), self._asleep()
        slept = max(asleep - self._slept_before, 0.0)
        passed = max(now - self._last, 0.0)
        self._last, self._slept_before = now, asleep
        counted = min(passed, _LONGEST_TICK)
        self.seconds += counted
        self.halted += passed - counted + slept
        return self.seconds
