"""The provider contract, and the streams of Gemini's format that cannot be trusted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from google.genai import types

from aries_kernel.contracts.provider import Provider, ProviderContext
from aries_kernel.testing.gemini_suite import GeminiSuite
from aries_provider_google.provider import GoogleProvider, Options


class TestGoogle(GeminiSuite):
    model = "gemini-3.8-flash"
    provider_name = "google"

    def provider_at(self, url: str, key: str, idle_seconds: float) -> Provider:
        options = Options(base_url=url, idle_seconds=idle_seconds)
        return GoogleProvider(ProviderContext(options, {"GEMINI_API_KEY": key}, Path()))

    def check_body(self, body: Any) -> None:
        """The vendor's types forbid what they do not know."""
        rest = dict(body)
        for content in rest.pop("contents"):
            types.Content.model_validate(content)
        types.Content.model_validate(rest.pop("systemInstruction"))
        for tool in rest.pop("tools"):
            types.Tool.model_validate(tool)
        types.GenerationConfig.model_validate(rest.pop("generationConfig", {}))
        assert rest == {}

    def check_event(self, record: Any) -> None:
        if record is not None:
            types.GenerateContentResponse.model_validate(record)
