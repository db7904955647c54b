"""Responses of Gemini as stream pieces: each event is a whole response, and its parts are complete."""

from __future__ import annotations

import json
from collections.abc import Mapping

from aries_kernel.errors import ContextOverflow, StreamCut
from aries_kernel.model.messages import StopReason
from aries_kernel.model.stream import CallPiece, Heartbeat, ReasoningPiece, Stopped, StreamPiece, TextPiece, UsageReport
from aries_kernel.model.usage import Usage
from aries_provider_google.signatures import mark
from aries_provider_google.usage import read_usage
from aries_provider_http.exchange import Judge, Record
from aries_provider_http.faults import fault_in, one_line
from aries_provider_http.stop_reasons import stop_reason
from aries_provider_http.text_joiner import TextJoiner
from aries_provider_http.wire_names import ToolNames

__all__ = ["ResponseDecoder"]

_UNUSABLE = frozenset(
    {
        "MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS", "MISSING_THOUGHT_SIGNATURE",
        "MALFORMED_RESPONSE",
    }
)  # fmt: skip
"""Reasons that say the model's answer could not be used; asked again, it often can."""


class ResponseDecoder:
    """Decodes one answer."""

    def __init__(self, names: ToolNames, to_error: Judge, headers: Mapping[str, str]) -> None:
        self._names, self._to_error, self._headers = names, to_error, headers
        self._text, self._thought = TextJoiner(), TextJoiner()
        self._blocks = self._calls = 0
        self._thought_block: int | None = None
        self._is_signed_text = self._has_content = False
        self._usage: Usage | None = None
        self._word = self._message = ""
        self.is_done = False

    @property
    def has_stop(self) -> bool:
        """Whether the server said why the answer ended."""
        return bool(self._word)

    def may_hold_call(self, damaged: str) -> bool:
        """See `Decoder`: a response that holds text and no call is harmless."""
        return '"functionCall"' in damaged or '"text"' not in damaged

    def chunk(self, record: Record, kind: str = "") -> list[StreamPiece]:
        """Decode one response; a Heartbeat where it says nothing.

        Raises: the error for a fault it holds, StreamCut for a call that is not complete.
        """
        is_response = any(name in record for name in ("candidates", "promptFeedback", "usageMetadata"))
        if record.get("error") or kind == "error" or not is_response:
            fault = fault_in({"type": "error", **record} if kind == "error" else record, self._headers)
            if fault is not None:
                raise self._to_error(fault)
        found: list[StreamPiece] = []
        candidate = _first_candidate(record)
        for part in _parts(candidate):
            found += self._part(part)
        blocked = _text(_mapping(record.get("promptFeedback")).get("blockReason"))
        self._word = _text(candidate.get("finishReason")) or self._word or (blocked and f"prompt blocked: {blocked}")
        self._message = _text(candidate.get("finishMessage")) or self._message
        return [*found, *self._report(record)] or [Heartbeat()]

    def end(self, why_cut: str = "the stream ended") -> list[StreamPiece]:
        """See `Decoder`.

        Raises: StreamCut where no reason for the stop was given or the answer cannot be used, ContextOverflow where
        the server stopped at its limit before the first word.
        """
        if not self._word:
            raise StreamCut(f"The answer broke off: {why_cut} before the server said why it stopped.")
        said = one_line(f"{self._word}: {self._message}" if self._message else self._word, 200)
        if self._word in _UNUSABLE:
            raise StreamCut(f"The model's answer cannot be used ({said}).")
        reason = StopReason.FILTERED if self._word.startswith("prompt blocked") else stop_reason(self._word)
        if reason is StopReason.LENGTH and not self._has_content and self._usage and self._usage.output == 0:
            raise ContextOverflow(
                "The server stopped at its limit before the first word: the conversation is too long."
            )
        return [*self._end_thought(), *self._end_text(), Stopped(reason, said)]

    def _part(self, part: Record) -> list[StreamPiece]:
        signature = _text(part.get("thoughtSignature")) or None
        call = part.get("functionCall")
        if isinstance(call, Mapping):
            return [*self._end_thought(), *self._end_text(), *self._call(call, signature)]
        text = _text(part.get("text"))
        if part.get("thought") is True:
            return [*self._end_text(), *self._think(text, signature)]
        if not text:
            return self._end_text() + self._new_mark("blank", signature) if signature else []
        self._has_content = True
        found = self._end_thought()
        if signature or self._is_signed_text:
            # A text that carries a signature must stay apart from the texts around it.
            found += [*self._end_text(), *self._new_mark("next" if signature else "break", signature)]
        self._is_signed_text = signature is not None
        ready = self._text.add(text)
        return [*found, *([TextPiece(ready)] if ready else [])]

    def _call(self, call: Record, signature: str | None) -> list[StreamPiece]:
        name, given = _text(call.get("name")), call.get("args")
        if call.get("willContinue") or call.get("partialArgs") or not isinstance(given, Mapping | None) or not name:
            raise StreamCut("The server sent a call that is not complete; nothing of it ran.")
        self._has_content = True
        self._calls += 1
        arguments = json.dumps(given or {}, ensure_ascii=False)
        wire_id = _text(call.get("id")) or None
        piece = CallPiece(f"call-{self._calls}", self._names.to_ours(name), arguments, wire_id)
        return [*(self._new_mark("next", signature) if signature else []), piece]

    def _think(self, text: str, signature: str | None) -> list[StreamPiece]:
        self._has_content = self._has_content or bool(text)
        if self._thought_block is None:
            self._blocks += 1
            self._thought_block = self._blocks
        block = self._thought_block
        ready = self._thought.add(text)
        found: list[StreamPiece] = [ReasoningPiece(ready, block)] if ready else []
        if signature:
            self._thought_block = None
            found.append(ReasoningPiece(self._thought.end(), block, mark("thought", signature)))
        return found

    def _end_thought(self) -> list[StreamPiece]:
        block, self._thought_block = self._thought_block, None
        rest = self._thought.end()
        return [ReasoningPiece(rest, block)] if rest and block is not None else []

    def _end_text(self) -> list[StreamPiece]:
        rest = self._text.end()
        return [TextPiece(rest)] if rest else []

    def _new_mark(self, place: str, signature: str | None) -> list[StreamPiece]:
        self._blocks += 1
        return [ReasoningPiece("", self._blocks, mark(place, signature))]

    def _report(self, record: Record) -> list[StreamPiece]:
        usage = read_usage(record.get("usageMetadata"))
        if usage is None or usage == self._usage:
            return []
        self._usage = usage
        return [UsageReport(usage)]


def _first_candidate(record: Record) -> Record:
    listed = record.get("candidates")
    mine = (one for one in (listed if isinstance(listed, list) else ()) if isinstance(one, Mapping))
    return next((one for one in mine if one.get("index") in (None, 0)), {})


def _parts(candidate: Record) -> list[Record]:
    parts = _mapping(candidate.get("content")).get("parts")
    return [part for part in parts if isinstance(part, Mapping)] if isinstance(parts, list) else []


def _mapping(value: object) -> Record:
    return value if isinstance(value, Mapping) else {}


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
