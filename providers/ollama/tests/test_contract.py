"""The provider contract, in Ollama's dialects."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from aries_kernel.contracts.provider import Provider, ProviderContext
from aries_kernel.errors import AuthRefused, ContextOverflow, Overloaded, QuotaExhausted, RateLimited, RequestRefused
from aries_kernel.model.messages import StopReason
from aries_kernel.testing.provider_suite import HttpProviderSuite, ScriptedAnswer, ScriptedCall
from aries_kernel.testing.wire_server import Send, Stall, Step, WireReply
from aries_provider_ollama.provider import OllamaProvider, Options

_WORDS = {StopReason.END: "stop", StopReason.LENGTH: "length", StopReason.FILTERED: "content_filter"}
_FAULTS: dict[type[Exception], tuple[int, str]] = {
    AuthRefused: (401, "unauthorized"),
    ContextOverflow: (400, "the input length exceeds the context length"),
    Overloaded: (503, "server busy, please try again. maximum pending requests exceeded"),
    QuotaExhausted: (402, "payment required"),
    RateLimited: (429, "too many requests"),
    RequestRefused: (400, "invalid options"),
}


class TestOllama(HttpProviderSuite):
    model = "qwen3:8b"

    def provider_at(self, url: str, key: str, idle_seconds: float) -> Provider:
        options = Options(base_url=url, idle_seconds=idle_seconds)
        return OllamaProvider(ProviderContext(options, {"OLLAMA_API_KEY": key}, Path()))

    def wire(self, answer: ScriptedAnswer) -> WireReply:
        fault = answer.fault
        headers = {"content-type": "application/x-ndjson"}
        if fault is not None and not fault.in_answer:
            if fault.after is not None:
                headers["retry-after"] = str(fault.after)
            status, message = _FAULTS[fault.error]
            return WireReply((Send(json.dumps({"error": message}).encode()),), status=status, headers=headers)
        steps: list[Step] = [Send(self.line(record)) for record in self.records(answer)]
        if answer.stalls:
            return WireReply((*steps[:1], Stall()), headers=headers)
        return WireReply(tuple(steps), headers=headers)

    def line(self, record: dict[str, object]) -> bytes:
        return json.dumps(record, ensure_ascii=False).encode() + b"\n"

    def records(self, answer: ScriptedAnswer) -> Iterator[dict[str, object]]:
        if answer.reasoning:
            yield self.message(thinking=answer.reasoning)
        for char in answer.text:
            yield self.message(content=char)
        yield from self.call_records(answer.calls)
        if answer.fault is not None:
            yield {"error": _FAULTS[answer.fault.error][1]}
        elif answer.stop is not None:
            counts: dict[str, object] = {}
            if answer.usage is not None:
                counts = {
                    "prompt_eval_count": answer.usage.prompt,
                    "prompt_eval_cached_count": answer.usage.cache_read,
                    "eval_count": answer.usage.output,
                }
            yield {**self.message(content=""), "done": True, "done_reason": _WORDS[answer.stop], **counts}

    def call_records(self, calls: tuple[ScriptedCall, ...]) -> Iterator[dict[str, object]]:
        for index, call in enumerate(calls):
            yield self.message(content="", tool_calls=[self.call(index, call)])

    def call(self, index: int, call: ScriptedCall) -> dict[str, object]:
        try:
            arguments: object = json.loads(call.arguments)
        except ValueError:
            arguments = call.arguments  # What is no object can only be a text.
        function = {"index": index, "name": call.name, "arguments": arguments}
        return {"function": function} | ({"id": call.wire_id} if call.wire_id else {})

    def message(self, **parts: object) -> dict[str, object]:
        return {"model": self.model, "message": {"role": "assistant", "content": "", **parts}, "done": False}


class TestOlderOllama(TestOllama):
    """All calls in one record, each with the index 0, Windows line ends, ASCII."""

    def call_records(self, calls: tuple[ScriptedCall, ...]) -> Iterator[dict[str, object]]:
        if calls:
            yield self.message(tool_calls=[self.call(0, call) for call in calls])

    def line(self, record: dict[str, object]) -> bytes:
        return json.dumps(record).encode() + b"\r\n"
