"""Chat completion chunks as stream pieces."""

from __future__ import annotations

import json
from collections.abc import Mapping

from aries_kernel.errors import ContextOverflow, Overloaded, StreamCut
from aries_kernel.model.messages import StopReason
from aries_kernel.model.stream import Heartbeat, ReasoningPiece, Stopped, StreamPiece, TextPiece, UsageReport
from aries_kernel.model.usage import Usage
from aries_provider_http.exchange import Judge, Record
from aries_provider_http.faults import Fault, fault_in, one_line
from aries_provider_http.stop_reasons import FAILED, stop_reason
from aries_provider_http.text_joiner import TextJoiner
from aries_provider_http.wire_names import ToolNames
from aries_provider_openai.calls import CallAssembler
from aries_provider_openai.usage import read_cost, read_usage

__all__ = ["ChunkDecoder"]

_REASONING_FIELDS = ("reasoning_content", "reasoning", "reasoning_text")
_JOINED_DETAILS = ("text", "summary", "data", "signature")


class ChunkDecoder:
    """Decodes one answer, streamed or whole.

    `to_error` makes the error for a fault inside the answer.
    """

    def __init__(
        self, names: ToolNames, to_error: Judge, headers: Mapping[str, str], *, cached_includes_written: bool = False
    ) -> None:
        self._to_error, self._headers = to_error, headers
        self._cached_includes_written = cached_includes_written
        self._calls = CallAssembler(names)
        self._text, self._reasoning = TextJoiner(), TextJoiner()
        self._reasoning_field: str | None = None
        self._details: list[dict[str, object]] = []
        self._call_field: str | None = None
        self._said_something = self._refused = False
        self._usage: Usage | None = None
        self._words: list[str] = []

    @property
    def has_stop(self) -> bool:
        """Whether the server said why the answer ended."""
        return bool(self._words)

    @property
    def is_done(self) -> bool:
        """Never known here: `[DONE]` says it."""
        return False

    def may_hold_call(self, damaged: str) -> bool:
        """See `Decoder`; only a delta that holds text and no call is harmless."""
        return '"tool_calls"' in damaged or '"function_call"' in damaged or '"content"' not in damaged

    def chunk(self, record: Record, kind: str = "") -> list[StreamPiece]:
        """Decode one chunk; a Heartbeat where it says nothing.

        Raises: the error for a fault it holds.
        """
        fault = fault_in(record, self._headers)
        if fault is None and kind == "error":
            fault = Fault(None, one_line(json.dumps(record, ensure_ascii=False)), headers=self._headers)
        if fault is not None:
            raise self._to_error(fault)
        found: list[StreamPiece] = []
        choice = _first_choice(record)
        found += self._delta(_content_of(choice, is_new=not self._said_something))
        found += self._usage_of(record, choice)
        word = choice.get("finish_reason")
        if isinstance(word, Mapping):
            word = word.get("type") or word.get("reason")
        if isinstance(word, str) and word.strip() and word.strip().lower() not in ("null", "none"):
            self._words.append(word.strip())
        return found or [Heartbeat()]

    def end(self, why_cut: str = "the stream ended") -> list[StreamPiece]:
        """The answer is over; the last piece is Stopped.

        Raises: StreamCut where the server never said why it ended, Overloaded where it said that it failed,
        ContextOverflow where it stopped at the limit before the first word.
        """
        if not self._words:
            raise StreamCut(f"The answer broke off: {why_cut} before the server said why it stopped.")
        word = next((one for one in self._words if stop_reason(one) is not StopReason.END), self._words[-1])
        if word.lower() in FAILED:
            raise Overloaded(f"The server ended the answer with '{one_line(word, 60)}'.")
        reason = stop_reason(word)
        found = self._rest()
        is_blank = not (self._said_something or self._calls)
        if reason is StopReason.LENGTH and is_blank and self._usage and self._usage.output == 0:
            raise ContextOverflow(
                "The server stopped at its limit before the first word: the conversation is too long."
            )
        if self._refused and reason is StopReason.END:
            return [*found, Stopped(StopReason.FILTERED, "refusal")]
        return [*found, Stopped(reason, one_line(word, 100))]

    def _rest(self) -> list[StreamPiece]:
        found: list[StreamPiece] = []
        text, reasoning = self._text.end(), self._reasoning.end()
        if reasoning or self._details or self._calls.extras:
            found.append(ReasoningPiece(reasoning, opaque=self._opaque()))
        if text:
            found.append(TextPiece(text))
        return [*found, *self._calls.end()]

    def _delta(self, delta: Record) -> list[StreamPiece]:
        found = self._reasoning_of(delta)
        text, thought = _texts(delta.get("content"))
        if thought:
            found += self._think(thought, "reasoning_content")
        refusal = delta.get("refusal")
        if isinstance(refusal, str) and refusal:
            self._refused = True
            text += refusal
        self._said_something = self._said_something or bool(text)
        text = self._text.add(text)
        if text:
            found.append(TextPiece(text))
        calls = self._calls_of(delta)
        self._said_something = self._said_something or bool(calls)
        return [*found, *calls]

    def _reasoning_of(self, delta: Record) -> list[StreamPiece]:
        found: list[StreamPiece] = []
        for name in _REASONING_FIELDS:
            text = delta.get(name)
            if isinstance(text, str) and text:
                # A relay sends two fields with the same text: the first that speaks is the one that counts.
                found = self._think(text, name) if self._reasoning_field in (None, name) else []
                break
        details = delta.get("reasoning_details")
        for detail in details if isinstance(details, list) else ():
            if isinstance(detail, Mapping):
                self._add_detail(detail)
        return found

    def _think(self, text: str, name: str) -> list[StreamPiece]:
        self._said_something = True
        self._reasoning_field = self._reasoning_field or name
        text = self._reasoning.add(text)
        return [ReasoningPiece(text, opaque=self._opaque(with_details=False))] if text else []

    def _opaque(self, *, with_details: bool = True) -> str:
        record: dict[str, object] = {"field": self._reasoning_field}
        if with_details and self._details:
            record["details"] = self._details
        if with_details and self._calls.extras:
            record["extra_content"] = self._calls.extras
        return json.dumps(record)

    def _add_detail(self, detail: Record) -> None:
        """Pieces of one detail follow each other under one index; its texts are joined, all else is kept."""
        last = self._details[-1] if self._details else None
        same = ("index", "type", "id")
        if last is None or "index" not in detail or any(_differs(last.get(k), detail.get(k)) for k in same):
            self._details.append(dict(detail))
            return
        for name, value in detail.items():
            old = last.get(name)
            is_joined = name in _JOINED_DETAILS and isinstance(old, str) and isinstance(value, str)
            if is_joined:
                last[name] = f"{old}{value}"
            elif value is not None:
                last[name] = value

    def _calls_of(self, delta: Record) -> list[StreamPiece]:
        # llama-cpp-python says each call in both fields.
        for name in ("tool_calls", "function_call"):
            value = delta.get(name)
            if value and self._call_field in (None, name):
                self._call_field = name
                is_only = name == "function_call"
                return list(self._calls.add({"index": 0, "function": value} if is_only else value, is_only=is_only))
        return []

    def _usage_of(self, record: Record, choice: Record) -> list[StreamPiece]:
        side = record.get("x_groq")
        for source in (record, choice, side if isinstance(side, Mapping) else {}):
            counts = source.get("usage")
            usage = read_usage(counts, cached_includes_written=self._cached_includes_written)
            if usage is not None:
                is_news = usage != self._usage
                self._usage = usage
                return [UsageReport(usage, read_cost(counts))] if is_news else []
        return []


def _differs(old: object, new: object) -> bool:
    return old is not None and new is not None and old != new


def _first_choice(record: Record) -> Record:
    choices = record.get("choices")
    listed = choices if isinstance(choices, list) else [choices]
    mine = (one for one in listed if isinstance(one, Mapping) and one.get("index") in (None, 0, "0"))
    return next(mine, {})


def _content_of(choice: Record, *, is_new: bool) -> Record:
    delta, message = choice.get("delta"), choice.get("message")
    if isinstance(delta, Mapping) and delta:
        return delta
    # A last chunk may repeat the whole answer under `message`; it counts only where nothing was streamed.
    return message if isinstance(message, Mapping) and is_new else {}


def _texts(content: object) -> tuple[str, str]:
    """The text and the reasoning in a `content`, which may be a list of parts."""
    if isinstance(content, str):
        return content, ""
    text = thought = ""
    for part in content if isinstance(content, list) else [content]:
        if isinstance(part, str):
            text += part
        elif isinstance(part, Mapping):
            inner = part.get("text")
            text += inner if isinstance(inner, str) else ""
            thinking = part.get("thinking")
            thought += _texts(thinking)[0] if thinking else ""
            refusal = part.get("refusal")
            text += refusal if isinstance(refusal, str) else ""
    return text, thought
