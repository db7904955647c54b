"""The provider contract in OpenRouter's dialect, and what is peculiar to it."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import attrs
import pytest
from openai.types.chat.completion_create_params import CompletionCreateParamsStreaming
from pydantic import TypeAdapter

from aries_kernel.contracts.provider import Provider, ProviderContext
from aries_kernel.errors import AriesError, Overloaded, QuotaExhausted, RateLimited, RequestRefused
from aries_kernel.model.messages import UserMessage
from aries_kernel.model.stream import UsageReport
from aries_kernel.model.usage import Price, Usage
from aries_kernel.testing.chat_suite import ChatSuite
from aries_kernel.testing.provider_script import ScriptedAnswer, ScriptedCall, sample_request
from aries_kernel.testing.vendor_types import assert_fits
from aries_kernel.testing.wire_server import Send, WireReply, WireServer
from aries_provider_openrouter.provider import OpenRouterProvider, Options

REQUEST: TypeAdapter[Any] = TypeAdapter(CompletionCreateParamsStreaming)
DETAILS = [{"type": "reasoning.encrypted", "data": "ZGF0YQ==", "id": "r1", "format": "x-v1", "index": 0}]


class TestOpenRouter(ChatSuite):
    model = "moonshotai/kimi-k3"
    provider_name = "openrouter"
    reasoning_field = "reasoning"

    def provider_at(self, url: str, key: str, idle_seconds: float) -> Provider:
        options = Options(base_url=url, idle_seconds=idle_seconds)
        return OpenRouterProvider(ProviderContext(options, {"OPENROUTER_API_KEY": key}, Path()))

    def events(self, answer: ScriptedAnswer) -> list[str]:
        return [f": OPENROUTER PROCESSING\n{event}" for event in super().events(answer)]

    def check_body(self, body: Any) -> None:
        """The vendor publishes no types; without its own fields a body is one of OpenAI's."""
        own = ("reasoning", "reasoning_details")
        rest = {name: value for name, value in json.loads(json.dumps(body)).items() if name not in own}
        for message in rest["messages"]:
            for name in own:
                message.pop(name, None)
            for part in message["content"] if isinstance(message["content"], list) else ():
                part.pop("cache_control", None)
        for tool in rest["tools"]:
            tool.pop("cache_control", None)
        assert_fits(rest, REQUEST.validate_python)

    @pytest.mark.parametrize(("effort", "word"), [("low", "low"), ("high", "high"), ("max", "xhigh")])
    def test_an_effort_is_asked_for_under_reasoning(self, effort: str, word: str) -> None:
        [body] = self._bodies_for(attrs.evolve(sample_request(self.model), effort=effort))
        assert body["reasoning"] == {"effort": word}

    def test_details_of_reasoning_go_back_unchanged(self) -> None:
        call = ScriptedCall("Bash", "{}", "c")
        records = list(self.records(ScriptedAnswer(reasoning="Hm.", calls=(call,))))
        records.insert(2, self.chunk({"reasoning_details": DETAILS}))
        [body] = self._bodies_for(self._after(self._message_of(self._stream(records))))
        assert body["messages"][2]["reasoning_details"] == DETAILS

    @pytest.mark.parametrize(("model", "is_marked"), [("anthropic/claude-opus-5", True), ("openai/gpt-5", False)])
    def test_cache_marks_are_for_models_that_want_them(self, model: str, is_marked: bool) -> None:
        [body] = self._bodies_for(sample_request(model, UserMessage("Go.")))
        assert ("cache_control" in json.dumps(body)) is is_marked

    def test_what_an_answer_cost_is_told_and_stored_tokens_are_not_counted_as_read(self) -> None:
        counts = {
            "prompt_tokens": 100, "completion_tokens": 5, "cost": 0.00125,
            "prompt_tokens_details": {"cached_tokens": 60, "cache_write_tokens": 20},
        }  # fmt: skip
        records = [*self.records(ScriptedAnswer("Hi.")), self.chunk({}) | {"choices": [], "usage": counts}]
        pieces, _ = self.played(self._stream(records))
        [report] = [piece for piece in pieces if isinstance(piece, UsageReport)]
        assert report == UsageReport(Usage(input=40, cache_read=40, cache_write=20, output=5), 0.00125)

    @pytest.mark.parametrize(
        ("code", "message", "error"),
        [
            (402, "This request requires more credits", QuotaExhausted),
            (403, "Your input was flagged by moderation", RequestRefused),
            (408, "Request timed out", Overloaded),
            (429, "Rate limited upstream", RateLimited),
            (502, "Provider returned error", Overloaded),
            (503, "No available model provider that meets your routing requirements", Overloaded),
        ],
    )
    def test_a_fault_has_the_same_class_before_and_inside_an_answer(
        self, code: int, message: str, error: type[AriesError]
    ) -> None:
        record = {"error": {"code": code, "message": message, "metadata": {"provider_name": "x"}}}
        before = WireReply((Send(json.dumps(record).encode()),), code, framing="length")
        assert type(self._raised(before)) is error
        failed = self.chunk({"content": ""}, "error") | record
        assert type(self._raised(self._stream([*self.records(ScriptedAnswer("x", stop=None)), failed]))) is error

    def test_the_list_of_models_tells_windows_prices_and_abilities(self) -> None:
        listed = {
            "data": [
                {
                    "id": "new/model", "context_length": 32000, "top_provider": {"max_completion_tokens": 4000},
                    "pricing": {"prompt": "0.000002", "completion": "0.00001", "input_cache_read": "0.0000002"},
                    "supported_parameters": ["tools", "reasoning"], "architecture": {"input_modalities": ["text"]},
                },
                {"id": "openrouter/auto", "pricing": {"prompt": "-1", "completion": "-1"}},
            ]
        }  # fmt: skip

        async def work() -> list[Any]:
            async with WireServer([WireReply((Send(json.dumps(listed).encode()),), framing="length")]) as server:
                provider = OpenRouterProvider(ProviderContext(Options(base_url=server.url), {}, Path()))
                try:
                    return list(await provider.list_models())
                finally:
                    await provider.close()

        new, auto = asyncio.run(asyncio.wait_for(work(), 60))
        assert (new.context_window, new.max_output, new.has_tools, new.has_images, new.has_reasoning) == (
            32000, 4000, True, False, True,
        )  # fmt: skip
        assert new.price == Price(2.0, 10.0, 0.2)
        assert (auto.name, auto.price) == ("openrouter/auto", None)
