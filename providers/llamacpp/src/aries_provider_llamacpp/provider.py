"""The provider: Chat Completions, with a look at the server first."""

from __future__ import annotations

import asyncio
from typing import ClassVar

import attrs
from attrs import frozen

from aries_kernel.contracts.provider import Outlook, ProviderContext
from aries_kernel.errors import NetworkDown, Overloaded, RequestRefused
from aries_kernel.model.request import ModelInfo, Request
from aries_kernel.model.usage import Price
from aries_provider_http.catalog import ModelRecord
from aries_provider_http.endpoint import AddressRule
from aries_provider_http.exchange import Exchange
from aries_provider_http.options import HttpOptions, option
from aries_provider_http.service import Service
from aries_provider_llamacpp.properties import Properties, read_properties
from aries_provider_openai.compat import Compat
from aries_provider_openai.provider import ChatProvider

__all__ = ["LlamaCppProvider", "Options"]

_POLL_SECONDS = 0.5
_SMALL_WINDOW = 8_192


@frozen
class Options(HttpOptions):
    """Keys under `providers.llamacpp`."""

    base_url: str = option("address of the server; empty: local.url", "")
    api_key_env: str = option("variable that holds the key, where the server wants one", "LLAMACPP_API_KEY")
    idle_seconds: float = option("silence after which a request counts as lost; 0: never", 300.0)
    load_seconds: float = option("how long to wait for a server that is still loading its model", 120.0)


class LlamaCppProvider(ChatProvider):
    """`llamacpp/NAME`. The server has one model and answers whatever name it is asked by."""

    options_type: ClassVar[type[HttpOptions]] = Options
    service = Service(
        "llamacpp",
        "http://127.0.0.1:8080",
        "aries_provider_llamacpp",
        address=AddressRule("", ("/v1/chat/completions", "/chat/completions", "/v1")),
    )
    models_operation = "/v1/models"

    def __init__(self, context: ProviderContext) -> None:
        """Raises: ConfigError with everything that is wrong in the options."""
        options = context.options
        if isinstance(options, Options) and not options.base_url:
            context = attrs.evolve(context, options=attrs.evolve(options, base_url=context.local.url))
        self._local = context.local
        super().__init__(context)
        # A server in the own network has no key as a rule; one that has says so when it is asked.
        self._keys = attrs.evolve(self._keys, is_optional=True)

    def record(self, model: str) -> ModelRecord:
        """A model on one's own machine costs nothing; its window is that which it is started with."""
        found = super().record(model)
        file = self._local.models.get(model)
        window = found.info.context_window
        if window is None and file is not None:
            window = file.context_window or self._local.context_window
        price = found.info.price or Price(0.0, 0.0)
        return attrs.evolve(found, info=attrs.evolve(found.info, price=price, context_window=window))

    def known_models(self) -> tuple[str, ...]:
        """Those of the settings."""
        return tuple(dict.fromkeys([*self._local.models, *self.options.models]))

    def exchange(self, request: Request, record: ModelRecord, traits: Compat) -> Exchange:
        return attrs.evolve(super().exchange(request, record, traits), operation="/v1/chat/completions")

    async def look_ahead(self, model: str) -> Outlook:
        """See `LooksAhead`: waits for a server that is loading, and asks for its window.

        Raises: NetworkDown with the command that starts the server, Overloaded, FatalError subclasses.
        """
        try:
            await self._until_loaded()
            properties = await self._properties()
            served = tuple(one.name for one in await self.list_models())
        except NetworkDown as error:
            raise NetworkDown(f"{error} {self._how_to_start(model)}") from error
        self.told[model] = info = self._seen(self.record(model).info, properties)
        return Outlook(info, tuple(self._warnings(model, info, properties, served)))

    async def _until_loaded(self) -> None:
        assert isinstance(self.options, Options)
        try:
            async with asyncio.timeout(self.options.load_seconds):
                while not await self._is_loaded():  # noqa: ASYNC110  # another process is waited for
                    await asyncio.sleep(_POLL_SECONDS)
        except TimeoutError as error:
            raise Overloaded(
                f"llamacpp has been loading its model for {self.options.load_seconds:g} s. Wait longer with "
                "providers.llamacpp.load_seconds."
            ) from error

    async def _is_loaded(self) -> bool:
        try:
            await self.ask("/health")
        except Overloaded:
            return False
        except RequestRefused:
            return True  # Relatives of this server have no such page; they listen when they are ready.
        return True

    async def _properties(self) -> Properties:
        try:
            return read_properties(await self.ask("/props"))
        except RequestRefused:
            return Properties()  # Relatives of this server have no such page.

    def _seen(self, info: ModelInfo, properties: Properties) -> ModelInfo:
        sees = properties.has_images if properties.has_images is not None else info.has_images
        own = self.options.models.get(info.name)
        if properties.window is None or (own is not None and own.context_window is not None):
            return attrs.evolve(info, has_images=sees)
        return attrs.evolve(info, context_window=properties.window, has_images=sees)

    def _warnings(self, model: str, info: ModelInfo, properties: Properties, served: tuple[str, ...]) -> list[str]:
        found = []
        # `local` names whatever is there, as long as no file has that name.
        is_anything = model == "local" and model not in self._local.models
        if served and model not in served and not is_anything:
            names = ", ".join(served)
            found.append(f"llamacpp serves {names}, not {model}: every question goes to what it serves.")
        if info.context_window is None:
            found.append(
                "llamacpp does not say how large its window is. Set it under "
                f"providers.llamacpp.models.{model}.context_window, or a conversation that grows too long fails."
            )
        elif info.context_window < _SMALL_WINDOW:
            found.append(
                f"The window of llamacpp/{model} is small: {info.context_window:,} tokens. Start the server with a "
                f"larger one: local.models.{model}.context_window and aries local start, or llama-server -c 32768."
            )
        return found

    def _how_to_start(self, model: str) -> str:
        if model in self._local.models:
            return f"Start it with `aries local start {model}`."
        return (
            f"Name the file of a model under local.models.{model}.path and start it with `aries local start {model}`."
            " Or start llama-server --jinja yourself."
        )
