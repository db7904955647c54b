"""The provider contract and the streams that cannot be trusted, in Ollama's dialects."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ollama import ChatResponse
from ollama._types import ChatRequest

from aries_kernel.contracts.provider import Provider, ProviderContext
from aries_kernel.errors import (
    AriesError,
    AuthRefused,
    ContextOverflow,
    Overloaded,
    QuotaExhausted,
    RateLimited,
    RequestRefused,
)
from aries_kernel.model.messages import StopReason
from aries_kernel.testing.bad_server_suite import WireSuite
from aries_kernel.testing.provider_script import ScriptedAnswer, ScriptedCall
from aries_kernel.testing.wire_server import Send, WireReply
from aries_provider_http.options import ModelOptions
from aries_provider_ollama.provider import OllamaProvider, Options

_WORDS = {StopReason.END: "stop", StopReason.LENGTH: "length", StopReason.FILTERED: "content_filter"}

Record = dict[str, Any]


class TestOllama(WireSuite):
    model = "qwen3:8b"
    provider_name = "ollama"
    operations = ("/api/chat",)

    def provider_at(self, url: str, key: str, idle_seconds: float) -> Provider:
        models = {self.model: ModelOptions(has_images=True)}
        options = Options(base_url=url, idle_seconds=idle_seconds, models=models)
        return OllamaProvider(ProviderContext(options, {"OLLAMA_API_KEY": key}, Path()))

    def events(self, answer: ScriptedAnswer) -> list[str]:
        records = list(self.records(answer))
        for record in records:
            if all(isinstance(call["function"]["arguments"], dict) for call in _calls(record)):
                ChatResponse.model_validate(record)
        return [self.line(record) for record in records]

    def line(self, record: Record) -> str:
        return json.dumps(record, ensure_ascii=False)

    def records(self, answer: ScriptedAnswer) -> Iterator[Record]:
        if answer.reasoning:
            yield self.message(thinking=answer.reasoning)
        for char in answer.text:
            yield self.message(content=char)
        yield from self.call_records(answer.calls)
        if answer.stop is not None:
            counts: Record = {}
            if answer.usage is not None:
                counts = {
                    "prompt_eval_count": answer.usage.prompt,
                    "prompt_eval_cached_count": answer.usage.cache_read,
                    "eval_count": answer.usage.output,
                }
            yield {**self.message(content=""), "done": True, "done_reason": _WORDS[answer.stop], **counts}

    def call_records(self, calls: tuple[ScriptedCall, ...]) -> Iterator[Record]:
        for index, call in enumerate(calls):
            yield self.message(content="", tool_calls=[self.call(index, call)])

    def call(self, index: int, call: ScriptedCall) -> Record:
        try:
            arguments: object = json.loads(call.arguments)
        except ValueError:
            arguments = call.arguments  # What is no object can only be a text.
        function = {"index": index, "name": call.name, "arguments": arguments}
        return {"function": function} | ({"id": call.wire_id} if call.wire_id else {})

    def message(self, **parts: object) -> Record:
        return {"model": self.model, "message": {"role": "assistant", "content": "", **parts}, "done": False}

    def faults(self) -> Mapping[type[AriesError], tuple[int, str]]:
        return {
            AuthRefused: (401, "unauthorized"),
            ContextOverflow: (400, "the input length exceeds the context length"),
            Overloaded: (503, "server busy, please try again. maximum pending requests exceeded"),
            QuotaExhausted: (402, "payment required"),
            RateLimited: (429, "too many requests"),
            RequestRefused: (400, "invalid options"),
        }

    def fault_record(self, status: int, message: str) -> object:
        return {"error": message}

    def fault_event(self, status: int, message: str) -> str:
        return json.dumps(self.fault_record(status, message))

    def tool_names(self, body: Any) -> list[str]:
        return [tool["function"]["name"] for tool in body["tools"]]

    def tool_refusal(self, place: int, name: str) -> object:
        return {"error": f"invalid tool: schema of function '{name}' cannot be converted to a grammar"}

    def call_ids(self, body: Any) -> list[str]:
        return [call["id"] for message in body["messages"] for call in message.get("tool_calls", ())]

    def result_ids(self, body: Any) -> list[str]:
        return [message["tool_call_id"] for message in body["messages"] if message["role"] == "tool"]

    def check_body(self, body: Any) -> None:
        ChatRequest.model_validate(body)

    def test_a_window_that_is_full_before_the_first_word_is_too_long_a_conversation(self) -> None:
        record = {**self.message(), "done": True, "done_reason": "length", "prompt_eval_count": 4096}
        raised = self._raised(WireReply((Send(self.line(record).encode()),)))
        assert type(raised) is ContextOverflow


class TestOlderOllama(TestOllama):
    """All calls in one record, each with the index 0, and only ASCII."""

    def call_records(self, calls: tuple[ScriptedCall, ...]) -> Iterator[Record]:
        if calls:
            yield self.message(tool_calls=[self.call(0, call) for call in calls])

    def line(self, record: Record) -> str:
        return json.dumps(record)


class TestOllamaBehindARelay(TestOllama):
    """The same records as events."""

    def line(self, record: Record) -> str:
        return f"data: {json.dumps(record)}"


def _calls(record: Record) -> list[Any]:
    return list(record["message"].get("tool_calls", ()))
