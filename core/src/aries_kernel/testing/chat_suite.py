"""Chat Completions as a wire format, and the streams of it that cannot be trusted."""

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
    EmptyAnswer,
    Overloaded,
    QuotaExhausted,
    RateLimited,
    RequestRefused,
)
from aries_kernel.model.messages import (
    AssistantMessage,
    Reasoning,
    StopReason,
)
from aries_kernel.model.stream import Stopped, UsageReport
from aries_kernel.model.usage import Usage
from aries_kernel.testing.bad_server_suite import WireSuite, text_of
from aries_kernel.testing.provider_script import ScriptedAnswer, ScriptedCall, joined_calls
from aries_kernel.testing.wire_server import Send, WireReply

__all__ = ["ChatSuite"]

_WORDS = {StopReason.END: "stop", StopReason.LENGTH: "length", StopReason.FILTERED: "content_filter"}
_CODES = {
    401: "invalid_api_key", 402: "insufficient_quota", 429: "rate_limit_exceeded", 500: "server_error",
    503: "server_error",
}  # fmt: skip

Record = dict[str, Any]


class ChatSuite(WireSuite):
    """Subclasses say which provider and which model; class attributes say how its server writes."""

    operations: ClassVar[tuple[str, ...]] = ("/chat/completions",)
    reasoning_field: ClassVar[str] = "reasoning_content"
    """Where its server writes what the model thinks."""
    sends_reasoning_back: ClassVar[bool] = True

    def events(self, answer: ScriptedAnswer) -> list[str]:
        events = [f"data: {json.dumps(record, ensure_ascii=False)}" for record in self.records(answer)]
        return [*events, "data: [DONE]"] if answer.stop is not None else events

    def records(self, answer: ScriptedAnswer) -> Iterator[Record]:
        """The chunks of an answer as records."""
        yield self.chunk({"role": "assistant", "content": ""})
        for char in answer.reasoning:
            yield self.chunk({self.reasoning_field: char})
        for char in answer.text:
            yield self.chunk({"content": char})
        for index, call in enumerate(answer.calls):
            for piece in self.call_deltas(index, call):
                yield self.chunk({"tool_calls": [piece]})
        if answer.stop is not None:
            word = "tool_calls" if answer.calls and answer.stop is StopReason.END else _WORDS[answer.stop]
            yield self.chunk({}, word)
            if answer.usage is not None:
                yield self.usage_chunk(answer.usage)

    def chunk(self, delta: Record, word: str | None = None) -> Record:
        """One chunk."""
        choice = {"index": 0, "delta": delta, "finish_reason": word}
        head = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
        return head | {"choices": [choice]}

    def usage_chunk(self, usage: Usage) -> Record:
        """The chunk after the last word; some servers write the counts elsewhere."""
        return self.chunk({}) | {"choices": [], "usage": self.counts(usage)}

    def counts(self, usage: Usage) -> Record:
        """The counts themselves."""
        return {
            "prompt_tokens": usage.input + usage.cache_read,
            "completion_tokens": usage.output,
            "total_tokens": usage.input + usage.cache_read + usage.output,
            "prompt_tokens_details": {"cached_tokens": usage.cache_read},
        }

    def call_deltas(self, index: int, call: ScriptedCall) -> Iterator[Record]:
        """The pieces of one call."""
        function = {"name": call.name, "arguments": ""}
        yield {"index": index, "id": call.wire_id, "type": "function", "function": function}
        for start in range(0, len(call.arguments), 5):
            yield {"index": index, "function": {"arguments": call.arguments[start : start + 5]}}

    def faults(self) -> Mapping[type[AriesError], tuple[int, str]]:
        return {
            AuthRefused: (401, "Incorrect API key provided"),
            ContextOverflow: (400, "This model's maximum context length is 10 tokens."),
            Overloaded: (503, "The engine is currently overloaded"),
            QuotaExhausted: (402, "Insufficient balance: insufficient_quota"),
            RateLimited: (429, "Rate limit reached for requests"),
            RequestRefused: (400, "Invalid value for 'temperature'"),
        }

    def fault_record(self, status: int, message: str) -> object:
        code = _CODES.get(status)
        return {"error": {"message": message, "type": code or "invalid_request_error", "param": None, "code": code}}

    def fault_event(self, status: int, message: str) -> str:
        return f"data: {json.dumps(self.fault_record(status, message))}"

    def tool_names(self, body: Any) -> list[str]:
        return [tool["function"]["name"] for tool in body["tools"]]

    def tool_refusal(self, place: int, name: str) -> object:
        message = f"Invalid schema for function '{name}': schema must be a JSON Schema of 'type: \"object\"'."
        error = {"message": message, "type": "invalid_request_error", "code": "invalid_function_parameters"}
        return {"error": error | {"param": f"tools[{place}].function.parameters"}}

    def call_ids(self, body: Any) -> list[str]:
        return [call["id"] for message in body["messages"] for call in message.get("tool_calls", ())]

    def result_ids(self, body: Any) -> list[str]:
        return [message["tool_call_id"] for message in body["messages"] if message["role"] == "tool"]

    @pytest.mark.parametrize("place", ["own chunk", "last chunk", "choice", "after nulls", "twice"])
    def test_counts_are_found_wherever_a_server_writes_them(self, place: str) -> None:
        usage = Usage(input=70, cache_read=30, output=12)
        records = list(self.records(ScriptedAnswer("Hi.")))
        last = records[-1]
        match place:
            case "last chunk":
                last["usage"] = self.counts(usage)
            case "choice":
                last["choices"][0]["usage"] = self.counts(usage)
            case "after nulls":
                records = [one | {"usage": None} for one in records]
        if place in ("own chunk", "after nulls", "twice"):
            records += [self.chunk({}) | {"choices": [], "usage": self.counts(usage)}] * (1 + (place == "twice"))
        pieces, _ = self.played(self._stream(records))
        assert [piece.usage for piece in pieces if isinstance(piece, UsageReport)] == [usage]

    @pytest.mark.parametrize("style", ["whole, all under index 0", "whole, no index", "id in each piece", "old field"])
    def test_calls_are_read_in_every_style(self, style: str) -> None:
        raws = ('{"command":"a"}',) if style == "old field" else ('{"command":"a"}', '{"command":"b"}')
        deltas: list[Record] = []
        for place, raw in enumerate(raws):
            whole = {"name": "Bash", "arguments": raw}
            match style:
                case "whole, all under index 0":
                    deltas.append({"tool_calls": [{"index": 0, "function": whole}]})
                case "whole, no index":
                    deltas.append({"tool_calls": [{"id": f"c{place}", "function": whole}]})
                case "id in each piece":
                    for start in range(0, len(raw), 4):
                        piece = {"name": "Bash", "arguments": raw[start : start + 4]}
                        deltas.append({"tool_calls": [{"index": place, "id": f"c{place}", "function": piece}]})
                case _:
                    deltas += [{"function_call": {"name": "Bash"}}, {"function_call": {"arguments": raw}}]
        records = [*map(self.chunk, deltas), self.chunk({}, "tool_calls")]
        pieces, _ = self.played(self._stream(records))
        assert [raw for _, raw, _ in joined_calls(pieces)] == list(raws)

    @pytest.mark.parametrize("word", ["stop", "tool_calls", "function_call", "end_turn", "eos"])
    def test_calls_count_whatever_the_word_for_the_stop(self, word: str) -> None:
        records = list(self.records(ScriptedAnswer(calls=(ScriptedCall("Bash", "{}", "c"),))))
        pieces, _ = self.played(self._stream([*records[:-1], self.chunk({}, word)]))
        assert isinstance(pieces[-1], Stopped) and pieces[-1].reason is StopReason.END
        assert len(joined_calls(pieces)) == 1

    def test_an_answer_that_is_not_streamed_is_read_all_the_same(self) -> None:
        call = {"id": "c", "type": "function", "function": {"name": "Bash", "arguments": "{}"}}
        message = {"role": "assistant", "content": "Hi.", "tool_calls": [call]}
        record = {"choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}]}
        pieces, _ = self.played(WireReply((Send(json.dumps(record, indent=1).encode()),), framing="length"))
        assert (text_of(pieces), joined_calls(pieces)) == ("Hi.", [("Bash", "{}", "c")])

    def test_done_without_a_reason_is_no_end(self) -> None:
        records = list(self.records(ScriptedAnswer("All d", stop=None)))
        events = [*(f"data: {json.dumps(one)}" for one in records), "data: [DONE]"]
        reply = WireReply((Send("".join(f"{event}\n\n" for event in events).encode()),))
        assert "broke off" in str(self._raised(reply))

    def test_json_that_the_server_found_invalid_is_asked_for_again(self) -> None:
        error = {
            "message": "Failed to call a function. Please adjust your prompt.", "type": "invalid_request_error",
            "code": "tool_use_failed", "failed_generation": '<function=Bash>{"command": </function>',
        }  # fmt: skip
        raised = self._raised(WireReply((Send(json.dumps({"error": error}).encode()),), 400, framing="length"))
        assert isinstance(raised, EmptyAnswer) and "<function=Bash>" in str(raised)

    def test_reasoning_goes_back_to_the_model_that_thought_it(self) -> None:
        answer = self._message_of(
            self.wire(ScriptedAnswer(reasoning="Gründe 👋", calls=(ScriptedCall("Bash", "{}", "c"),)))
        )
        [own, foreign] = self._bodies_for(
            self._after(answer), self._after(attrs.evolve(answer, parts=self._foreign(answer)))
        )
        sent = next(message for message in own["messages"] if message["role"] == "assistant")
        assert sent.get(self.reasoning_field) == ("Gründe 👋" if self.sends_reasoning_back else None)
        other = next(message for message in foreign["messages"] if message["role"] == "assistant")
        assert not other.get(self.reasoning_field)

    def _foreign(self, answer: AssistantMessage) -> tuple[Any, ...]:
        thought, *rest = answer.parts
        assert isinstance(thought, Reasoning)
        return (attrs.evolve(thought, model="other"), *rest)

    def _stream(self, records: list[Record]) -> WireReply:
        events = [*(f"data: {json.dumps(one)}" for one in records), "data: [DONE]"]
        return WireReply((Send("".join(f"{event}\n\n" for event in events).encode()),))
