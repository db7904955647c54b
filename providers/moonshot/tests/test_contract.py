"""The provider contract in Moonshot's dialect, and what is peculiar to it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs
import pytest
from openai.types.chat.completion_create_params import CompletionCreateParamsStreaming
from pydantic import TypeAdapter

from aries_kernel.contracts.provider import Provider, ProviderContext
from aries_kernel.errors import RequestRefused
from aries_kernel.model.request import ToolSchema
from aries_kernel.model.usage import Usage
from aries_kernel.testing.chat_suite import ChatSuite
from aries_kernel.testing.provider_script import ScriptedAnswer, sample_request
from aries_kernel.testing.vendor_types import assert_fits
from aries_provider_moonshot.provider import MoonshotProvider, Options

REQUEST: TypeAdapter[Any] = TypeAdapter(CompletionCreateParamsStreaming)


class TestMoonshot(ChatSuite):
    model = "kimi-k2.6"
    provider_name = "moonshot"

    def provider_at(self, url: str, key: str, idle_seconds: float) -> Provider:
        options = Options(base_url=url, idle_seconds=idle_seconds)
        return MoonshotProvider(ProviderContext(options, {"MOONSHOT_API_KEY": key}, Path()))

    def records(self, answer: ScriptedAnswer) -> Iterator[dict[str, Any]]:
        """Counts stand in the choice of the last chunk."""
        *before, last = super().records(attrs.evolve(answer, usage=None))
        if answer.stop is not None and answer.usage is not None:
            last["choices"][0]["usage"] = self.counts(answer.usage)
        yield from (*before, last)

    def counts(self, usage: Usage) -> dict[str, Any]:
        found = super().counts(usage)
        del found["prompt_tokens_details"]
        return found | {"cached_tokens": usage.cache_read}

    def check_body(self, body: Any) -> None:
        """The vendor publishes no types; without its own fields a body is one of OpenAI's."""
        assert not {"thinking", "reasoning_effort"} <= body.keys()
        assert not {"store", "max_completion_tokens", "temperature"} & body.keys()
        messages = [{k: v for k, v in one.items() if k != "reasoning_content"} for one in body["messages"]]
        rest = {name: value for name, value in body.items() if name != "thinking"}
        assert_fits(rest | {"messages": messages}, REQUEST.validate_python)

    @pytest.mark.parametrize(
        ("model", "expected"),
        [("kimi-k2.6", {"thinking": {"type": "enabled"}}), ("kimi-k3", {"reasoning_effort": "high"})],
    )
    def test_thinking_or_an_effort_is_asked_for_and_never_both(self, model: str, expected: dict[str, Any]) -> None:
        [body] = self._bodies_for(attrs.evolve(sample_request(model, max_output=9), effort="medium"))
        assert {name: body[name] for name in ("thinking", "reasoning_effort") if name in body} == expected
        assert body["max_tokens"] == 9

    def test_ids_of_the_vendors_form_go_back_and_repeated_ones_are_replaced(self) -> None:
        [body] = self._bodies_for(self._two_rounds("functions.Bash:0", "functions.Bash:0"))
        first, second = self.call_ids(body)
        assert first == "functions.Bash:0" and second != first
        assert self.result_ids(body) == [first, second]

    def test_schemas_are_written_in_the_vendors_flavour(self) -> None:
        schema = {
            "type": "object",
            "properties": {
                "any": {"description": "no type"},
                "one": {"type": "string", "anyOf": [{"enum": ["a"]}, {"pattern": "b"}]},
                "deep": {"type": "object", "properties": {"x": {"enum": [1, 2]}}},
            },
        }
        request = attrs.evolve(sample_request(self.model), tools=(ToolSchema("Odd", "Odd.", schema),))
        [body] = self._bodies_for(request)
        made = body["tools"][0]["function"]["parameters"]
        assert made["required"] == [] and made["properties"]["deep"]["required"] == []
        assert made["properties"]["any"]["type"] == "string"
        assert made["properties"]["deep"]["properties"]["x"]["type"] == "integer"
        assert "type" not in made["properties"]["one"]
        assert [one["type"] for one in made["properties"]["one"]["anyOf"]] == ["string", "string"]

    def test_a_refused_order_of_calls_and_results_is_no_overflow(self) -> None:
        message = "Invalid request: the following tool_call_ids did not have response messages: TaskOutput:79"
        assert type(self._raised(self.refusal(400, message))) is RequestRefused
