"""The provider contract and the streams that cannot be trusted, as llama.cpp's server speaks."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

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
from aries_kernel.model.usage import Usage
from aries_kernel.testing.chat_suite import ChatSuite
from aries_provider_llamacpp.provider import LlamaCppProvider, Options


class TestLlamaCpp(ChatSuite):
    model = "local"
    provider_name = "llamacpp"
    operations = ("/v1/chat/completions",)

    def provider_at(self, url: str, key: str, idle_seconds: float) -> Provider:
        options = Options(base_url=url, idle_seconds=idle_seconds)
        return LlamaCppProvider(ProviderContext(options, {"LLAMACPP_API_KEY": key}, Path()))

    def faults(self) -> Mapping[type[AriesError], tuple[int, str]]:
        return {
            AuthRefused: (401, "Invalid API Key"),
            ContextOverflow: (400, "the request exceeds the available context size, try increasing it"),
            Overloaded: (503, "Loading model"),
            QuotaExhausted: (402, "payment required"),
            RateLimited: (429, "too many requests"),
            RequestRefused: (400, "tools param requires --jinja flag"),
        }

    def fault_record(self, status: int, message: str) -> object:
        return {"error": {"code": status, "message": message, "type": "server_error" if status >= 500 else "other"}}

    def usage_chunk(self, usage: Usage) -> dict[str, Any]:
        return super().usage_chunk(usage) | {"timings": {"prompt_n": 1, "predicted_per_second": 9.5}}
