"""The Messages wire format of Anthropic, and the streams of it that cannot be trusted."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

import attrs
import pytest

from aries_kernel.errors import (
    AriesError,
    AuthRefused,
    ContextOverflow,
    Overloaded,
    QuotaExhausted,
    RateLimited,
    RequestRefused,
    StreamCut,
)
from aries_kernel.model.messages import (
    Reasoning,
    ResultsMessage,
    ResultStatus,
    StopReason,
    ToolResult,
    UserMessage,
)
from aries_kernel.model.stream import Stopped
from aries_kernel.model.usage import Usage
from aries_kernel.testing.bad_server_suite import WireSuite, text_of
from aries_kernel.testing.provider_script import ScriptedAnswer, ScriptedCall, joined_calls, sample_request
from aries_kernel.testing.wire_server import Send, WireReply

__all__ = ["MessagesSuite"]

_TYPES = {
    400: "invalid_request_error", 401: "authentication_error", 402: "billing_error", 403: "permission_error",
    404: "not_found_error", 413: "request_too_large", 429: "rate_limit_error", 500: "api_error",
    529: "overloaded_error",
}  # fmt: skip
_WORDS = {StopReason.END: "end_turn", StopReason.LENGTH: "max_tokens", StopReason.FILTERED: "refusal"}
_SIGNATURE = "EqQBCkgIBhAB+/=="


class MessagesSuite(WireSuite):
    """Subclasses say which provider and which model; `effort_model` thinks with an effort."""

    operations: ClassVar[tuple[str, ...]] = ("/v1/messages",)

    def events(self, answer: ScriptedAnswer) -> list[str]:
        return [f"event: {one['type']}\ndata: {json.dumps(one, ensure_ascii=False)}" for one in self.records(answer)]

    def records(self, answer: ScriptedAnswer) -> Iterator[dict[str, Any]]:
        """The events of an answer as records."""
        usage = answer.usage or Usage()
        counts = {
            "input_tokens": usage.input,
            "cache_read_input_tokens": usage.cache_read,
            "cache_creation_input_tokens": usage.cache_write,
            "output_tokens": min(usage.output, 1),
        }
        message = {"id": "msg_1", "type": "message", "role": "assistant", "content": [], "model": "m"}
        ends: dict[str, Any] = {"stop_reason": None, "stop_sequence": None}
        yield {"type": "message_start", "message": {**message, **ends, "usage": counts}}
        yield {"type": "ping"}
        for index, (start, deltas) in enumerate(self.blocks(answer)):
            yield {"type": "content_block_start", "index": index, "content_block": start}
            yield from ({"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas)
            if answer.stop is not None:
                yield {"type": "content_block_stop", "index": index}
        if answer.stop is not None:
            word = "tool_use" if answer.calls and answer.stop is StopReason.END else _WORDS[answer.stop]
            ends["stop_reason"] = word
            yield {"type": "message_delta", "delta": ends, "usage": {"output_tokens": usage.output}}
            yield {"type": "message_stop"}

    def blocks(self, answer: ScriptedAnswer) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
        """Start and deltas of each block."""
        if answer.reasoning:
            deltas = [{"type": "thinking_delta", "thinking": char} for char in answer.reasoning]
            signed = [{"type": "signature_delta", "signature": part} for part in (_SIGNATURE[:5], _SIGNATURE[5:])]
            yield {"type": "thinking", "thinking": "", "signature": ""}, [*deltas, *signed]
        if answer.text:
            yield {"type": "text", "text": ""}, [{"type": "text_delta", "text": char} for char in answer.text]
        for call in answer.calls:
            pieces = [call.arguments[start : start + 5] for start in range(0, len(call.arguments), 5)]
            start = {"type": "tool_use", "id": call.wire_id or "", "name": call.name, "input": {}}
            yield start, [{"type": "input_json_delta", "partial_json": piece} for piece in pieces]

    def faults(self) -> Mapping[type[AriesError], tuple[int, str]]:
        return {
            AuthRefused: (401, "invalid x-api-key"),
            ContextOverflow: (400, "prompt is too long: 210000 tokens > 200000 maximum"),
            Overloaded: (529, "Overloaded"),
            QuotaExhausted: (400, "Your credit balance is too low to access the API."),
            RateLimited: (429, "Number of request tokens has exceeded your per-minute rate limit"),
            RequestRefused: (400, "temperature: range: -1..1"),
        }

    def fault_record(self, status: int, message: str) -> object:
        kind = _TYPES.get(status, "api_error")
        return {"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_1"}

    def fault_event(self, status: int, message: str) -> str:
        return f"event: error\ndata: {json.dumps(self.fault_record(status, message))}"

    def tool_names(self, body: Any) -> list[str]:
        return [tool["name"] for tool in body["tools"]]

    def tool_refusal(self, place: int, name: str) -> object:
        return self.fault_record(400, f"tools.{place}.custom.input_schema: JSON schema is invalid: it must match draft")

    def call_ids(self, body: Any) -> list[str]:
        return [block["id"] for block in self._blocks_of(body, "tool_use")]

    def result_ids(self, body: Any) -> list[str]:
        return [block["tool_use_id"] for block in self._blocks_of(body, "tool_result")]

    def _blocks_of(self, body: Any, kind: str) -> list[Any]:
        return [block for message in body["messages"] for block in message["content"] if block["type"] == kind]

    def without_marks(self, body: Any) -> Any:
        for message in body["messages"]:
            for block in message["content"]:
                block.pop("cache_control", None)
        return body

    def test_blocks_under_one_index_stay_apart(self) -> None:
        calls = (ScriptedCall("Bash", '{"command":"a"}', "same"), ScriptedCall("Bash", '{"command":"b"}', "same"))
        events = [{**one, "index": 0} if "index" in one else one for one in self.records(ScriptedAnswer(calls=calls))]
        pieces, _ = self.played(_stream(events))
        assert [json.loads(raw)["command"] for _, raw, _ in joined_calls(pieces)] == ["a", "b"]

    def test_blocks_that_grow_in_turn_stay_apart(self) -> None:
        calls = (ScriptedCall("Bash", '{"command":"a"}', "x"), ScriptedCall("Bash", '{"command":"b"}', "y"))
        events = list(self.records(ScriptedAnswer(calls=calls)))
        inner = [one for one in events if "index" in one]
        mixed = [events[0], *sorted(inner, key=lambda one: ("_start" not in one["type"], "_stop" in one["type"]))]
        pieces, _ = self.played(_stream([*mixed, *events[-2:]]))
        assert [json.loads(raw)["command"] for _, raw, _ in joined_calls(pieces)] == ["a", "b"]

    def test_an_input_that_comes_with_the_start_of_its_block_counts(self) -> None:
        events = list(self.records(ScriptedAnswer(calls=(ScriptedCall("Bash", "", "x"),))))
        events[2]["content_block"]["input"] = {"command": "ls"}
        pieces, _ = self.played(_stream(events))
        assert [json.loads(raw) for _, raw, _ in joined_calls(pieces)] == [{"command": "ls"}]

    def test_an_answer_that_is_not_streamed_is_read_all_the_same(self) -> None:
        message = {
            "type": "message", "role": "assistant", "stop_reason": "tool_use",
            "content": [{"type": "text", "text": "Hi."}, {"type": "tool_use", "id": "t", "name": "Bash", "input": {}}],
            "usage": {"input_tokens": 3, "output_tokens": 2},
        }  # fmt: skip
        pieces, _ = self.played(WireReply((Send(json.dumps(message, indent=1).encode()),), framing="length"))
        assert (text_of(pieces), joined_calls(pieces)) == ("Hi.", [("Bash", "{}", "t")])

    @pytest.mark.parametrize(
        ("word", "reason"),
        [
            ("end_turn", StopReason.END),
            ("stop_sequence", StopReason.END),
            ("tool_use", StopReason.END),
            ("max_tokens", StopReason.LENGTH),
            ("model_context_window_exceeded", StopReason.LENGTH),
            ("refusal", StopReason.FILTERED),
            ("pause_turn", StopReason.OTHER),
            ("something_new", StopReason.OTHER),
        ],
    )
    def test_each_word_for_a_stop_has_its_reason(self, word: str, reason: StopReason) -> None:
        events = list(self.records(ScriptedAnswer("So far")))
        events[-2]["delta"]["stop_reason"] = word
        pieces, _ = self.played(_stream(events))
        assert isinstance(pieces[-1], Stopped) and pieces[-1].reason is reason

    def test_a_window_that_was_full_before_the_first_word_is_an_overflow(self) -> None:
        events = list(self.records(ScriptedAnswer()))
        events[-2]["delta"]["stop_reason"] = "model_context_window_exceeded"
        assert isinstance(self._raised(_stream(events)), ContextOverflow)

    def test_a_piece_of_an_unknown_call_amid_another_is_a_cut_stream(self) -> None:
        events = list(self.records(ScriptedAnswer(calls=(ScriptedCall("Bash", '{"command":"rm x"}', "x"),))))
        place = next(index for index, one in enumerate(events) if one["type"] == "content_block_delta")
        events[place] = {**events[place], "index": 7}
        assert isinstance(self._raised(_stream(events)), StreamCut)

    def test_thinking_goes_back_byte_for_byte_with_its_signature(self) -> None:
        thought = 'Gründe 👋 \n\t"quoted" <b>'
        call = ScriptedCall("Bash", '{"command":"ls"}', "toolu_1")
        answer = self._message_of(self.wire(ScriptedAnswer("Looking.", reasoning=thought, calls=(call,))))
        [body] = self._bodies_for(self._after(answer))
        content = body["messages"][1]["content"]
        assert content[0] == {"type": "thinking", "thinking": thought, "signature": _SIGNATURE}
        assert [block["type"] for block in content] == ["thinking", "text", "tool_use"]

    def test_hidden_and_redacted_thinking_goes_back_too(self) -> None:
        blocks = [
            {"type": "thinking", "thinking": "", "signature": "sig"},
            {"type": "redacted_thinking", "data": "ZGF0YQ=="},
        ]
        hidden: list[dict[str, Any]] = []
        for index, block in enumerate(blocks):
            hidden.append({"type": "content_block_start", "index": index, "content_block": block})
            hidden.append({"type": "content_block_stop", "index": index})
        events = list(self.records(ScriptedAnswer(calls=(ScriptedCall("Bash", "{}", "x"),))))
        shifted = [{**one, "index": 2} if "index" in one else one for one in events[2:]]
        answer = self._message_of(_stream([*events[:2], *hidden, *shifted]))
        [body] = self._bodies_for(self._after(answer))
        assert body["messages"][1]["content"][:2] == blocks

    def test_thinking_of_another_model_is_not_sent(self) -> None:
        call = ScriptedCall("Bash", "{}", "x")
        answer = self._message_of(self.wire(ScriptedAnswer(reasoning="Hm.", calls=(call,))))
        other = attrs.evolve(
            answer,
            parts=tuple(
                attrs.evolve(one, model="other") if isinstance(one, Reasoning) else one for one in answer.parts
            ),
        )
        [body] = self._bodies_for(self._after(other))
        assert [block["type"] for block in body["messages"][1]["content"]] == ["tool_use"]

    def test_an_answer_never_ends_in_its_thinking(self) -> None:
        answer = self._message_of(self.wire(ScriptedAnswer("x", reasoning="Hm.")))
        bare = attrs.evolve(answer, parts=answer.parts[:1])
        [body] = self._bodies_for(sample_request(self.model, UserMessage("Go."), bare, UserMessage("On.")))
        assert [message["role"] for message in body["messages"]] == ["user", "user"]

    @pytest.mark.parametrize(
        "message",
        [
            "messages.1.content.0: Invalid `signature` in `thinking` block",
            "messages.1.content.0: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be "
            "modified. These blocks must remain as they were in the original response.",
        ],
    )
    def test_refused_thinking_costs_the_thinking_and_not_the_session(self, message: str) -> None:
        answer = self._message_of(self.wire(ScriptedAnswer(reasoning="Hm.", calls=(ScriptedCall("Bash", "{}", "x"),))))
        replies = (self.refusal(400, message), self.wire(ScriptedAnswer("ok")))
        pieces, bodies = self.played(*replies, request=self._after(answer))
        kinds = [[block["type"] for block in body["messages"][1]["content"]] for body in bodies]
        assert (kinds, text_of(pieces)) == ([["thinking", "tool_use"], ["tool_use"]], "ok")

    def test_cache_marks_stand_at_the_ends_of_what_stays(self) -> None:
        [body] = self._bodies_for(self._two_rounds("a", "b"))
        marked = [
            (name, place)
            for name, blocks in (
                ("tools", body["tools"]), ("system", body["system"]),
                *((f"messages.{index}", one["content"]) for index, one in enumerate(body["messages"])),
            )
            for place, block in enumerate(blocks)
            if "cache_control" in block
        ]  # fmt: skip
        assert marked == [("tools", 0), ("system", 0), ("messages.2", 0), ("messages.4", 0)]

    def test_all_results_of_an_answer_are_in_one_message_before_any_text(self) -> None:
        answer = self._message_of(
            self.wire(ScriptedAnswer(calls=(ScriptedCall("Bash", "{}", "a"), ScriptedCall("Bash", "{}", "b"))))
        )
        results = [ToolResult(call.id, "Bash", ResultStatus.ERROR, "no") for call in reversed(answer.calls)]
        stray = ToolResult("gone", "Read", ResultStatus.OK, "old")
        said = (UserMessage("Go."), answer, ResultsMessage((*results, stray)))
        [body] = self._bodies_for(sample_request(self.model, *said))
        content = body["messages"][2]["content"]
        assert [block["type"] for block in content] == ["tool_result", "tool_result", "text"]
        assert [block["tool_use_id"] for block in content[:2]] == ["a", "b"]
        assert all(block["is_error"] for block in content[:2])


def _stream(records: list[dict[str, Any]]) -> WireReply:
    text = "".join(f"event: {one['type']}\ndata: {json.dumps(one)}\n\n" for one in records)
    return WireReply((Send(text.encode()),))
