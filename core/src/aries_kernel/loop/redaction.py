"""Keeping known secrets out of what the model itself writes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import attrs

from aries_kernel.model.events import TurnEvent
from aries_kernel.model.messages import Part, Text, ToolCall
from aries_kernel.model.stream import ReasoningPiece, TextPiece

__all__ = ["redacted", "redacting"]

Redact = Callable[[str], str]
OnePart = TypeVar("OnePart", bound=Part)


def redacted(part: OnePart, redact: Redact) -> OnePart:
    """The part without known secrets. Reasoning stays as it is: its maker checks that nobody altered it."""
    if isinstance(part, Text):
        return attrs.evolve(part, text=redact(part.text))
    if isinstance(part, ToolCall):
        return attrs.evolve(part, arguments=redact(part.arguments))
    return part


def redacting(show: Callable[[TurnEvent], None], redact: Redact) -> Callable[[TurnEvent], None]:
    """A face that is shown streamed pieces without known secrets, as far as one piece holds them."""

    def shown(event: TurnEvent) -> None:
        show(attrs.evolve(event, text=redact(event.text)) if isinstance(event, TextPiece | ReasoningPiece) else event)

    return shown
