"""What happens in a turn, told to whoever shows it: the screen, `-p`, a test.

Every event but the streamed pieces is written to the session log before it is told.
"""

from __future__ import annotations

from attrs import frozen

from aries_kernel.model.messages import AssistantMessage, ToolCall, ToolResult, UserMessage
from aries_kernel.model.stream import ReasoningPiece, TextPiece

__all__ = [
    "AnswerCompleted",
    "AnswerDiscarded",
    "CallFinished",
    "CallStarted",
    "CodeSaid",
    "Notice",
    "SessionOpened",
    "TurnEvent",
    "UserSpoke",
]


@frozen
class SessionOpened:
    """A session was started or resumed."""

    session: str
    model: str
    cwd: str
    resumed: bool


@frozen
class UserSpoke:
    """A message of the person entered the history: the prompt, a steering text, a follow-up."""

    message: UserMessage


@frozen
class AnswerDiscarded:
    """What was streamed of this answer does not count: remove it from view. `wait`: seconds until the next try."""

    reason: str
    attempt: int
    wait: float


@frozen
class AnswerCompleted:
    """An answer is complete and stored."""

    message: AssistantMessage


@frozen
class CallStarted:
    """A call passed the policy and starts now."""

    call: ToolCall


@frozen
class CallFinished:
    """A call has its result."""

    result: ToolResult


@frozen
class CodeSaid:
    """Code that a call runs shows the person a text, while it runs."""

    text: str


@frozen
class Notice:
    """Something the person should know: a broken plugin, a repaired session, a wider tool set."""

    text: str


TurnEvent = (
    SessionOpened
    | UserSpoke
    | TextPiece
    | ReasoningPiece
    | AnswerDiscarded
    | AnswerCompleted
    | CallStarted
    | CallFinished
    | CodeSaid
    | Notice
)
