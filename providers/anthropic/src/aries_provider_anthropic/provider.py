"""Anthropic, and any server that speaks its Messages format."""

from __future__ import annotations

import re
from typing import ClassVar

from attrs import frozen

from aries_kernel.contracts.provider import ProviderContext
from aries_kernel.model.request import Request, ToolSchema
from aries_provider_anthropic.decoder import MessageDecoder
from aries_provider_anthropic.encoder import Encoder, input_schema
from aries_provider_anthropic.relaxing import relaxed
from aries_provider_anthropic.traits import MessagesTraits
from aries_provider_http.bodies import to_bytes
from aries_provider_http.catalog import ModelRecord
from aries_provider_http.counts import counted_tokens
from aries_provider_http.endpoint import AddressRule
from aries_provider_http.exchange import Exchange
from aries_provider_http.faults import Fault
from aries_provider_http.options import HttpOptions, option
from aries_provider_http.provider import HttpProvider
from aries_provider_http.remembering import PerTool
from aries_provider_http.schemas import property_names
from aries_provider_http.service import Service
from aries_provider_http.wire_names import ToolNames

__all__ = ["AnthropicProvider", "MessagesProvider", "Options"]

_PROPERTY = re.compile(r"[a-zA-Z0-9_.-]{1,64}")
_ADDRESS = AddressRule("/v1", operations=("/messages",), always_versioned=True)


class MessagesProvider(HttpProvider[MessagesTraits]):
    """Subclasses set `service` and `options_type`."""

    models_operation: ClassVar[str] = "/models?limit=1000"

    def __init__(self, context: ProviderContext) -> None:
        """Raises: ConfigError with everything that is wrong in the options."""
        super().__init__(context)
        self._schema = PerTool(input_schema)
        self._wrong_name = PerTool(_wrong_name)

    def first_traits(self) -> MessagesTraits:
        return MessagesTraits()

    def wire_names(self, request: Request) -> tuple[str, ...]:
        names = _names(request)
        return tuple(names.to_wire(tool.name) for tool in request.tools)

    def unfit(self, tool: ToolSchema, traits: MessagesTraits) -> str | None:
        wrong = self._wrong_name(tool)
        if wrong is None:
            return None
        return f"its argument '{wrong[:80]}' is not named with 1 to 64 of letters, digits, '_', '.' and '-'"

    def key_headers(self, key: str) -> dict[str, str]:
        return {"anthropic-version": "2023-06-01"} | ({"x-api-key": key} if key else {})

    def relaxed(self, request: Request, traits: MessagesTraits, fault: Fault) -> MessagesTraits | None:
        return relaxed(traits, fault, request, self.service.name)

    def exchange(self, request: Request, record: ModelRecord, traits: MessagesTraits) -> Exchange:
        names = _names(request)
        encoder = Encoder(self.service.name, traits, record.info.max_output, self._schema)
        return Exchange(
            "/messages",
            to_bytes(encoder.body(request, names)),
            lambda judge, headers: MessageDecoder(names, judge, headers),
        )

    async def count_tokens(self, request: Request) -> int:
        """How many tokens the server would read for `request`; costs nothing.

        Raises: RetriableError and FatalError subclasses.
        """
        record = self.record(request.model)
        encoder = Encoder(self.service.name, self.traits_of(request.model), record.info.max_output, self._schema)
        body = to_bytes(encoder.count_body(request, _names(request)))
        answer = await self.ask("/messages/count_tokens", body, request.model)
        return counted_tokens(answer, "input_tokens")


@frozen
class Options(HttpOptions):
    """Keys under `providers.anthropic`."""

    base_url: str = option("address of the server; /v1 is added where it lacks", "https://api.anthropic.com/v1")
    api_key_env: str = option("variable that holds the key", "ANTHROPIC_API_KEY")


class AnthropicProvider(MessagesProvider):
    """Anthropic's own service, and any compatible server under `base_url`."""

    options_type: ClassVar[type[HttpOptions]] = Options
    service = Service(
        "anthropic",
        Options().base_url,
        "aries_provider_anthropic",
        base_url_variable="ANTHROPIC_BASE_URL",
        model_names=("claude-",),
        address=_ADDRESS,
    )


def _wrong_name(tool: ToolSchema) -> str | None:
    return next((name for name in property_names(input_schema(tool)) if not _PROPERTY.fullmatch(name)), None)


def _names(request: Request) -> ToolNames:
    return ToolNames(tool.name for tool in request.tools)
