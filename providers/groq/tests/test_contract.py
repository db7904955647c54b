"""The provider contract in Groq's dialect, and what is peculiar to it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs
import pytest
from groq.types.chat import ChatCompletionChunk
from groq.types.chat.completion_create_params import CompletionCreateParams
from pydantic import TypeAdapter

from aries_kernel.contracts.provider import Provider, ProviderContext
from aries_kernel.errors import Overloaded
from aries_kernel.testing.chat_suite import ChatSuite
from aries_kernel.testing.provider_script import ScriptedAnswer, sample_request
from aries_kernel.testing.vendor_types import assert_fits
from aries_provider_groq.provider import GroqProvider, Options

REQUEST: TypeAdapter[Any] = TypeAdapter(CompletionCreateParams)


class TestGroq(ChatSuite):
    model = "openai/gpt-oss-120b"
    provider_name = "groq"
    reasoning_field = "reasoning"

    def provider_at(self, url: str, key: str, idle_seconds: float) -> Provider:
        options = Options(base_url=url, idle_seconds=idle_seconds)
        return GroqProvider(ProviderContext(options, {"GROQ_API_KEY": key}, Path()))

    def records(self, answer: ScriptedAnswer) -> Iterator[dict[str, Any]]:
        """Counts stand in the vendor's own part of the last chunk."""
        *before, last = super().records(attrs.evolve(answer, usage=None))
        if answer.stop is not None and answer.usage is not None:
            last["x_groq"] = {"id": "req_1", "usage": self.counts(answer.usage)}
        yield from (*before, last)

    def check_body(self, body: Any) -> None:
        assert_fits({name: value for name, value in body.items() if name != "stream_options"}, REQUEST.validate_python)

    def check_event(self, record: Any) -> None:
        ChatCompletionChunk.model_validate(record)

    @pytest.mark.parametrize(
        ("model", "effort", "expected"),
        [
            ("openai/gpt-oss-20b", "max", {"reasoning_effort": "high"}),
            ("openai/gpt-oss-20b", None, {}),
            ("qwen/qwen3.8-27b", "low", {"reasoning_format": "parsed", "reasoning_effort": "low"}),
            ("qwen/qwen3-32b", None, {"reasoning_format": "parsed"}),
            ("llama-3.3-70b-versatile", "high", {}),
        ],
    )
    def test_reasoning_is_asked_for_in_the_way_of_the_model(
        self, model: str, effort: str | None, expected: dict[str, str]
    ) -> None:
        [body] = self._bodies_for(attrs.evolve(sample_request(model, max_output=9), effort=effort))
        assert {name: value for name, value in body.items() if name.startswith("reasoning")} == expected
        assert body["max_completion_tokens"] == 9

    def test_a_fault_in_the_vendors_own_part_has_its_class(self) -> None:
        failed = self.chunk({}) | {"x_groq": {"error": "Model is over capacity"}}
        records = [*self.records(ScriptedAnswer("So f", stop=None)), failed]
        assert type(self._raised(self._stream(records))) is Overloaded
