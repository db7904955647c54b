"""Groq: open models, with reasoning in a field of its own."""

from __future__ import annotations

from typing import ClassVar

from attrs import frozen

from aries_provider_http.options import HttpOptions, option
from aries_provider_http.service import Service
from aries_provider_openai.provider import ChatProvider

__all__ = ["GroqProvider", "Options"]


@frozen
class Options(HttpOptions):
    """Keys under `providers.groq`."""

    base_url: str = option("address of the server, up to and with /v1", "https://api.groq.com/openai/v1")
    api_key_env: str = option("variable that holds the key", "GROQ_API_KEY")


class GroqProvider(ChatProvider):
    """Chat Completions; in what it differs stands in `models.json`."""

    options_type: ClassVar[type[HttpOptions]] = Options
    service = Service("groq", Options().base_url, "aries_provider_groq")
