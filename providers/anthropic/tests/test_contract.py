"""The provider contract, and the streams of the Messages format that cannot be trusted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from anthropic.types import RawMessageStreamEvent
from anthropic.types.message_create_params import MessageCreateParamsStreaming
from pydantic import TypeAdapter

from aries_kernel.contracts.provider import Provider, ProviderContext
from aries_kernel.testing.messages_suite import MessagesSuite
from aries_kernel.testing.vendor_types import assert_fits
from aries_provider_anthropic.provider import AnthropicProvider, Options

REQUEST: TypeAdapter[Any] = TypeAdapter(MessageCreateParamsStreaming)
EVENT: TypeAdapter[Any] = TypeAdapter(RawMessageStreamEvent)


class TestAnthropic(MessagesSuite):
    model = "claude-sonnet-5-5"
    provider_name = "anthropic"

    def provider_at(self, url: str, key: str, idle_seconds: float) -> Provider:
        options = Options(base_url=url, idle_seconds=idle_seconds)
        return AnthropicProvider(ProviderContext(options, {"ANTHROPIC_API_KEY": key}, Path()))

    def check_body(self, body: Any) -> None:
        assert_fits(body, REQUEST.validate_python)

    def check_event(self, record: Any) -> None:
        if record["type"] != "ping":
            EVENT.validate_python(record)


class TestAnthropicWithABudget(TestAnthropic):
    model = "claude-haiku-4-5"
