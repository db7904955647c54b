"""Records of Ollama's `/api/chat` as stream pieces."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from aries_kernel.errors import ContextOverflow, StreamCut
from aries_kernel.model.messages import StopReason
from aries_kernel.model.stream import (
    CallPiece,
    Heartbeat,
    ReasoningPiece,
    Stopped,
    StreamPiece,
    TextPiece,
    UsageReport,
)
from aries_kernel.model.usage import Usage
from aries_provider_http.counts import read_count
from aries_provider_http.exchange import Judge, Record
from aries_provider_http.faults import fault_in, one_line
from aries_provider_http.stop_reasons import stop_reason
from aries_provider_http.text_joiner import TextJoiner
from aries_provider_http.wire_names import ToolNames

__all__ = ["RecordDecoder"]


class RecordDecoder:
    """Decodes one answer. Each call comes whole; its place in the answer is what tells it from others."""

    def __init__(self, names: ToolNames, judge: Judge, headers: Mapping[str, str]) -> None:
        self._names, self._judge, self._headers = names, judge, headers
        self._text, self._thinking = TextJoiner(), TextJoiner()
        self._count = 0
        self._said_something = False
        self._output = 0
        self._word: str | None = None

    @property
    def has_stop(self) -> bool:
        """Whether the server said why the answer ended."""
        return self._word is not None

    @property
    def is_done(self) -> bool:
        """The record that says why is the last one."""
        return self.has_stop

    def may_hold_call(self, damaged: str) -> bool:
        """See `Decoder`; only a record that holds text and no call is harmless."""
        return '"tool_calls"' in damaged or '"content"' not in damaged

    def chunk(self, record: Record, kind: str = "") -> list[StreamPiece]:
        """Decode one record; a Heartbeat where it says nothing.

        Raises: the error for a fault it holds.
        """
        del kind
        fault = fault_in({"error": record["error"]}, self._headers) if record.get("error") else None
        if fault is not None:
            raise self._judge(fault)
        message = record.get("message")
        found = list(self._message(message)) if isinstance(message, Mapping) else []
        if record.get("done") is True:
            reason = record.get("done_reason")
            self._word = reason if isinstance(reason, str) and reason else "stop"
            found += self._usage(record)
        return found or [Heartbeat()]

    def end(self, why_cut: str) -> list[StreamPiece]:
        """The answer is over; the last piece is Stopped.

        Raises: StreamCut where the server never said that it was, ContextOverflow where it stopped at the limit before
        the first word.
        """
        if self._word is None:
            raise StreamCut(f"The answer broke off: {why_cut} before the server said that it was complete.")
        reason = stop_reason(self._word)
        if reason is StopReason.LENGTH and not self._said_something and not self._output:
            raise ContextOverflow(
                "The server stopped at its limit before the first word: the conversation is too long."
            )
        found: list[StreamPiece] = []
        if thought := self._thinking.end():
            found.append(ReasoningPiece(thought))
        if text := self._text.end():
            found.append(TextPiece(text))
        return [*found, Stopped(reason, one_line(self._word, 100))]

    def _message(self, message: Record) -> Iterator[StreamPiece]:
        thought, text, calls = message.get("thinking"), message.get("content"), message.get("tool_calls")
        if isinstance(thought, str) and (thought := self._thinking.add(thought)):
            self._said_something = True
            yield ReasoningPiece(thought)
        if isinstance(text, str) and (text := self._text.add(text)):
            self._said_something = True
            yield TextPiece(text)
        for call in calls if isinstance(calls, list) else ():
            function = call.get("function") if isinstance(call, Mapping) else None
            if isinstance(function, Mapping):
                self._said_something = True
                yield self._call(call, function)

    def _call(self, call: Record, function: Record) -> CallPiece:
        name, arguments, wire_id = function.get("name"), function.get("arguments"), call.get("id")
        self._count += 1
        # An object has no text of its own; one that came as text stays as it was written.
        raw = arguments if isinstance(arguments, str) else json.dumps(arguments or {}, ensure_ascii=False)
        own = self._names.to_ours(name) if isinstance(name, str) else ""
        return CallPiece(str(self._count), own, raw, wire_id if isinstance(wire_id, str) and wire_id else None)

    def _usage(self, record: Record) -> list[StreamPiece]:
        prompt, self._output = _count(record, "prompt_eval_count"), _count(record, "eval_count")
        if not (prompt or self._output):
            return []
        # Newer servers say how much of the prompt they still had.
        read = min(_count(record, "prompt_eval_cached_count") or _count(record, "cached_prompt_eval_count"), prompt)
        return [UsageReport(Usage(input=prompt - read, cache_read=read, output=self._output))]


def _count(record: Record, name: str) -> int:
    return read_count(record.get(name)) or 0
