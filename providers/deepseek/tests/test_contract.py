"""The provider contract in DeepSeek's dialect, and what is peculiar to it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import attrs
import pytest
from openai.types.chat.completion_create_params import CompletionCreateParamsStreaming
from pydantic import TypeAdapter

from aries_kernel.contracts.provider import Provider, ProviderContext
from aries_kernel.model.messages import (
    AssistantMessage,
    ResultsMessage,
    ResultStatus,
    StopReason,
    ToolCall,
    ToolResult,
    UserMessage,
)
from aries_kernel.model.stream import UsageReport
from aries_kernel.model.usage import Usage
from aries_kernel.testing.chat_suite import ChatSuite
from aries_kernel.testing.provider_script import ScriptedAnswer, sample_request
from aries_kernel.testing.vendor_types import assert_fits
from aries_provider_deepseek.provider import DeepSeekProvider, Options

REQUEST: TypeAdapter[Any] = TypeAdapter(CompletionCreateParamsStreaming)


class TestDeepSeek(ChatSuite):
    model = "deepseek-v4-pro"
    provider_name = "deepseek"

    def provider_at(self, url: str, key: str, idle_seconds: float) -> Provider:
        options = Options(base_url=url, idle_seconds=idle_seconds)
        return DeepSeekProvider(ProviderContext(options, {"DEEPSEEK_API_KEY": key}, Path()))

    def check_body(self, body: Any) -> None:
        """The vendor publishes no types; without its own fields a body is one of OpenAI's."""
        effort = body.get("reasoning_effort")
        assert body.get("thinking", {"type": "enabled"}) == {"type": "enabled"}
        assert effort in (None, "low", "high", "max")
        messages = [{k: v for k, v in one.items() if k != "reasoning_content"} for one in body["messages"]]
        rest = {name: value for name, value in body.items() if name != "thinking"}
        assert_fits(rest | {"messages": messages}, REQUEST.validate_python)

    @pytest.mark.parametrize(
        ("model", "effort", "word"),
        [
            ("deepseek-v4-flash", "low", "low"), ("deepseek-v4-flash", "medium", "high"),
            ("deepseek-v4-flash", "max", "max"), ("deepseek-v4-pro", "low", "high"), ("deepseek-v4-pro", "max", "max"),
        ],
    )  # fmt: skip
    def test_an_effort_is_said_in_words_the_model_knows(self, model: str, effort: str, word: str) -> None:
        request = attrs.evolve(sample_request(model), effort=effort)
        [body] = self._bodies_for(request)
        assert (body["thinking"], body["reasoning_effort"]) == ({"type": "enabled"}, word)

    def test_an_answer_that_was_made_without_thinking_says_that_there_was_none(self) -> None:
        call = ToolCall("c", "Bash", "{}", "x")
        answer = AssistantMessage((call,), StopReason.END, "elsewhere", "other")
        results = ResultsMessage((ToolResult("c", "Bash", ResultStatus.OK, "fine"),))
        [body] = self._bodies_for(sample_request(self.model, UserMessage("Go."), answer, results))
        assert body["messages"][2]["reasoning_content"] == ""

    def test_the_vendors_own_counts_of_the_cache_are_read(self) -> None:
        counts = {"prompt_tokens": 100, "completion_tokens": 5, "prompt_cache_hit_tokens": 60}
        records = [*self.records(ScriptedAnswer("Hi.")), self.chunk({}) | {"choices": [], "usage": counts}]
        pieces, _ = self.played(self._stream(records))
        [report] = [piece for piece in pieces if isinstance(piece, UsageReport)]
        assert report.usage == Usage(input=40, cache_read=60, output=5)
