"""What a body answers."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from attrs import field, frozen

from aries_body.process.output import Printed

__all__ = ["Executed", "Restart", "Status"]


class Status(StrEnum):
    """How an execution ended."""

    OK = "ok"
    DONE = "done"
    """`done` was called."""
    ERROR = "error"
    INTERRUPTED = "interrupted"
    """Somebody stopped it; the process lives on with its variables."""
    TIMED_OUT = "timed-out"
    """The time limit stopped it; the process lives on."""
    DIED = "died"
    """The process ended or had to be killed."""


@frozen
class Restart:
    """A new process took the place of one that is gone."""

    reason: str
    kept: tuple[str, ...] = ()
    lost: Mapping[str, str] = field(factory=dict)
    """Names that are gone, with their type or with why they did not come back."""
    seconds: float = 0.0

    def __str__(self) -> str:
        text = f"{self.reason} A new process was started"
        if self.lost:
            listed = ", ".join(f"{name} ({why})" for name, why in list(self.lost.items())[:30])
            more = f" and {len(self.lost) - 30} more" if len(self.lost) > 30 else ""
            text += f"; lost: {listed}{more}"
        return f"{text}; kept: {', '.join(self.kept[:60]) or 'nothing'}{' ...' if len(self.kept) > 60 else ''}."


@frozen
class Executed:
    """One execution and everything that came of it."""

    number: int
    status: Status
    printed: Printed
    value: str | None = None
    """A short text of the last expression, None where that was None or there was none."""
    error: str | None = None
    done: Any = None
    said: tuple[str, ...] = ()
    seconds: float = 0.0
    restart: Restart | None = None
    """The process was replaced, before the execution or because of it."""
    halted: float = 0.0
    """Seconds in which the machine slept or the host stood still; they count towards no limit."""

    @property
    def is_error(self) -> bool:
        """Whether the code did not reach its end."""
        return self.status not in (Status.OK, Status.DONE)
