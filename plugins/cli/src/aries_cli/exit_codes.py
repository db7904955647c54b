"""What the exit code of aries says."""

from __future__ import annotations

from aries_kernel.console.running import DEFECT, FAILED, INTERRUPTED, OK, USER_ERROR
from aries_kernel.model.session import OutcomeStatus

__all__ = ["EXIT_CODES", "LIMIT", "STUCK", "exit_code"]

LIMIT = 3
STUCK = 4

EXIT_CODES = {
    OK: "the model finished",
    FAILED: "the session failed: provider, network, key refused, quota, disk",
    USER_ERROR: "a wrong flag, setting, name or a missing key; nothing was sent",
    LIMIT: "a limit of the turn was reached: turns, calls, tokens, cost, time",
    STUCK: "the model went round in circles",
    DEFECT: "a defect of aries itself",
    INTERRUPTED: "interrupted",
}

_OF_STATUS = {
    OutcomeStatus.DONE: OK,
    OutcomeStatus.LIMIT: LIMIT,
    OutcomeStatus.STUCK: STUCK,
    OutcomeStatus.INTERRUPTED: INTERRUPTED,
    OutcomeStatus.FAILED: FAILED,
}


def exit_code(status: OutcomeStatus) -> int:
    """The exit code for the end of a turn."""
    return _OF_STATUS[status]
