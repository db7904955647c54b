"""Moonshot: Kimi, with a dialect of its own for schemas and ids that repeat."""

from __future__ import annotations

from typing import ClassVar

from attrs import frozen

from aries_provider_http.options import HttpOptions, option
from aries_provider_http.service import Service
from aries_provider_openai.provider import ChatProvider

__all__ = ["MoonshotProvider", "Options"]


@frozen
class Options(HttpOptions):
    """Keys under `providers.moonshot`."""

    base_url: str = option("address of the server, up to and with /v1", "https://api.moonshot.ai/v1")
    api_key_env: str = option("variable that holds the key", "MOONSHOT_API_KEY")


class MoonshotProvider(ChatProvider):
    """Chat Completions; in what it differs stands in `models.json`."""

    options_type: ClassVar[type[HttpOptions]] = Options
    service = Service("moonshot", Options().base_url, "aries_provider_moonshot", model_names=("kimi-", "moonshot-"))
