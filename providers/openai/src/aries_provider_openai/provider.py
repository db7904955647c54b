"""The provider: one attempt at an answer, told as it comes."""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from typing import ClassVar

from attrs import frozen

from aries_kernel.broker.secrets import Redactor
from aries_kernel.contracts.provider import ProviderContext
from aries_kernel.errors import AriesError, ConfigError, MissingKey, NetworkDown, StreamCut, UnknownName
from aries_kernel.model.request import ModelInfo, Request
from aries_kernel.model.stream import Heartbeat, StreamPiece
from aries_provider_openai.answer import AnswerReader
from aries_provider_openai.catalog import Catalog, ModelRecord, load_catalog
from aries_provider_openai.compat import Compat
from aries_provider_openai.connection import Connection, Reply
from aries_provider_openai.decoder import ChunkDecoder
from aries_provider_openai.encoder import Encoder, to_bytes
from aries_provider_openai.endpoint import Endpoint, parse_endpoint
from aries_provider_openai.faults import Fault, FaultClassifier, fault_of
from aries_provider_openai.keys import KeySource
from aries_provider_openai.options import DEFAULT_BASE_URL, Options, option_problems
from aries_provider_openai.relaxing import relaxed
from aries_provider_openai.wire_names import ToolNames

__all__ = ["ChatProvider", "OpenAIProvider", "Service"]

_MAX_RELAXATIONS = 4
_AFTER_STOP_SECONDS = 5.0
"""How long counts of tokens may come after the reason for the stop."""
_AFTER_DONE_SECONDS = 0.25
"""How long the end of the body may come after [DONE]; a body read to its end leaves the connection usable."""


@frozen
class Service:
    """One vendor's service; a provider for another one is a `Service` with its own data file."""

    name: str
    base_url: str
    package: str
    """The package that holds its `models.json`."""
    base_url_variable: str | None = None
    """A variable that replaces the default address."""


class ChatProvider:
    """Any server that speaks Chat Completions. Subclasses set `service` and `options_type`."""

    service: ClassVar[Service]
    options_type: ClassVar[type[Options]] = Options

    def __init__(self, context: ProviderContext) -> None:
        """Raises: ConfigError with everything that is wrong in the options."""
        options = context.options
        if not isinstance(options, Options):
            raise TypeError(f"options must be an instance of {self.options_type.__name__}")
        name = self.service.name
        self._options = options
        self._catalog: Catalog = load_catalog(self.service.package)
        problems = option_problems(options, f"providers.{name}")
        self._endpoint = self._find_endpoint(options, context.environ, problems)
        official = parse_endpoint(self.service.base_url, "base_url")
        self._is_official = self._endpoint.origin == official.origin
        self._check_models(problems)
        if problems:
            raise ConfigError(problems)
        self._keys = KeySource(
            name, options.api_key_env, options.api_key_cmd, context.environ, is_optional=self._endpoint.is_loopback
        )
        self._key: str | None = None
        self._learned: dict[str, Compat] = {}
        self._connection = Connection(
            name,
            self._endpoint,
            context.environ,
            connect_seconds=options.connect_seconds,
            idle_seconds=options.idle_seconds,
        )

    def model_info(self, model: str) -> ModelInfo:
        """What is known about `model`; figures of an unknown one are None."""
        return self._record(model).info

    def known_models(self) -> tuple[str, ...]:
        """Models of the settings, and on the vendor's own host those of the data file."""
        listed = self._catalog.names() if self._is_official else ()
        return tuple(dict.fromkeys([*self._options.models, *listed]))

    def check(self, model: str) -> None:
        """See the contract. A key that a command prints is not asked for here.

        Raises: UnknownName, MissingKey.
        """
        if not model or model != model.strip() or any(not char.isprintable() for char in model):
            raise UnknownName("model", model, self.known_models())
        if self._is_official and model not in self._options.models and not self._record(model).is_chat:
            raise UnknownName("chat model", model, self.known_models())
        problem = self._keys.problem()
        if problem:
            raise MissingKey(problem)

    async def stream(self, request: Request) -> AsyncGenerator[StreamPiece, None]:
        """See the contract. A server that refuses an optional field is asked again without it, at once.

        Raises: RetriableError and FatalError subclasses.
        """
        record = self._record(request.model)
        names = ToolNames(tool.name for tool in request.tools)
        key = await self._keys.read() if self._key is None else self._key
        self._key, classifier = key, self._classifier(key)
        for remaining in range(_MAX_RELAXATIONS, -1, -1):
            compat = self._learned.get(request.model, record.compat)
            encoder = Encoder(self.service.name, compat, record.info.max_output)
            reply = await self._connection.post(to_bytes(encoder.body(request, names)), self._headers(key))
            try:
                if 200 <= reply.status < 300:
                    async with aclosing(self._answer(reply, request.model, names, classifier)) as pieces:
                        async for piece in pieces:
                            yield piece
                    return
                fault = fault_of(reply.status, reply.headers, await reply.short_body(_AFTER_STOP_SECONDS))
            finally:
                await reply.close()
            weaker = relaxed(compat, fault) if remaining else None
            if weaker is None:
                if fault.status == 401:
                    self._key = None  # A command may give a fresh one next time.
                raise classifier.error(fault, request.model)
            self._learned[request.model] = weaker

    async def close(self) -> None:
        """Free connections."""
        await self._connection.close()

    async def _answer(
        self, reply: Reply, model: str, names: ToolNames, classifier: FaultClassifier
    ) -> AsyncGenerator[StreamPiece, None]:
        decoder = ChunkDecoder(names, _judge(classifier, model), reply.headers)
        reader = AnswerReader(decoder, classifier.redact)
        idle = self._options.idle_seconds or None
        deadline: float | None = None
        while (chunk := await _next_chunk(reply, idle, deadline)) is not None:
            pieces = reader.feed(chunk)
            deadline = _deadline(reader, pieces, deadline)
            for piece in pieces:
                yield piece
        for piece in reader.end():
            yield piece

    def _headers(self, key: str) -> dict[str, str]:
        headers = {
            "content-type": "application/json",
            "accept": "text/event-stream, application/json",
            "accept-encoding": "identity",
            "user-agent": "aries",
        }
        if key:
            headers["authorization"] = f"Bearer {key}"
        return headers | {name.lower(): value for name, value in self._options.headers.items()}

    def _record(self, model: str) -> ModelRecord:
        return self._catalog.record(model, is_official=self._is_official, options=self._options.models.get(model))

    def _classifier(self, key: str) -> FaultClassifier:
        values = {key, *self._options.headers.values()}
        redact = Redactor(frozenset(value for value in values if len(value) >= 6))
        return FaultClassifier(self._connection.server, redact, self._keys.hint, self.known_models)

    def _find_endpoint(self, options: Options, environ: Mapping[str, str], problems: list[str]) -> Endpoint:
        variable = self.service.base_url_variable
        named = environ.get(variable, "").strip() if variable else ""
        uses_variable = bool(named) and options.base_url == self.service.base_url
        where = str(variable) if uses_variable else f"providers.{self.service.name}.base_url"
        try:
            return parse_endpoint(named if uses_variable else options.base_url, where)
        except ConfigError as error:
            problems += error.problems
            return parse_endpoint(self.service.base_url, where)

    def _check_models(self, problems: list[str]) -> None:
        for model in self._options.models:
            try:
                self._record(model)
            except ConfigError as error:
                problems += error.problems


class OpenAIProvider(ChatProvider):
    """OpenAI, and any compatible server under `base_url`."""

    service = Service("openai", DEFAULT_BASE_URL, "aries_provider_openai", base_url_variable="OPENAI_BASE_URL")


def _judge(classifier: FaultClassifier, model: str) -> Callable[[Fault], AriesError]:
    return lambda fault: classifier.error(fault, model)


def _deadline(reader: AnswerReader, pieces: list[StreamPiece], old: float | None) -> float | None:
    """When to stop waiting for more. A server that only keeps the line alive after its last word cannot move it."""
    now = asyncio.get_running_loop().time()
    if reader.is_done:
        return min(now + _AFTER_DONE_SECONDS, old or math.inf)
    if reader.has_stop and (old is None or any(not isinstance(piece, Heartbeat) for piece in pieces)):
        return now + _AFTER_STOP_SECONDS
    return old


async def _next_chunk(reply: Reply, idle: float | None, deadline: float | None) -> bytes | None:
    """The next bytes; once the server said why it stopped, silence and a broken line end the answer like its end."""
    if deadline is None:
        return await reply.chunk(idle)
    remaining = max(0.0, deadline - asyncio.get_running_loop().time())
    try:
        return await reply.chunk(remaining if idle is None else min(remaining, idle))
    except (NetworkDown, StreamCut):
        return None
