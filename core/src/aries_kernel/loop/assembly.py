"""Putting the pieces of a stream together into one answer."""

from __future__ import annotations

from collections.abc import Callable

from attrs import define, field

from aries_kernel.errors import EmptyAnswer, StreamCut
from aries_kernel.model.messages import AssistantMessage, Part, Reasoning, StopReason, Text, ToolCall
from aries_kernel.model.stream import CallPiece, ReasoningPiece, Stopped, StreamPiece, TextPiece, UsageReport
from aries_kernel.model.usage import Usage

__all__ = ["Assembly"]


@define
class _Open:
    """A part that still grows. Pieces are joined once at the end, so that a long answer costs linear time."""

    kind: type[TextPiece | ReasoningPiece | CallPiece]
    key: str
    pieces: list[str] = field(factory=list)
    name: str = ""
    wire_id: str | None = None
    opaque: str | None = None


@define
class Assembly:
    """Collects one attempt; `finish` gives the answer or says why there is none."""

    provider: str
    model: str
    usage: Usage = field(factory=Usage)
    charged: float | None = None
    """US dollars, where the server says so."""
    stopped: Stopped | None = None
    _parts: list[_Open] = field(factory=list)
    _by_key: dict[tuple[object, str], _Open] = field(factory=dict)

    def add(self, piece: StreamPiece) -> None:
        """Take one more piece."""
        match piece:
            case TextPiece():
                # Text after a call or reasoning is a new part; order is kept as it came.
                if not self._parts or self._parts[-1].kind is not TextPiece:
                    self._parts.append(_Open(TextPiece, ""))
                self._parts[-1].pieces.append(piece.text)
            case ReasoningPiece():
                part = self._part(ReasoningPiece, str(piece.block))
                part.pieces.append(piece.text)
                part.opaque = piece.opaque if piece.opaque is not None else part.opaque
            case CallPiece():
                part = self._part(CallPiece, piece.key)
                part.pieces.append(piece.arguments)
                part.name = part.name or piece.name
                part.wire_id = part.wire_id or piece.wire_id
            case UsageReport():
                self.usage = piece.usage
                self.charged = piece.cost if piece.cost is not None else self.charged
            case Stopped():
                self.stopped = piece

    def _part(self, kind: type[ReasoningPiece | CallPiece], key: str) -> _Open:
        if (kind, key) not in self._by_key:
            self._by_key[kind, key] = _Open(kind, key)
            self._parts.append(self._by_key[kind, key])
        return self._by_key[kind, key]

    def finish(self, call_id: Callable[[int], str]) -> AssistantMessage:
        """The answer; `call_id` names the call at a position.

        Raises: StreamCut where the stream gave no stop reason, EmptyAnswer where there is neither text nor a call.
        """
        if self.stopped is None:
            raise StreamCut("The answer was cut before its end.")
        parts: list[Part] = []
        for part in self._parts:
            made = self._close(part, call_id(sum(isinstance(one, ToolCall) for one in parts)))
            if made is not None:
                parts.append(made)
        answer = AssistantMessage(tuple(parts), self.stopped.reason, self.provider, self.model, self.usage)
        if not answer.calls and not answer.text.strip() and self.stopped.reason is not StopReason.FILTERED:
            raise EmptyAnswer(_why_empty(self.stopped))
        return answer

    def _close(self, part: _Open, call_id: str) -> Part | None:
        text = "".join(part.pieces)
        if part.kind is CallPiece:
            return ToolCall(call_id, part.name, text, part.wire_id)
        if part.kind is ReasoningPiece:
            return Reasoning(text, self.provider, self.model, part.opaque) if text or part.opaque else None
        return Text(text) if text else None


def _why_empty(stopped: Stopped) -> str:
    if stopped.reason is StopReason.LENGTH:
        return "The model used up its output limit without giving an answer."
    said = f" (stop reason: {stopped.wire_reason})" if stopped.wire_reason else ""
    return f"The model gave an empty answer{said}."
