"""The lines of a session log."""

from __future__ import annotations

import functools

import attrs
from attrs import frozen
from cattrs import Converter
from cattrs.strategies import configure_tagged_union

from aries_kernel.model.messages import AssistantMessage, Message, ToolCall, ToolResult, UserMessage
from aries_kernel.model.request import ToolSchema
from aries_kernel.model.session import Outcome

__all__ = [
    "FORMAT",
    "Answered",
    "AttemptFailed",
    "CallBegan",
    "CallEnded",
    "CodeSpoke",
    "Compacted",
    "Entry",
    "InnerCallEnded",
    "ModelSwitched",
    "Opened",
    "PrefixSet",
    "Resumed",
    "TurnEnded",
    "TurnUndone",
    "UserSaid",
    "converter",
]

FORMAT = 1
"""Raised when a reader of the old format would misread a log."""


@frozen
class Opened:
    """The first line of every log."""

    id: str
    cwd: str
    model: str
    version: str
    format: int = FORMAT
    forked_from: str | None = None
    root: str | None = None
    """The session at the beginning of a line of forks; None where this is it."""


@frozen
class Resumed:
    """Another process went on with the session."""

    model: str
    version: str


@frozen
class ModelSwitched:
    """The person chose another model, or another effort, from here on."""

    model: str
    effort: str | None = None


@frozen
class PrefixSet:
    """The stable prefix from here on, exactly as it is sent."""

    system: str
    tools: tuple[ToolSchema, ...]
    phase: str
    widened: tuple[str, ...] = ()
    """Tools that were hidden in this phase and are shown now."""
    mode: str = "bare"
    """How the model is given the project."""


@frozen
class UserSaid:
    """A prompt, a follow-up, or what the loop itself says to the model."""

    message: UserMessage


@frozen
class AttemptFailed:
    """A request that gave no answer; what was streamed of it is not part of the history."""

    reason: str
    attempt: int
    usage_total: int = 0


@frozen
class Answered:
    """A whole answer; what it calls is open from here on."""

    message: AssistantMessage


@frozen
class CallBegan:
    """A call passed the policy and was started: from here on it may have had effects."""

    call_id: str


@frozen
class CallEnded:
    """A call has its result, whether it ran or not."""

    result: ToolResult


@frozen
class InnerCallEnded:
    """Code that a call ran had another tool called; the model sees of it only what the code makes of it."""

    call: ToolCall
    result: ToolResult


@frozen
class CodeSpoke:
    """Code that a call ran showed the person a text, or asked a question: then `answer` is what the person said."""

    text: str
    answer: str | None = None


@frozen
class Compacted:
    """The history from here on: what was before stays in the log and is sent no more."""

    messages: tuple[Message, ...]


@frozen
class TurnEnded:
    """A turn came to its end; a log without it was cut short."""

    outcome: Outcome


@frozen
class TurnUndone:
    """The person had what a turn wrote taken back; paths as a person reads them."""

    restored: tuple[str, ...]
    left: tuple[str, ...] = ()


Entry = (
    Opened
    | Resumed
    | ModelSwitched
    | PrefixSet
    | UserSaid
    | AttemptFailed
    | Answered
    | CallBegan
    | CallEnded
    | InnerCallEnded
    | CodeSpoke
    | Compacted
    | TurnEnded
    | TurnUndone
)


@functools.cache
def converter() -> Converter:
    """Reads and writes entries, told apart by the key `type`; keys of a newer version are ignored."""
    from aries_kernel.model import converter as messages

    made = messages.converter().copy()
    configure_tagged_union(Entry, made, tag_name="type")
    return made


def kinds() -> tuple[str, ...]:
    """The values of `type` that this version knows."""
    return tuple(kind.__name__ for kind in Entry.__args__ if attrs.has(kind))
