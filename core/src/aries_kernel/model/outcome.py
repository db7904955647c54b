"""How a turn can end; apart from the values that tell of it, since the errors that end one need only this."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["OutcomeStatus"]


class OutcomeStatus(StrEnum):
    """How a turn ended."""

    DONE = "done"
    LIMIT = "limit"
    """A budget: turns, calls, tokens, cost, time."""
    STUCK = "stuck"
    """The same call three times, or no progress."""
    INTERRUPTED = "interrupted"
    FAILED = "failed"
