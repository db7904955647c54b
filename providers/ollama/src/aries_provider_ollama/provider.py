"""The provider: Ollama's own interface, since only there the window can be asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

import attrs
from attrs import frozen

from aries_kernel.contracts.provider import Outlook, ProviderContext
from aries_kernel.errors import ConfigError, NetworkDown, RequestRefused, UnknownName, UserError
from aries_kernel.model.request import ModelInfo, Request
from aries_kernel.model.usage import Price
from aries_provider_http.bodies import to_bytes
from aries_provider_http.catalog import ModelRecord
from aries_provider_http.endpoint import AddressRule
from aries_provider_http.exchange import Decoder, Exchange
from aries_provider_http.faults import Fault
from aries_provider_http.options import HttpOptions, option
from aries_provider_http.provider import HttpProvider
from aries_provider_http.service import Service
from aries_provider_http.wire_names import ToolNames
from aries_provider_ollama.address import VARIABLE, with_full_address
from aries_provider_ollama.decoder import RecordDecoder
from aries_provider_ollama.encoder import Encoder
from aries_provider_ollama.facts import Facts, loaded_window, model_names, read_facts
from aries_provider_ollama.lines import LineReader
from aries_provider_ollama.traits import Traits, relaxed

__all__ = ["OllamaProvider", "Options"]

_SMALL_WINDOW = 16_384


@frozen
class Options(HttpOptions):
    """Keys under `providers.ollama`."""

    base_url: str = option("address of the server", "http://127.0.0.1:11434")
    api_key_env: str = option("variable that holds the key, where the server wants one", "OLLAMA_API_KEY")
    idle_seconds: float = option("silence after which a request counts as lost; 0: never", 300.0)
    num_ctx: int = option("tokens of the window to ask for, as far as the model has them", 32_768)
    keep_alive: str | None = option("how long the model stays loaded after an answer, e.g. 30m", None)


class OllamaProvider(HttpProvider[Traits]):
    """`ollama/MODEL`, with MODEL as `ollama list` prints it."""

    options_type: ClassVar[type[HttpOptions]] = Options
    service = Service(
        "ollama",
        "http://127.0.0.1:11434",
        "aries_provider_ollama",
        base_url_variable=VARIABLE,
        address=AddressRule("", ("/api/chat", "/v1/chat/completions", "/api", "/v1")),
    )

    def __init__(self, context: ProviderContext) -> None:
        """Raises: ConfigError with everything that is wrong in the options."""
        self._windows: dict[str, int] = {}
        super().__init__(attrs.evolve(context, environ=with_full_address(context.environ)))
        # A server in the own network has no key as a rule; one that has says so when it is asked.
        self._keys = attrs.evolve(self._keys, is_optional=True)
        if self._own.num_ctx < 1:
            raise ConfigError([f"providers.ollama.num_ctx: must be 1 or more, not {self._own.num_ctx}."])

    @property
    def _own(self) -> Options:
        assert isinstance(self.options, Options)
        return self.options

    def first_traits(self) -> Traits:
        return Traits()

    def relaxed(self, request: Request, traits: Traits, fault: Fault) -> Traits | None:
        return relaxed(traits, fault)

    def key_headers(self, key: str) -> dict[str, str]:
        return {"authorization": f"Bearer {key}"} if key else {}

    def wire_names(self, request: Request) -> tuple[str, ...]:
        names = ToolNames(tool.name for tool in request.tools)
        return tuple(names.to_wire(tool.name) for tool in request.tools)

    def known_models(self) -> tuple[str, ...]:
        """Those of the settings; the server's own are asked for with `aries models ollama --refresh`."""
        return tuple(self.options.models)

    def record(self, model: str) -> ModelRecord:
        """A model on one's own machine costs nothing; one that Ollama runs elsewhere has a price nobody knows."""
        found = super().record(model)
        is_elsewhere = model.endswith(("-cloud", ":cloud"))
        price = found.info.price or (None if is_elsewhere else Price(0.0, 0.0))
        # What the model was loaded with counts: another number would have it loaded anew for each request.
        window = self._windows.get(model) or found.info.context_window
        return attrs.evolve(found, info=attrs.evolve(found.info, price=price, context_window=window))

    def exchange(self, request: Request, record: ModelRecord, traits: Traits) -> Exchange:
        names = ToolNames(tool.name for tool in request.tools)
        window = record.info.context_window or self._own.num_ctx
        encoder = Encoder(traits, window, record.info.max_output, self._own.keep_alive, self.service.name)
        return Exchange(
            "/api/chat",
            to_bytes(encoder.body(request, names)),
            lambda judge, headers: RecordDecoder(names, judge, headers),
        )

    def reader(self, decoder: Decoder, redact: Callable[[str], str]) -> LineReader:
        return LineReader(decoder, redact)

    async def list_models(self) -> tuple[ModelInfo, ...]:
        """The models that are on the server, each with what it says about it.

        Raises: RetriableError and FatalError subclasses.
        """
        return tuple(
            [
                self._seen(self.record(name).info, read_facts(await self._show(name)))
                for name in model_names(await self.ask("/api/tags"))
            ]
        )

    async def look_ahead(self, model: str) -> Outlook:
        """See `LooksAhead`: asks what the model can do, loads it with the window that is wanted, and looks whether it
        got it.

        Raises: UnknownName with the command that fetches the model, NetworkDown, FatalError subclasses.
        """
        try:
            facts = await self._facts(model)
            info = self._seen(self.record(model).info, facts)
            wanted = self._wanted(model, facts)
            self._windows[model] = wanted
            await self._load(model, wanted)
            got = loaded_window(await self.ask("/api/ps"), model) or wanted
        except NetworkDown as error:
            raise NetworkDown(f"{error} Start it with `ollama serve`.") from error
        self._windows[model] = window = min(got, wanted)
        self.told[model] = info = attrs.evolve(info, context_window=window)
        return Outlook(info, tuple(self._warnings(model, window, wanted, facts)))

    async def _facts(self, model: str) -> Facts:
        try:
            return read_facts(await self._show(model))
        except RequestRefused as error:
            if "not found" not in str(error).lower() and "404" not in str(error):
                raise
            known = model_names(await self.ask("/api/tags"))
            unknown = UnknownName("model on this Ollama server", model, known)
            raise UserError(f"{unknown} Fetch it with `ollama pull {model}`.") from error

    async def _show(self, model: str) -> bytes:
        return await self.ask("/api/show", to_bytes({"model": model}), model)

    async def _load(self, model: str, window: int) -> None:
        body: dict[str, object] = {"model": model, "messages": [], "stream": False, "options": {"num_ctx": window}}
        if self._own.keep_alive is not None:
            body["keep_alive"] = self._own.keep_alive
        await self.ask("/api/chat", to_bytes(body), model)

    def _wanted(self, model: str, facts: Facts) -> int:
        own = self.options.models.get(model)
        asked = own.context_window if own is not None and own.context_window is not None else None
        wanted = asked or max(self._own.num_ctx, facts.preset_window or 0)
        return min(wanted, facts.largest_window or wanted)

    def _seen(self, info: ModelInfo, facts: Facts) -> ModelInfo:
        if info.context_window is None:
            info = attrs.evolve(info, context_window=facts.largest_window)
        if facts.capabilities is None:
            return info
        told = attrs.evolve(
            info,
            has_tools="tools" in facts.capabilities,
            has_images="vision" in facts.capabilities,
            has_reasoning="thinking" in facts.capabilities,
        )
        own = self.options.models.get(info.name)
        return told if own is None else own.over(told)

    def _warnings(self, model: str, window: int, wanted: int, facts: Facts) -> list[str]:
        if window < wanted:
            return [
                f"Ollama gave {model} a window of {window:,} tokens where {wanted:,} were asked for. Give it more with "
                f"OLLAMA_CONTEXT_LENGTH={wanted} ollama serve, or ask for less with providers.ollama.num_ctx."
            ]
        if window >= _SMALL_WINDOW:
            return []
        if facts.largest_window == window:
            return [f"{model} has a small window by itself: {window:,} tokens. Long tasks need another model."]
        where = "num_ctx" if model not in self.options.models else f"models.{model}.context_window"
        return [f"The window of {model} is small: {window:,} tokens. Ask for more with providers.ollama.{where}."]
