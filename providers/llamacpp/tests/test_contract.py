"""The provider contract, as llama.cpp's server speaks it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from aries_kernel.contracts.provider import Provider, ProviderContext
from aries_kernel.errors import AuthRefused, ContextOverflow, Overloaded, QuotaExhausted, RateLimited, RequestRefused
from aries_kernel.model.messages import StopReason
from aries_kernel.testing.provider_suite import HttpProviderSuite, ScriptedAnswer
from aries_kernel.testing.wire_server import Send, Stall, Step, WireReply
from aries_provider_llamacpp.provider import LlamaCppProvider, Options

_WORDS = {StopReason.END: "stop", StopReason.LENGTH: "length", StopReason.FILTERED: "content_filter"}
_FAULTS: dict[type[Exception], tuple[int, str, str]] = {
    AuthRefused: (401, "authentication_error", "Invalid API Key"),
    ContextOverflow: (
        400,
        "exceed_context_size_error",
        "the request exceeds the available context size, try increasing it",
    ),
    Overloaded: (503, "unavailable_error", "Loading model"),
    QuotaExhausted: (402, "billing_error", "payment required"),
    RateLimited: (429, "rate_limit_error", "too many requests"),
    RequestRefused: (400, "invalid_request_error", "tools param requires --jinja flag"),
}


class TestLlamaCpp(HttpProviderSuite):
    model = "local"

    def provider_at(self, url: str, key: str, idle_seconds: float) -> Provider:
        options = Options(base_url=url, idle_seconds=idle_seconds)
        return LlamaCppProvider(ProviderContext(options, {"LLAMACPP_API_KEY": key}, Path()))

    def wire(self, answer: ScriptedAnswer) -> WireReply:
        fault = answer.fault
        if fault is not None and not fault.in_answer:
            headers = {"content-type": "application/json"}
            if fault.after is not None:
                headers["retry-after"] = str(fault.after)
            body = json.dumps(self.fault(fault.error)).encode()
            return WireReply((Send(body),), status=_FAULTS[fault.error][0], headers=headers)
        steps: list[Step] = [Send(self.event(record)) for record in self.records(answer)]
        if answer.stalls:
            return WireReply((*steps[:2], Stall()))
        if answer.stop is not None and fault is None:
            steps.append(Send(b"data: [DONE]\n\n"))
        return WireReply(tuple(steps))

    def fault(self, error: type[Exception]) -> dict[str, object]:
        status, kind, message = _FAULTS[error]
        return {"error": {"code": status, "message": message, "type": kind}}

    def event(self, record: object) -> bytes:
        return f"data: {json.dumps(record)}\n\n".encode()

    def records(self, answer: ScriptedAnswer) -> Iterator[dict[str, object]]:
        yield self.delta({"role": "assistant", "content": None})
        if answer.reasoning:
            yield self.delta({"reasoning_content": answer.reasoning})
        for char in answer.text:
            yield self.delta({"content": char})
        for index, call in enumerate(answer.calls):
            begun = {"name": call.name, "arguments": call.arguments[:3]}
            yield self.delta(
                {"tool_calls": [{"index": index, "id": call.wire_id, "type": "function", "function": begun}]}
            )
            yield self.delta({"tool_calls": [{"index": index, "function": {"arguments": call.arguments[3:]}}]})
        if answer.fault is not None:
            yield self.fault(answer.fault.error)
            return
        if answer.stop is not None:
            word = "tool_calls" if answer.calls and answer.stop is StopReason.END else _WORDS[answer.stop]
            yield {"choices": [{"index": 0, "delta": {}, "finish_reason": word}]}
        if answer.usage is not None:
            counts = {
                "prompt_tokens": answer.usage.prompt,
                "completion_tokens": answer.usage.output,
                "prompt_tokens_details": {"cached_tokens": answer.usage.cache_read},
            }
            yield {"choices": [], "usage": counts, "timings": {"prompt_n": 1, "predicted_per_second": 9.5}}

    def delta(self, delta: dict[str, object]) -> dict[str, object]:
        return {"id": "x", "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": delta}]}
