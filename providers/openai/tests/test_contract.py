"""The provider contract, in several dialects of the one wire format."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from aries_kernel.contracts.provider import Provider, ProviderContext
from aries_kernel.errors import AuthRefused, ContextOverflow, Overloaded, QuotaExhausted, RateLimited, RequestRefused
from aries_kernel.model.messages import StopReason
from aries_kernel.model.usage import Usage
from aries_kernel.testing.provider_suite import HttpProviderSuite, ScriptedAnswer, ScriptedCall, ScriptedFault
from aries_kernel.testing.wire_server import Send, Stall, Step, WireReply
from aries_provider_openai.provider import OpenAIProvider, Options

_WORDS = {StopReason.END: "stop", StopReason.LENGTH: "length", StopReason.FILTERED: "content_filter"}
_FAULTS: dict[type[Exception], tuple[int, str, str]] = {
    AuthRefused: (401, "invalid_api_key", "Incorrect API key provided"),
    ContextOverflow: (400, "context_length_exceeded", "This model's maximum context length is 10 tokens."),
    Overloaded: (503, "server_error", "The engine is currently overloaded"),
    QuotaExhausted: (429, "insufficient_quota", "You exceeded your current quota"),
    RateLimited: (429, "rate_limit_exceeded", "Rate limit reached for requests"),
    RequestRefused: (400, "invalid_request_error", "Invalid value for 'temperature'"),
}


def error_record(fault: ScriptedFault) -> dict[str, object]:
    status, code, message = _FAULTS[fault.error]
    del status
    return {"error": {"message": message, "type": code, "code": code, "param": None}}


def usage_record(usage: Usage) -> dict[str, object]:
    return {
        "prompt_tokens": usage.input + usage.cache_read,
        "completion_tokens": usage.output,
        "prompt_tokens_details": {"cached_tokens": usage.cache_read},
    }


class TestOpenAI(HttpProviderSuite):
    model = "gpt-5-mini"

    def provider_at(self, url: str, key: str, idle_seconds: float) -> Provider:
        options = Options(base_url=url, idle_seconds=idle_seconds)
        return OpenAIProvider(ProviderContext(options, {"OPENAI_API_KEY": key}, Path()))

    def wire(self, answer: ScriptedAnswer) -> WireReply:
        fault = answer.fault
        if fault is not None and not fault.in_answer:
            headers = {"content-type": "application/json"}
            if fault.after is not None:
                headers["retry-after"] = str(fault.after)
            body = json.dumps(error_record(fault)).encode()
            return WireReply((Send(body),), status=_FAULTS[fault.error][0], headers=headers)
        steps: list[Step] = [Send(self.event(record)) for record in self.records(answer)]
        if answer.stalls:
            return WireReply((*steps[: 1 + bool(answer.text)], Stall()))
        if answer.stop is not None and fault is None:
            steps.append(Send(b"data: [DONE]\n\n"))
        return WireReply(tuple(steps))

    def event(self, record: object) -> bytes:
        return f"data: {json.dumps(record)}\n\n".encode()

    def records(self, answer: ScriptedAnswer) -> Iterator[dict[str, object]]:
        yield self.delta({"role": "assistant", "content": ""})
        for word in answer.reasoning.split(" ") if answer.reasoning else ():
            yield self.delta({"reasoning_content": word if word == answer.reasoning.split(" ")[0] else f" {word}"})
        for char in answer.text:
            yield self.delta({"content": char})
        for index, call in enumerate(answer.calls):
            for piece in self.call_deltas(index, call):
                yield self.delta({"tool_calls": [piece]})
        if answer.fault is not None:
            yield error_record(answer.fault)
            return
        if answer.stop is not None:
            word = "tool_calls" if answer.calls and answer.stop is StopReason.END else _WORDS[answer.stop]
            yield {"choices": [{"index": 0, "delta": {}, "finish_reason": word}], "usage": None}
        if answer.usage is not None:
            yield {"choices": [], "usage": usage_record(answer.usage)}

    def delta(self, delta: dict[str, object]) -> dict[str, object]:
        return {"id": "x", "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}

    def call_deltas(self, index: int, call: ScriptedCall) -> Iterator[dict[str, object]]:
        yield {
            "index": index,
            "id": call.wire_id,
            "type": "function",
            "function": {"name": call.name, "arguments": ""},
        }
        for start in range(0, len(call.arguments), 5):
            yield {"index": index, "function": {"arguments": call.arguments[start : start + 5]}}


class TestOllamaStyle(TestOpenAI):
    """Each call whole, under the index 0."""

    def call_deltas(self, index: int, call: ScriptedCall) -> Iterator[dict[str, object]]:
        del index
        function = {"name": call.name, "arguments": call.arguments}
        yield {"index": 0, "function": function} | ({"id": call.wire_id} if call.wire_id else {})

    def event(self, record: object) -> bytes:
        return f": keep\r\ndata:{json.dumps(record, ensure_ascii=False)}\r\n\r\n".encode()


class TestLlamaCppPythonStyle(TestOpenAI):
    """Id and name in each delta, and the whole once more in the old field."""

    def delta(self, delta: dict[str, object]) -> dict[str, object]:
        calls = delta.get("tool_calls")
        if isinstance(calls, list):
            delta = {**delta, "function_call": calls[0]["function"]}
        return super().delta(delta)

    def call_deltas(self, index: int, call: ScriptedCall) -> Iterator[dict[str, object]]:
        for start in range(0, len(call.arguments), 3):
            function = {"name": call.name, "arguments": call.arguments[start : start + 3]}
            yield {"index": index, "id": call.wire_id, "type": "function", "function": function}


class TestWholeAnswer(TestOpenAI):
    """Servers that answer plain JSON although a stream was asked for."""

    def wire(self, answer: ScriptedAnswer) -> WireReply:
        if answer.stalls or answer.fault is not None or answer.stop is None:
            return super().wire(answer)
        calls = [
            {"id": call.wire_id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in answer.calls
        ]
        message = {"content": answer.text or None, "reasoning_content": answer.reasoning or None, "tool_calls": calls}
        record: dict[str, object] = {
            "choices": [{"index": 0, "message": message, "finish_reason": _WORDS[answer.stop]}]
        }
        if answer.usage is not None:
            record["usage"] = usage_record(answer.usage)
        body = json.dumps(record, indent=2).encode()
        return WireReply((Send(body),), headers={"content-type": "application/json"}, framing="length")
