"""Any server that speaks Chat Completions, or OpenAI's Responses."""

from __future__ import annotations

from typing import ClassVar

from attrs import frozen

from aries_kernel.model.request import Request
from aries_provider_http.bodies import to_bytes
from aries_provider_http.catalog import ModelRecord
from aries_provider_http.exchange import Exchange
from aries_provider_http.faults import Fault
from aries_provider_http.options import HttpOptions, option
from aries_provider_http.provider import HttpProvider
from aries_provider_http.service import Service
from aries_provider_http.wire_names import ToolNames
from aries_provider_openai.compat import Compat
from aries_provider_openai.decoder import ChunkDecoder
from aries_provider_openai.encoder import Encoder
from aries_provider_openai.relaxing import relaxed
from aries_provider_openai.responses.decoder import ResponsesDecoder
from aries_provider_openai.responses.encoder import ResponsesEncoder

__all__ = ["ChatProvider", "OpenAIProvider", "Options"]


class ChatProvider(HttpProvider[Compat]):
    """Subclasses set `service` and `options_type`."""

    def first_traits(self) -> Compat:
        return Compat()

    def wire_names(self, request: Request) -> tuple[str, ...]:
        names = ToolNames(tool.name for tool in request.tools)
        return tuple(names.to_wire(tool.name) for tool in request.tools)

    def key_headers(self, key: str) -> dict[str, str]:
        return {"authorization": f"Bearer {key}"} if key else {}

    def relaxed(self, request: Request, traits: Compat, fault: Fault) -> Compat | None:
        return relaxed(traits, fault, request)

    def exchange(self, request: Request, record: ModelRecord, traits: Compat) -> Exchange:
        names = ToolNames(tool.name for tool in request.tools)
        if traits.wire == "responses":
            responses = ResponsesEncoder(self.service.name, traits, record.info.max_output)
            return Exchange(
                "/responses",
                to_bytes(responses.body(request, names)),
                lambda judge, headers: ResponsesDecoder(names, judge, headers),
            )
        encoder = Encoder(self.service.name, traits, record.info.max_output)
        return Exchange(
            "/chat/completions",
            to_bytes(encoder.body(request, names)),
            lambda judge, headers: ChunkDecoder(
                names, judge, headers, cached_includes_written=traits.cached_includes_written
            ),
        )


@frozen
class Options(HttpOptions):
    """Keys under `providers.openai`."""

    base_url: str = option("address of the server, up to and with /v1", "https://api.openai.com/v1")
    api_key_env: str = option("variable that holds the key", "OPENAI_API_KEY")


class OpenAIProvider(ChatProvider):
    """OpenAI, and any compatible server under `base_url`."""

    options_type: ClassVar[type[HttpOptions]] = Options
    service = Service("openai", Options().base_url, "aries_provider_openai", base_url_variable="OPENAI_BASE_URL")
