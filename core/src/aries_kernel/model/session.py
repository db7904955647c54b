"""What hooks and faces are told about a session and its turns."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from attrs import frozen

from aries_kernel.model.outcome import OutcomeStatus
from aries_kernel.model.usage import Usage

__all__ = ["Outcome", "OutcomeStatus", "Overview", "PromptSection", "SessionInfo", "Verdict"]

Overview = Literal["off", "lean", "standard", "deep", "max"]


@frozen
class SessionInfo:
    """Which session this is."""

    id: str
    cwd: Path
    model: str
    """`provider/model`."""
    is_resumed: bool = False
    overview: Overview = "lean"
    """How much of a summary of the project the person wants in the prefix; whoever has one gives that much."""


@frozen
class PromptSection:
    """A text for the stable prefix. It must not change within a session."""

    title: str
    text: str


@frozen
class Verdict:
    """An answer to `before_tool`. It may refuse what the policy allows, and allow what it would ask; never more."""

    is_allowed: bool
    reason: str


@frozen
class Outcome:
    """The end of one turn of the person: everything between a prompt and the next."""

    status: OutcomeStatus
    text: str
    """The model's last text."""
    reason: str
    """Why it ended, one line; empty for `done`."""
    answers: int = 0
    calls: int = 0
    usage: Usage = Usage()
    cost: float | None = None
    """US dollars; None where the model's price is not known."""
    seconds: float = 0.0
