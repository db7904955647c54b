"""Any server that speaks Chat Completions, from the settings alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import attrs
from attrs import frozen

from aries_kernel.contracts.provider import ProviderContext
from aries_kernel.errors import ConfigError
from aries_provider_http.catalog import ModelRecord
from aries_provider_http.options import HttpOptions, option
from aries_provider_http.service import Service
from aries_provider_openai.compat import Compat
from aries_provider_openai.provider import ChatProvider

__all__ = ["CustomProvider", "Options"]

_NOWHERE = "http://custom.invalid/v1"
"""Where the vendor of an unknown server lives: an address that nothing can have."""


@frozen
class Options(HttpOptions):
    """Keys under `providers.custom`."""

    base_url: str = option("address of the server, up to and with /v1; needed", "")
    api_key_env: str = option("variable that holds the key, where the server wants one", "CUSTOM_API_KEY")
    compat: Mapping[str, object] = option("how the server wants to be asked, for all of its models", dict)


class CustomProvider(ChatProvider):
    """Nothing is taken for granted about the server; `compat` says what it wants, for all models or for one."""

    options_type: ClassVar[type[HttpOptions]] = Options
    service = Service("custom", _NOWHERE, "aries_provider_custom", key_is_optional=True)

    def __init__(self, context: ProviderContext) -> None:
        """Raises: ConfigError with everything that is wrong in the options."""
        assert isinstance(context.options, Options)
        if not context.options.base_url.strip():
            raise ConfigError(
                ["providers.custom.base_url: is not set. It is the address of your server: http://localhost:8080/v1"]
            )
        self._compat = context.options.compat
        super().__init__(context)
        ModelRecord(self.model_info(""), (("providers.custom.compat", self._compat),)).traits(Compat())

    def record(self, model: str) -> ModelRecord:
        """What the settings say: first for all models, then for this one."""
        found = super().record(model)
        return attrs.evolve(found, layers=(("providers.custom.compat", self._compat), *found.layers))
