"""The provider contract, in several dialects of Chat Completions."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from openai.types.chat import ChatCompletionChunk
from openai.types.chat.completion_create_params import CompletionCreateParamsStreaming
from pydantic import TypeAdapter

from aries_kernel.contracts.provider import Provider, ProviderContext
from aries_kernel.model.messages import StopReason
from aries_kernel.testing.chat_suite import ChatSuite
from aries_kernel.testing.provider_script import ScriptedAnswer, ScriptedCall
from aries_kernel.testing.vendor_types import assert_fits
from aries_kernel.testing.wire_server import Send, WireReply
from aries_provider_openai.provider import OpenAIProvider, Options

REQUEST: TypeAdapter[Any] = TypeAdapter(CompletionCreateParamsStreaming)
WORDS = {StopReason.END: "stop", StopReason.LENGTH: "length", StopReason.FILTERED: "content_filter"}


class TestOpenAI(ChatSuite):
    model = "gpt-5-mini"
    provider_name = "openai"

    def provider_at(self, url: str, key: str, idle_seconds: float) -> Provider:
        options = Options(base_url=url, idle_seconds=idle_seconds)
        return OpenAIProvider(ProviderContext(options, {"OPENAI_API_KEY": key}, Path()))

    def check_body(self, body: Any) -> None:
        for message in body["messages"]:
            message.pop("reasoning_content", None)  # Other servers' field, which the vendor's types do not know.
        assert_fits(body, REQUEST.validate_python)

    def check_event(self, record: Any) -> None:
        ChatCompletionChunk.model_validate(record)


class TestOllamaStyle(TestOpenAI):
    """Each call whole, under the index 0."""

    def call_deltas(self, index: int, call: ScriptedCall) -> Iterator[dict[str, Any]]:
        del index
        function = {"name": call.name, "arguments": call.arguments}
        yield {"index": 0, "function": function} | ({"id": call.wire_id} if call.wire_id else {})

    def events(self, answer: ScriptedAnswer) -> list[str]:
        return [f": keep\n{event}" for event in super().events(answer)]


class TestLlamaCppPythonStyle(TestOpenAI):
    """Id and name in each delta, and the whole once more in the old field."""

    def chunk(self, delta: dict[str, Any], word: str | None = None) -> dict[str, Any]:
        calls = delta.get("tool_calls")
        if isinstance(calls, list) and "function_call" not in delta:
            delta = {**delta, "function_call": calls[0]["function"]}
        return super().chunk(delta, word)

    def call_deltas(self, index: int, call: ScriptedCall) -> Iterator[dict[str, Any]]:
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
        choice = {"index": 0, "message": message, "finish_reason": WORDS[answer.stop]}
        record: dict[str, object] = {"choices": [choice]}
        if answer.usage is not None:
            record["usage"] = self.counts(answer.usage)
        body = json.dumps(record, indent=2).encode()
        return WireReply((Send(body),), headers={"content-type": "application/json"}, framing="length")
