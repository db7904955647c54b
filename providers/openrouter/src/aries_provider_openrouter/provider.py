"""OpenRouter: the models of many vendors behind one key."""

from __future__ import annotations

from typing import ClassVar

from attrs import frozen

from aries_provider_http.options import HttpOptions, option
from aries_provider_http.service import Service
from aries_provider_openai.provider import ChatProvider

__all__ = ["OpenRouterProvider", "Options"]


@frozen
class Options(HttpOptions):
    """Keys under `providers.openrouter`."""

    base_url: str = option("address of the server, up to and with /v1", "https://openrouter.ai/api/v1")
    api_key_env: str = option("variable that holds the key", "OPENROUTER_API_KEY")


class OpenRouterProvider(ChatProvider):
    """Chat Completions; in what it differs stands in `models.json`."""

    options_type: ClassVar[type[HttpOptions]] = Options
    service = Service("openrouter", Options().base_url, "aries_provider_openrouter")
