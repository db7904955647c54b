"""Waiting for a process: limits in awake time, interrupts, and telling a halt of the host from a hang."""

from __future__ import annotations

import queue
from collections.abc import Callable
from enum import Enum

from aries_body.process.clock import AwakeClock
from aries_body.process.frames import Frame
from aries_body.process.incarnation import Incarnation

__all__ = ["Ended", "Watch"]

_TICK = 0.2
_GRACE = 1.5
"""Seconds between an interrupt and the next, and between the last one and the end."""
_INTERRUPTS = 2
_BEGIN_WITHIN = 10.0
_PING_EVERY = 1.0
_MISSED = 3


class Ended(Enum):
    """Why there is no answer."""

    GONE = "The process is gone."
    KILLED = "The process did not heed the interrupt."
    NEVER_BEGAN = "The process did not answer."


class Watch:
    """One wait. `is_interrupted` may be set from another thread, with a frame put into the inbox to be seen at once."""

    def __init__(self, clock: AwakeClock, limit: float) -> None:
        self._clock, self.limit = clock, limit
        self.seconds = 0.0
        """Awake seconds so far in which the process did not wait for the host."""
        self.is_interrupted = False
        self._interrupts = 0
        self._next_interrupt = 0.0
        self._pings = self._pongs = 0
        self._has_begun = False

    @property
    def has_interrupted(self) -> bool:
        """Whether the process was told to stop."""
        return self._interrupts > 0

    @property
    def halted(self) -> float:
        """Seconds in which the machine slept or the host stood still."""
        return self._clock.halted

    @property
    def is_answering(self) -> bool:
        """Whether pings are answered."""
        return self._pings - self._pongs < _MISSED

    def answered(self, ping: int) -> None:
        """A ping was answered."""
        self._pongs = max(self._pongs, min(ping, self._pings))

    def wait(
        self,
        process: Incarnation,
        number: int,
        wanted: str,
        waits_for_host: Callable[[], bool],
        cancel: Callable[[], None] = lambda: None,
    ) -> Frame | Ended:
        """The frame `wanted` with that number, or why it does not come; the process is ended where it has to be."""
        gone_since: float | None = None
        while True:
            frame = self._next(process)
            before = self._clock.seconds
            now = self._clock.tick()
            if not waits_for_host():
                self.seconds += now - before
            if frame is not None and frame.id == number and frame.type == wanted:
                return frame
            if frame is not None and frame.id == number and frame.type == "started":
                self._has_begun = True
            if frame is not None and frame.type == "gone":
                # What it wrote last may still be on the way.
                gone_since = now if gone_since is None else gone_since
            is_given_up = gone_since is not None and now - gone_since > _GRACE
            if is_given_up or (frame is not None and frame.type == "silent"):
                # Why it is gone is known a moment after its end of the pipe is closed.
                process.is_gone.wait(_GRACE)
                process.end()
                return Ended.GONE if self._has_begun or wanted != "result" else Ended.NEVER_BEGAN
            ended = self._judge(process, number, wanted, now, cancel)
            if ended is not None:
                return ended

    def _next(self, process: Incarnation) -> Frame | None:
        try:
            return process.inbox.get(timeout=_TICK)
        except queue.Empty:
            return None

    def _judge(
        self, process: Incarnation, number: int, wanted: str, now: float, cancel: Callable[[], None]
    ) -> Ended | None:
        if wanted == "result" and number and not self._has_begun and now > _BEGIN_WITHIN:
            process.end("It did not answer.")
            return Ended.NEVER_BEGAN
        if now >= self._pings * _PING_EVERY and wanted == "result":
            self._pings += 1
            process.send("ping", self._pings)
        if not self.is_interrupted and self.seconds < self.limit:
            return None
        if now < self._next_interrupt:
            return None
        if self._interrupts >= _INTERRUPTS or wanted != "result":
            process.end("It did not stop.")
            return Ended.KILLED
        if self._interrupts == 0:
            cancel()
        self._interrupts += 1
        self._next_interrupt = now + _GRACE
        process.send("interrupt", number)
        return None
