"""Google's Gemini."""

from __future__ import annotations

from typing import ClassVar
from urllib.parse import quote

from attrs import frozen

from aries_kernel.contracts.provider import ProviderContext
from aries_kernel.model.request import Request
from aries_provider_google.decoder import ResponseDecoder
from aries_provider_google.encoder import Encoder
from aries_provider_google.relaxing import relaxed
from aries_provider_google.schemas import json_schema, openapi_schema
from aries_provider_google.traits import GeminiTraits
from aries_provider_http.bodies import to_bytes
from aries_provider_http.catalog import ModelRecord
from aries_provider_http.counts import counted_tokens
from aries_provider_http.endpoint import AddressRule
from aries_provider_http.exchange import Exchange
from aries_provider_http.faults import Fault
from aries_provider_http.options import HttpOptions, option
from aries_provider_http.provider import HttpProvider
from aries_provider_http.remembering import PerTool
from aries_provider_http.service import Service
from aries_provider_http.wire_names import ToolNames

__all__ = ["GoogleProvider", "Options"]


@frozen
class Options(HttpOptions):
    """Keys under `providers.google`."""

    base_url: str = option(
        "address of the server; /v1beta is added where it lacks", "https://generativelanguage.googleapis.com/v1beta"
    )
    api_key_env: str = option("variable that holds the key; GOOGLE_API_KEY is looked at next", "GEMINI_API_KEY")


class GoogleProvider(HttpProvider[GeminiTraits]):
    """Gemini over `streamGenerateContent`."""

    options_type: ClassVar[type[HttpOptions]] = Options
    models_operation: ClassVar[str] = "/models?pageSize=1000"
    service = Service(
        "google",
        Options().base_url,
        "aries_provider_google",
        base_url_variable="GOOGLE_GEMINI_BASE_URL",
        more_key_variables=("GOOGLE_API_KEY",),
        model_names=("gemini-", "gemma-", "learnlm-", "tunedModels/", "models/"),
        address=AddressRule("/v1beta", operations=(), always_versioned=True),
    )

    def __init__(self, context: ProviderContext) -> None:
        """Raises: ConfigError with everything that is wrong in the options."""
        super().__init__(context)
        self._json_schema, self._openapi_schema = PerTool(json_schema), PerTool(openapi_schema)

    def first_traits(self) -> GeminiTraits:
        return GeminiTraits()

    def wire_names(self, request: Request) -> tuple[str, ...]:
        names = _names(request)
        return tuple(names.to_wire(tool.name) for tool in request.tools)

    def key_headers(self, key: str) -> dict[str, str]:
        return {"x-goog-api-key": key} if key else {}

    def relaxed(self, request: Request, traits: GeminiTraits, fault: Fault) -> GeminiTraits | None:
        return relaxed(traits, fault, request)

    def exchange(self, request: Request, record: ModelRecord, traits: GeminiTraits) -> Exchange:
        names = _names(request)
        encoder = self._encoder(traits, record.info.max_output)
        return Exchange(
            f"{_path(request.model)}:streamGenerateContent?alt=sse",
            to_bytes(encoder.body(request, names)),
            lambda judge, headers: ResponseDecoder(names, judge, headers),
        )

    def _encoder(self, traits: GeminiTraits, max_output: int | None = None) -> Encoder:
        return Encoder(self.service.name, traits, max_output, self._json_schema, self._openapi_schema)

    async def count_tokens(self, request: Request) -> int:
        """How many tokens the server would read for `request`; costs nothing.

        Raises: RetriableError and FatalError subclasses.
        """
        path = _path(request.model)
        encoder = self._encoder(self.traits_of(request.model))
        whole = {"model": path.removeprefix("/"), **encoder.body(request, _names(request))}
        answer = await self.ask(f"{path}:countTokens", to_bytes({"generateContentRequest": whole}), request.model)
        return counted_tokens(answer, "totalTokens")


def _path(model: str) -> str:
    """A model without a folder is one of Google's own; tuned ones have a folder of their own."""
    return f"/{quote(model)}" if "/" in model else f"/models/{quote(model)}"


def _names(request: Request) -> ToolNames:
    return ToolNames((tool.name for tool in request.tools), begins_with_letter=True)
