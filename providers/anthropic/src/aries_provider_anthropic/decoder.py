"""Events of a Messages stream, or a whole message, as stream pieces."""

from __future__ import annotations

from collections.abc import Mapping

from aries_kernel.errors import ContextOverflow, Overloaded, StreamCut
from aries_kernel.model.messages import StopReason
from aries_kernel.model.stream import Heartbeat, Stopped, StreamPiece, UsageReport
from aries_provider_anthropic.blocks import Block, CallBlock, TextBlock, ThinkingBlock
from aries_provider_anthropic.usage import UsageReader
from aries_provider_http.exchange import Judge, Record
from aries_provider_http.faults import fault_in, one_line
from aries_provider_http.stop_reasons import FAILED, stop_reason
from aries_provider_http.wire_names import ToolNames

__all__ = ["MessageDecoder"]


class MessageDecoder:
    """Decodes one answer. Blocks are told apart by when they start, not by their index or id, which servers repeat."""

    def __init__(self, names: ToolNames, to_error: Judge, headers: Mapping[str, str]) -> None:
        self._names, self._to_error, self._headers = names, to_error, headers
        self._open: dict[object, Block] = {}
        self._count = 0
        self._has_content = False
        self._usage = UsageReader()
        self._word = self._details = ""
        self.is_done = False

    @property
    def has_stop(self) -> bool:
        """Whether the server said why the answer ended."""
        return bool(self._word)

    def may_hold_call(self, damaged: str) -> bool:
        """See `Decoder`: a piece of text or thinking is harmless."""
        return '"text_delta"' not in damaged and '"thinking_delta"' not in damaged

    def chunk(self, record: Record, kind: str = "") -> list[StreamPiece]:
        """Decode one event; a Heartbeat where it says nothing.

        Raises: the error for a fault it holds, StreamCut for a piece that belongs to no block.
        """
        self._raise_fault(record, kind)
        match record.get("type") or kind:
            case "message_start":
                found = self._report(_mapping(record.get("message")).get("usage"))
            case "content_block_start":
                found = self._start(_index(record), _mapping(record.get("content_block")))
            case "content_block_delta":
                found = self._delta(_index(record), _mapping(record.get("delta")))
            case "content_block_stop":
                found = self._stop(_index(record))
            case "message_delta":
                self._end_with(_mapping(record.get("delta")))
                found = self._report(record.get("usage"))
            case "message_stop":
                self.is_done, found = True, []
            case "message":
                found = self._whole(record)
            case _:
                found = []
        return found or [Heartbeat()]

    def end(self, why_cut: str = "the stream ended") -> list[StreamPiece]:
        """See `Decoder`.

        Raises: StreamCut where no reason for the stop was given, Overloaded where the server says that it failed,
        ContextOverflow where it stopped at the limit before the first word.
        """
        if not self._word:
            raise StreamCut(f"The answer broke off: {why_cut} before the server said why it stopped.")
        if self._word.lower() in FAILED:
            raise Overloaded(f"The server ended the answer with '{one_line(self._word, 60)}'.")
        reason = stop_reason(self._word)
        is_full = self._word == "model_context_window_exceeded" or self._usage.output == 0
        if reason is StopReason.LENGTH and is_full and not self._has_content:
            raise ContextOverflow(
                "The server stopped at its limit before the first word: the conversation is too long."
            )
        found = [piece for index in list(self._open) for piece in self._stop(index)]
        return [*found, Stopped(reason, one_line(f"{self._word}{self._details}", 200))]

    def _raise_fault(self, record: Record, kind: str) -> None:
        said = record.get("type")
        is_event = isinstance(said, str) and said != "error" and kind != "error"
        if not (is_event and not record.get("error")):
            fault = fault_in({"type": "error", **record} if kind == "error" else record, self._headers)
            if fault is not None:
                raise self._to_error(fault)

    def _start(self, index: object, block: Record) -> list[StreamPiece]:
        kind = block.get("type")
        earlier = self._stop(index)
        self._count += 1
        if kind == "text":
            self._open[index] = text = TextBlock()
            return [*earlier, *self._said(text.add(_text(block.get("text"))))]
        if kind in ("thinking", "redacted_thinking"):
            self._has_content = True
            self._open[index] = thinking = ThinkingBlock(self._count, dict(block))
            return [*earlier, *thinking.add(_text(block.get("thinking")))]
        if kind == "tool_use":
            self._has_content = True
            name = self._names.to_ours(_text(block.get("name")))
            self._open[index] = call = CallBlock(self._count, name, _text(block.get("id")) or None, block.get("input"))
            return [*earlier, call.first]
        return earlier  # What the server's own tools do is not ours to show.

    def _delta(self, index: object, delta: Record) -> list[StreamPiece]:
        block = self._open.get(index)
        match delta.get("type"):
            case "text_delta":
                if not isinstance(block, TextBlock):
                    block = self._open[index] = TextBlock()
                return self._said(block.add(_text(delta.get("text"))))
            case "thinking_delta" if isinstance(block, ThinkingBlock):
                return block.add(_text(delta.get("thinking")))
            case "signature_delta" if isinstance(block, ThinkingBlock):
                return block.sign(_text(delta.get("signature")))
            case "input_json_delta":
                piece = delta.get("partial_json")
                if isinstance(block, CallBlock) and isinstance(piece, str):
                    return block.add(piece)
                if piece and any(isinstance(one, CallBlock) for one in self._open.values()):
                    # What is left out in the middle could join two halves to a command that nobody sent.
                    raise StreamCut("The server sent a piece of a call that cannot be read; nothing of the call ran.")
        return []

    def _stop(self, index: object) -> list[StreamPiece]:
        block = self._open.pop(index, None)
        return block.end() if block is not None else []

    def _said(self, pieces: list[StreamPiece]) -> list[StreamPiece]:
        self._has_content = self._has_content or bool(pieces)
        return pieces

    def _whole(self, message: Record) -> list[StreamPiece]:
        found: list[StreamPiece] = []
        content = message.get("content")
        for index, block in enumerate(content if isinstance(content, list) else ()):
            found += self._start(index, _mapping(block))
            found += self._stop(index)
        self._end_with(message)
        self.is_done = True
        return [*found, *self._report(message.get("usage"))]

    def _end_with(self, record: Record) -> None:
        self._word = _text(record.get("stop_reason")).strip() or self._word
        details = _mapping(record.get("stop_details"))
        said = ", ".join(text for name in ("category", "explanation") if (text := _text(details.get(name))))
        self._details = f": {said}" if said else self._details

    def _report(self, record: object) -> list[StreamPiece]:
        usage = self._usage.read(record)
        return [UsageReport(usage)] if usage is not None else []


def _index(record: Record) -> int | str | None:
    index = record.get("index")
    return index if isinstance(index, int | str) else None


def _mapping(value: object) -> Record:
    return value if isinstance(value, Mapping) else {}


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
