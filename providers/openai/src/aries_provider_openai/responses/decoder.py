"""Events of a response, or a whole response, as stream pieces."""

from __future__ import annotations

from collections.abc import Mapping

from aries_kernel.errors import ContextOverflow, Overloaded, StreamCut
from aries_kernel.model.messages import StopReason
from aries_kernel.model.stream import Heartbeat, ReasoningPiece, Stopped, StreamPiece, UsageReport
from aries_kernel.model.usage import Usage
from aries_provider_http.exchange import Judge, Record
from aries_provider_http.faults import fault_in, one_line
from aries_provider_http.stop_reasons import FAILED, stop_reason
from aries_provider_http.wire_names import ToolNames
from aries_provider_openai.responses.items import CallItem, Item, MessageItem, ReasoningItem
from aries_provider_openai.responses.keeping import Follower, Kept
from aries_provider_openai.usage import read_usage

__all__ = ["ResponsesDecoder"]


class ResponsesDecoder:
    """Decodes one answer. Items are told apart by their place; their ids differ between the events of some servers."""

    def __init__(self, names: ToolNames, to_error: Judge, headers: Mapping[str, str]) -> None:
        self._names, self._to_error, self._headers = names, to_error, headers
        self._items: dict[object, Item] = {}
        self._last: Item | None = None
        self._reasoning: ReasoningItem | None = None
        self._count = 0
        self._has_content = self._has_refusal = False
        self._usage: Usage | None = None
        self._word = ""
        self.is_done = False

    @property
    def has_stop(self) -> bool:
        """Whether the server said why the answer ended."""
        return bool(self._word)

    def may_hold_call(self, damaged: str) -> bool:
        """See `Decoder`: a piece of text is harmless."""
        return "output_text.delta" not in damaged and "reasoning_summary_text.delta" not in damaged

    def chunk(self, record: Record, kind: str = "") -> list[StreamPiece]:
        """Decode one event; a Heartbeat where it says nothing.

        Raises: the error for a fault it holds, StreamCut for a piece of a call that belongs to none.
        """
        kind = _text(record.get("type")) or kind
        response = _mapping(record.get("response"))
        if kind == "response.failed":
            self._fail(_mapping(response.get("error")) or {"message": "the response failed"})
        if kind == "error" or not (kind.startswith("response.") or record.get("object") == "response"):
            self._fail(record)
        match kind:
            case "response.output_item.added":
                found = self._start(_index(record), _mapping(record.get("item")))
            case "response.output_item.done":
                found = self._end_item(_index(record), _mapping(record.get("item")))
            case "response.completed" | "response.incomplete" | "response.cancelled":
                found = self._finish(response, kind.removeprefix("response."))
            case _ if record.get("object") == "response":
                found = self._finish(record, _text(record.get("status")))
            case _:
                found = self._delta(kind, record)
        return found or [Heartbeat()]

    def end(self, why_cut: str = "the stream ended") -> list[StreamPiece]:
        """See `Decoder`.

        Raises: StreamCut where the server never said why it ended, Overloaded where it says that it did not end by
        itself, ContextOverflow where it stopped at its limit
        before the first word.
        """
        if not self._word:
            raise StreamCut(f"The answer broke off: {why_cut} before the server said why it stopped.")
        if self._word.lower() in FAILED:
            raise Overloaded(f"The server ended the answer with '{one_line(self._word, 60)}'.")
        reason = stop_reason(self._word)
        if reason is StopReason.LENGTH and not self._has_content and self._usage and self._usage.output == 0:
            raise ContextOverflow(
                "The server stopped at its limit before the first word: the conversation is too long."
            )
        if self._has_refusal and reason is StopReason.END:
            return [Stopped(StopReason.FILTERED, "refusal")]
        return [Stopped(reason, one_line(self._word, 100))]

    def _fail(self, record: Record) -> None:
        fault = fault_in(record if record.get("error") else {**record, "type": "error"}, self._headers)
        is_fault = bool(record.get("error") or record.get("message") or record.get("type") == "error")
        if fault is not None and is_fault:
            raise self._to_error(fault)

    def _start(self, index: object, item: Record) -> list[StreamPiece]:
        self._count += 1
        kind = item.get("type")
        if kind == "reasoning":
            self._reasoning = self._items[index] = self._last = ReasoningItem(self._count)
            return []
        found = self._follow(item)
        if kind == "message":
            self._items[index] = self._last = MessageItem()
        elif kind == "function_call":
            self._has_content = True
            name = self._names.to_ours(_text(item.get("name")))
            wire_id = _text(item.get("call_id")) or None
            self._items[index] = self._last = call = CallItem(self._count, name, wire_id)
            found += call.start()
        return found

    def _follow(self, item: Record) -> list[StreamPiece]:
        reasoning, self._reasoning = self._reasoning, None
        if reasoning is not None:
            return reasoning.followed_by(item)
        if not item.get("phase"):
            return []
        self._count += 1
        return [ReasoningPiece("", self._count, Kept(None, Follower.of(item)).as_opaque())]

    def _delta(self, kind: str, record: Record) -> list[StreamPiece]:
        item = self._addressed(record)
        text = _text(record.get("delta"))
        match kind:
            case "response.output_text.delta" | "response.refusal.delta":
                is_refusal = kind == "response.refusal.delta"
                if not isinstance(item, MessageItem):
                    item = self._items[_index(record)] = self._last = MessageItem()
                self._has_content = self._has_content or bool(text)
                self._has_refusal = self._has_refusal or (is_refusal and bool(text))
                return item.add(text, is_refusal=is_refusal)
            case "response.function_call_arguments.delta":
                if isinstance(item, CallItem) and isinstance(record.get("delta"), str):
                    return item.add(text)
                # What is left out in the middle could join two halves to a command that nobody sent.
                raise StreamCut("The server sent a piece of a call that cannot be read; nothing of the call ran.")
            case "response.function_call_arguments.done" if isinstance(item, CallItem):
                return item.end(record)
            case "response.reasoning_summary_part.added" if isinstance(item, ReasoningItem):
                return item.part()
            case "response.reasoning_summary_text.delta" | "response.reasoning_text.delta" if isinstance(
                item, ReasoningItem
            ):
                return item.add(text)
        return []

    def _addressed(self, record: Record) -> Item | None:
        index = _index(record)
        return self._items.get(index) if index is not None else self._last

    def _end_item(self, index: object, item: Record) -> list[StreamPiece]:
        found: list[StreamPiece] = []
        known = self._items.pop(index, None) if index is not None else self._last
        if known is None or not _is_same_kind(known, item):
            found = self._start(index, item)
            known = self._items.pop(index, None)
        if known is None:
            return found
        found += known.end(item)
        if isinstance(known, MessageItem):
            self._has_refusal = self._has_refusal or known.has_refusal
        self._has_content = self._has_content or bool(found)
        return found

    def _finish(self, response: Record, status: str) -> list[StreamPiece]:
        if status == "failed":
            self._fail(_mapping(response.get("error")) or {"message": "the response failed"})
        found: list[StreamPiece] = []
        output = response.get("output")
        for index, item in enumerate(output if isinstance(output, list) and not self._count else ()):
            # Nothing was streamed: all there is stands in the last word.
            found += self._end_item(index, _mapping(item))
        for known in self._items.values():
            found += known.end({})
        self._items = {}
        reason = _text(_mapping(response.get("incomplete_details")).get("reason"))
        self._word, self.is_done = reason or status or "completed", True
        usage = read_usage(response.get("usage"))
        if usage is not None:
            self._usage = usage
            found.append(UsageReport(usage))
        return found


def _index(record: Record) -> int | str | None:
    index = record.get("output_index")
    return index if isinstance(index, int | str) else None


def _is_same_kind(known: Item, item: Record) -> bool:
    kinds = {MessageItem: "message", CallItem: "function_call", ReasoningItem: "reasoning"}
    return item.get("type") in (None, kinds[type(known)])


def _mapping(value: object) -> Record:
    return value if isinstance(value, Mapping) else {}


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
