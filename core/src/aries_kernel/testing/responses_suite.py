"""OpenAI's Responses as a wire format, and the streams of it that cannot be trusted."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

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
    AssistantMessage,
    StopReason,
    UserMessage,
)
from aries_kernel.model.stream import Stopped
from aries_kernel.model.usage import Usage
from aries_kernel.testing.bad_server_suite import WireSuite, text_of
from aries_kernel.testing.provider_script import ScriptedAnswer, ScriptedCall, joined_calls, sample_request
from aries_kernel.testing.wire_server import Send, WireReply

__all__ = ["ResponsesSuite"]

_CODES = {
    401: "invalid_api_key", 429: "rate_limit_exceeded", 500: "server_error", 503: "server_error",
    529: "server_error",
}  # fmt: skip
_REASONS = {StopReason.LENGTH: "max_output_tokens", StopReason.FILTERED: "content_filter"}

Record = dict[str, Any]


class ResponsesSuite(WireSuite):
    """Subclasses say which provider and which model; the model is one that reasons."""

    operations: ClassVar[tuple[str, ...]] = ("/v1/responses",)

    def events(self, answer: ScriptedAnswer) -> list[str]:
        return _events(self.records(answer))

    def records(self, answer: ScriptedAnswer) -> Iterator[Record]:
        """The events of an answer as records."""
        yield {"type": "response.created", "response": _response("in_progress")}
        items: list[Record] = []
        for index, (item, deltas) in enumerate(self.items(answer)):
            started = {**item, "status": "in_progress"} if "status" in item else item
            for emptied in ("content", "summary"):
                started = {**started, emptied: []} if emptied in started else started
            if "arguments" in started:
                started = {**started, "arguments": ""}
            yield {"type": "response.output_item.added", "output_index": index, "item": started}
            yield from ({**delta, "output_index": index, "item_id": item["id"]} for delta in deltas)
            if answer.stop is not None:
                yield {"type": "response.output_item.done", "output_index": index, "item": item}
            items.append(item)
        if answer.stop is not None:
            word = "completed" if answer.stop is StopReason.END else "incomplete"
            last = _response(word, items, answer.usage)
            if word == "incomplete":
                last["incomplete_details"] = {"reason": _REASONS[answer.stop]}
            yield {"type": f"response.{word}", "response": last}

    def items(self, answer: ScriptedAnswer) -> Iterator[tuple[Record, list[Record]]]:
        """Each item with the events of its pieces."""
        if answer.reasoning:
            kind = "response.reasoning_summary_text.delta"
            yield (
                reasoning_item("rs_1", answer.reasoning),
                [{"type": kind, "summary_index": 0, "delta": char} for char in answer.reasoning],
            )
        if answer.text:
            content = [{"type": "output_text", "text": answer.text, "annotations": [], "logprobs": []}]
            pieces = [
                {"type": "response.output_text.delta", "content_index": 0, "delta": char, "logprobs": []}
                for char in answer.text
            ]
            yield {**_MESSAGE, "content": content}, pieces
        for number, call in enumerate(answer.calls):
            raw = call.arguments
            kind = "response.function_call_arguments.delta"
            pieces = [{"type": kind, "delta": raw[start : start + 5]} for start in range(0, len(raw), 5)]
            item = {
                "type": "function_call", "id": f"fc_{number}", "call_id": call.wire_id or "", "name": call.name,
                "arguments": raw, "status": "completed",
            }  # fmt: skip
            yield item, pieces

    def faults(self) -> Mapping[type[AriesError], tuple[int, str]]:
        return {
            AuthRefused: (401, "Incorrect API key provided."),
            ContextOverflow: (400, "Your input exceeds the context window of this model."),
            Overloaded: (503, "The engine is currently overloaded."),
            QuotaExhausted: (402, "You have a negative balance: insufficient_quota."),
            RateLimited: (429, "Rate limit reached for requests per minute."),
            RequestRefused: (400, "Invalid value for 'temperature'."),
        }

    def fault_record(self, status: int, message: str) -> object:
        code = _CODES.get(status)
        return {"error": {"message": message, "type": code or "invalid_request_error", "param": None, "code": code}}

    def fault_event(self, status: int, message: str) -> str:
        code = _CODES.get(status, "invalid_request_error")
        return _events([{"type": "error", "code": code, "message": message, "param": None}])[0]

    def tool_names(self, body: Any) -> list[str]:
        return [tool["name"] for tool in body["tools"]]

    def tool_refusal(self, place: int, name: str) -> object:
        message = f"Invalid schema for function '{name}': schema must be a JSON Schema of 'type: \"object\"'."
        error = {"message": message, "type": "invalid_request_error", "param": f"tools[{place}].parameters"}
        return {"error": error | {"code": "invalid_function_parameters"}}

    def call_ids(self, body: Any) -> list[str]:
        return [item["call_id"] for item in body["input"] if item["type"] == "function_call"]

    def result_ids(self, body: Any) -> list[str]:
        return [item["call_id"] for item in body["input"] if item["type"] == "function_call_output"]

    def test_items_that_come_whole_are_read(self) -> None:
        answer = ScriptedAnswer(
            "Hi.", "Hm.", (ScriptedCall("Bash", '{"command":"ls"}', "c"),), usage=Usage(3, output=2)
        )
        whole = [one for one in self.records(answer) if "delta" not in one["type"]]
        pieces, _ = self.played(_stream(whole))
        assert (text_of(pieces), joined_calls(pieces)) == ("Hi.", [("Bash", '{"command":"ls"}', "c")])

    def test_an_answer_that_is_not_streamed_is_read_all_the_same(self) -> None:
        answer = ScriptedAnswer("Hi.", calls=(ScriptedCall("Bash", '{"command":"ls"}', "c"),))
        response = {"object": "response", **list(self.records(answer))[-1]["response"]}
        pieces, _ = self.played(WireReply((Send(json.dumps(response, indent=1).encode()),), framing="length"))
        assert (text_of(pieces), joined_calls(pieces)) == ("Hi.", [("Bash", '{"command":"ls"}', "c")])

    def test_ids_that_differ_between_events_do_no_harm(self) -> None:
        records = list(self.records(ScriptedAnswer("Hi.", calls=(ScriptedCall("Bash", '{"command":"ls"}', "c"),))))
        for number, one in enumerate(records):
            if "item_id" in one:
                one["item_id"] = f"other_{number}"
        pieces, _ = self.played(_stream(records))
        assert (text_of(pieces), joined_calls(pieces)) == ("Hi.", [("Bash", '{"command":"ls"}', "c")])

    def test_arguments_in_the_last_event_of_a_call_count_where_no_piece_came(self) -> None:
        records = list(self.records(ScriptedAnswer(calls=(ScriptedCall("Bash", '{"command":"ls"}', "c"),))))
        kept = [one for one in records if "delta" not in one["type"] and one["type"] != "response.output_item.done"]
        done = {"type": "response.function_call_arguments.done", "output_index": 0, "arguments": '{"command":"ls"}'}
        pieces, _ = self.played(_stream([*kept[:-1], done, kept[-1]]))
        assert joined_calls(pieces) == [("Bash", '{"command":"ls"}', "c")]

    def test_pieces_that_are_not_the_call_in_the_end_are_a_cut_stream(self) -> None:
        raw = '{"command":"rm -r build/cache"}'
        records = list(self.records(ScriptedAnswer(calls=(ScriptedCall("Bash", raw, "c"),))))
        lost = next(one for one in records if one.get("delta") == "ild/c")
        assert isinstance(self._raised(_stream([one for one in records if one is not lost])), StreamCut)

    def test_a_piece_of_a_call_that_never_began_is_a_cut_stream(self) -> None:
        stray = {"type": "response.function_call_arguments.delta", "output_index": 5, "delta": '{"command":'}
        end = list(self.records(ScriptedAnswer("x")))[-1]
        assert isinstance(self._raised(_stream([stray, end])), StreamCut)

    def test_a_response_that_failed_has_the_class_of_its_error(self) -> None:
        for code, error in (
            ("server_error", Overloaded), ("rate_limit_exceeded", RateLimited),
            ("context_length_exceeded", ContextOverflow),
        ):  # fmt: skip
            failed = _response("failed") | {"error": {"code": code, "message": "It went wrong."}}
            assert type(self._raised(_stream([{"type": "response.failed", "response": failed}]))) is error

    def test_a_refusal_is_told_as_filtered(self) -> None:
        events: list[Record] = [
            {"type": "response.output_item.added", "output_index": 0, "item": {**_MESSAGE, "content": []}},
            {"type": "response.refusal.delta", "output_index": 0, "delta": "I cannot."},
            {"type": "response.completed", "response": _response("completed")},
        ]
        pieces, _ = self.played(_stream(events))
        assert isinstance(pieces[-1], Stopped)
        assert (text_of(pieces), pieces[-1].reason) == ("I cannot.", StopReason.FILTERED)

    def test_a_reasoning_item_goes_back_as_it_came_with_its_follower(self) -> None:
        item = reasoning_item("rs_9", "Gründe 👋")
        answer = self._answered(
            {**item, "status": None}, ScriptedAnswer(calls=(ScriptedCall("Bash", '{"command":"ls"}', "call_9"),))
        )
        [body] = self._bodies_for(self._after(answer))
        assert body["include"] == ["reasoning.encrypted_content"] and body["store"] is False
        assert body["input"][1:3] == [
            item,
            {
                "type": "function_call", "id": "fc_0", "call_id": "call_9", "name": "Bash",
                "arguments": '{"command":"ls"}',
            },
        ]  # fmt: skip

    def test_the_phase_and_id_of_a_message_go_back_with_its_reasoning(self) -> None:
        item = reasoning_item("rs_9", "")
        answer = self._answered(item, ScriptedAnswer("Looking now."), phase="commentary")
        said = sample_request(self.model, UserMessage("Go."), answer, UserMessage("On."))
        [body] = self._bodies_for(said)
        message = body["input"][2]
        assert body["input"][1] == item
        assert (message["id"], message["phase"]) == (_MESSAGE["id"], "commentary")
        assert message["content"][0]["text"] == "Looking now."

    @pytest.mark.parametrize("change", ["other model", "no follower", "no encrypted content"])
    def test_a_reasoning_item_that_the_server_would_refuse_is_left_out(self, change: str) -> None:
        item = reasoning_item("rs_9", "Hm.")
        if change == "no encrypted content":
            item["encrypted_content"] = None
        model = "other" if change == "other model" else self.model
        text = "" if change == "no follower" else "Said."
        answer = self._answered(item, ScriptedAnswer(text or "Said."), model=model)
        if not text:
            answer = AssistantMessage(answer.parts[:1], answer.stop, answer.provider, answer.model)
        [body] = self._bodies_for(sample_request(self.model, UserMessage("Go."), answer, UserMessage("On.")))
        assert [one["type"] for one in body["input"] if one["type"] != "message"] == []
        assert len(body["input"]) == (3 if text else 2)

    @pytest.mark.parametrize(
        "message",
        [
            "The encrypted content gAAA... could not be verified. Reason: Encrypted content could not be decrypted.",
            "Item 'rs_9' of type 'reasoning' was provided without its required following item.",
        ],
    )
    def test_refused_reasoning_costs_the_reasoning_and_not_the_session(self, message: str) -> None:
        answer = self._answered(reasoning_item("rs_9", "Hm."), ScriptedAnswer(calls=(ScriptedCall("Bash", "{}", "c"),)))
        replies = (self.refusal(400, message), self.wire(ScriptedAnswer("ok")))
        pieces, bodies = self.played(*replies, request=self._after(answer))
        kinds = [[one["type"] for one in body["input"][1:3]] for body in bodies]
        assert kinds == [["reasoning", "function_call"], ["function_call", "function_call_output"]]
        assert text_of(pieces) == "ok"

    def _answered(
        self, item: Record, answer: ScriptedAnswer, *, phase: str | None = None, model: str = ""
    ) -> AssistantMessage:
        """The message that the loop makes of an answer that begins with this reasoning item."""
        records = list(self.records(answer))
        for one in records:
            if "output_index" in one:
                one["output_index"] += 1
            if phase and one.get("item", {}).get("type") == "message":
                one["item"]["phase"] = phase
        started = {**item, "summary": []}
        first = [
            {"type": "response.output_item.added", "output_index": 0, "item": started},
            {"type": "response.output_item.done", "output_index": 0, "item": item},
        ]
        return self._message_of(_stream([*first, *records[1:]]), model)


_MESSAGE: Record = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed"}


def reasoning_item(item_id: str, summary: str) -> Record:
    """A reasoning item as the server gives it."""
    parts = [{"type": "summary_text", "text": summary}] if summary else []
    return {"type": "reasoning", "id": item_id, "summary": parts, "encrypted_content": "gAAAAB+/="}


def _response(status: str, output: list[Record] | None = None, usage: Usage | None = None) -> Record:
    counts = usage and {
        "input_tokens": usage.input + usage.cache_read,
        "input_tokens_details": {"cached_tokens": usage.cache_read, "cache_write_tokens": 0},
        "output_tokens": usage.output,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": usage.input + usage.cache_read + usage.output,
    }
    return {
        "id": "resp_1", "object": "response", "created_at": 1, "model": "m", "status": status, "output": output or [],
        "parallel_tool_calls": True, "tool_choice": "auto", "tools": [], "error": None, "usage": counts or None,
    }  # fmt: skip


def _events(records: Iterator[Record] | list[Record]) -> list[str]:
    return [
        f"event: {one['type']}\ndata: {json.dumps({**one, 'sequence_number': number}, ensure_ascii=False)}"
        for number, one in enumerate(records)
    ]


def _stream(records: list[Record]) -> WireReply:
    return WireReply((Send("".join(f"{event}\n\n" for event in _events(records)).encode()),))
