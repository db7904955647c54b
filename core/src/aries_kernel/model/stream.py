"""What a provider yields while an answer arrives."""

from __future__ import annotations

from attrs import frozen

from aries_kernel.model.messages import StopReason
from aries_kernel.model.usage import Usage

__all__ = ["CallPiece", "Heartbeat", "ReasoningPiece", "Remark", "Stopped", "StreamPiece", "TextPiece", "UsageReport"]


@frozen
class TextPiece:
    """More text."""

    text: str


@frozen
class ReasoningPiece:
    """More reasoning. A piece with another `block` starts a new part; `opaque` of the last piece of a block counts."""

    text: str
    block: int = 0
    opaque: str | None = None


@frozen
class CallPiece:
    """More of a call. `key`, of the provider's choosing, tells calls of an answer apart; `arguments` are appended."""

    key: str
    name: str = ""
    arguments: str = ""
    wire_id: str | None = None


@frozen
class UsageReport:
    """Tokens so far. Reports replace each other; they are not added up."""

    usage: Usage
    cost: float | None = None
    """US dollars, where the server itself says what it charges; None: the model's price counts."""


@frozen
class Heartbeat:
    """The server is alive but said nothing."""


@frozen
class Remark:
    """What the person should know and the model did not say: a tool that its server does not take, for example."""

    text: str


@frozen
class Stopped:
    """The answer ended. A stream that ends without it was cut, and nothing of it is used."""

    reason: StopReason
    wire_reason: str = ""
    """The server's own word, for messages."""


StreamPiece = TextPiece | ReasoningPiece | CallPiece | UsageReport | Heartbeat | Remark | Stopped
