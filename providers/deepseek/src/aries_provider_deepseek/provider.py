"""DeepSeek: models that think by default, and want to see their reasoning again."""

from __future__ import annotations

from typing import ClassVar

from attrs import frozen

from aries_provider_http.options import HttpOptions, option
from aries_provider_http.service import Service
from aries_provider_openai.provider import ChatProvider

__all__ = ["DeepSeekProvider", "Options"]


@frozen
class Options(HttpOptions):
    """Keys under `providers.deepseek`."""

    base_url: str = option("address of the server, up to and with /v1", "https://api.deepseek.com/v1")
    api_key_env: str = option("variable that holds the key", "DEEPSEEK_API_KEY")


class DeepSeekProvider(ChatProvider):
    """Chat Completions; in what it differs stands in `models.json`."""

    options_type: ClassVar[type[HttpOptions]] = Options
    service = Service("deepseek", Options().base_url, "aries_provider_deepseek", model_names=("deepseek-",))
