"""The conversation as it is sent and as it is stored: frozen, append-only."""

from __future__ import annotations

from enum import StrEnum

from attrs import frozen

from aries_kernel.model.usage import Usage

__all__ = [
    "AssistantMessage",
    "Image",
    "Message",
    "Part",
    "Reasoning",
    "ResultStatus",
    "ResultsMessage",
    "StopReason",
    "Text",
    "ToolCall",
    "ToolResult",
    "UserMessage",
]


class StopReason(StrEnum):
    """Why an answer ended, the same for every provider."""

    END = "end"
    """The model finished; with calls or without."""
    LENGTH = "length"
    """The output limit cut it."""
    FILTERED = "filtered"
    """A content filter or the model itself refused."""
    OTHER = "other"
    """A reason we do not know: the text may be shown, calls are not run."""


class ResultStatus(StrEnum):
    """What became of a call."""

    OK = "ok"
    ERROR = "error"
    REFUSED = "refused"
    """The policy or the person said no; it did not run."""
    NOT_RUN = "not_run"
    """It was never started."""
    INTERRUPTED = "interrupted"
    """It was started and then stopped; it may have had effects."""


@frozen
class Text:
    """Text of the model."""

    text: str


@frozen
class Reasoning:
    """Reasoning of the model, kept verbatim for whoever made it.

    `provider` and `model` say who may see it again; `opaque` is what that provider needs to send it back
    (a JSON text: signatures, encrypted parts, the name of the field it came in), None where nothing is needed.
    """

    text: str
    provider: str
    model: str
    opaque: str | None = None


@frozen
class ToolCall:
    """One call as the model wrote it. `arguments` is the raw JSON text, never repaired."""

    id: str
    """Ours, unique within the session."""
    name: str
    arguments: str
    wire_id: str | None = None
    """The provider's; servers repeat or omit it, so nothing of ours is keyed by it."""


Part = Text | Reasoning | ToolCall


@frozen
class Image:
    """A picture that the person attached, in the size it is sent in: servers refuse large ones, again and again."""

    media_type: str
    data: str
    """Base64."""
    width: int
    height: int
    name: str = ""

    @property
    def tokens(self) -> int:
        """About what it costs to look at, the same for every model: an estimate."""
        return self.width * self.height // 750 + 85

    def described(self, why: str = "") -> str:
        """A text in its place, for whoever cannot see it."""
        return f"[image {self.name or 'without a name'}, {self.width}x{self.height}{f': {why}' if why else ''}]"


@frozen
class UserMessage:
    """What the person, or the host in the person's place, said.

    `volatile` is what held only when it was sent (date, context use, notes); it is stored and resent as it was.
    """

    text: str
    volatile: str = ""
    images: tuple[Image, ...] = ()


@frozen
class AssistantMessage:
    """One complete answer."""

    parts: tuple[Part, ...]
    stop: StopReason
    provider: str
    model: str
    usage: Usage = Usage()

    @property
    def text(self) -> str:
        """All text parts, joined."""
        return "".join(part.text for part in self.parts if isinstance(part, Text))

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """The calls, in the order they were written."""
        return tuple(part for part in self.parts if isinstance(part, ToolCall))


@frozen
class ToolResult:
    """What one call gave; `text` is what the model reads."""

    call_id: str
    name: str
    status: ResultStatus
    text: str

    @property
    def is_error(self) -> bool:
        return self.status is not ResultStatus.OK


@frozen
class ResultsMessage:
    """The results of all calls of one answer, in the order of the calls."""

    results: tuple[ToolResult, ...]


Message = UserMessage | AssistantMessage | ResultsMessage
