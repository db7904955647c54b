"""A provider on HTTP: one attempt at an answer, told as it comes."""

from __future__ import annotations

import asyncio
import math
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping
from contextlib import aclosing
from typing import ClassVar, Generic, TypeVar

import attrs

from aries_kernel.broker.secrets import Redactor
from aries_kernel.contracts.provider import ProviderContext
from aries_kernel.errors import ConfigError, MissingKey, NetworkDown, StreamCut, UnknownName
from aries_kernel.model.request import ModelInfo, Request, ToolSchema
from aries_kernel.model.stream import Heartbeat, Remark, StreamPiece
from aries_provider_http.answer import AnswerReader
from aries_provider_http.catalog import Catalog, ModelRecord, load_catalog
from aries_provider_http.connection import Connection, Reply
from aries_provider_http.endpoint import Endpoint, parse_endpoint
from aries_provider_http.exchange import Decoder, Exchange, Reader
from aries_provider_http.faults import Fault, FaultClassifier, fault_of, one_line
from aries_provider_http.keys import KeySource
from aries_provider_http.lessons import Lessons
from aries_provider_http.listing import read_page
from aries_provider_http.options import HttpOptions, option_problems
from aries_provider_http.service import Service

__all__ = ["HttpProvider"]

_MAX_RELAXATIONS = 8
_MAX_PAGES = 50
_LARGEST_LIST = 16 * 1024 * 1024
_AFTER_STOP_SECONDS = 5.0
"""How long counts of tokens may come after the reason for the stop."""
_AFTER_DONE_SECONDS = 0.25
"""How long the end of the body may come after the last word; a body read to its end leaves the connection usable."""

Traits = TypeVar("Traits", bound=attrs.AttrsInstance)


class HttpProvider(ABC, Generic[Traits]):
    """One wire format over HTTP. A format's class says how to ask and how to read; a vendor's sets `service`."""

    service: ClassVar[Service]
    options_type: ClassVar[type[HttpOptions]] = HttpOptions
    models_operation: ClassVar[str] = "/models"
    """Where the server lists its models."""

    def __init__(self, context: ProviderContext) -> None:
        """Raises: ConfigError with everything that is wrong in the options."""
        options = context.options
        if not isinstance(options, HttpOptions):
            raise TypeError(f"options must be an instance of {self.options_type.__name__}")
        name = self.service.name
        self.options = options
        self._catalog: Catalog = load_catalog(self.service.package)
        problems = option_problems(options, f"providers.{name}")
        self._endpoint = self._find_endpoint(options, context.environ, problems)
        self.is_official = self._endpoint.origin == self._official().origin
        self._check_models(problems)
        if problems:
            raise ConfigError(problems)
        self._keys = KeySource(
            name,
            self._key_variables(options),
            options.api_key_cmd,
            context.environ,
            is_optional=self.service.key_is_optional or self._endpoint.is_loopback,
        )
        self._key: str | None = None
        self._lessons: Lessons[Traits] = Lessons(name)
        self.told: dict[str, ModelInfo] = {}
        """By model: what a server that is looked at first said about it; it counts over the data file."""
        self._connection = Connection(
            name,
            self._endpoint,
            context.environ,
            connect_seconds=options.connect_seconds,
            idle_seconds=options.idle_seconds,
        )

    @property
    def base_url(self) -> str:
        """The address that is asked, as it was understood."""
        return self._endpoint.base_url

    @abstractmethod
    def first_traits(self) -> Traits:
        """How a model of this format is asked where nothing else is known."""

    @abstractmethod
    def exchange(self, request: Request, record: ModelRecord, traits: Traits) -> Exchange:
        """The request as it is sent, and how its answer is read."""

    @abstractmethod
    def relaxed(self, request: Request, traits: Traits, fault: Fault) -> Traits | None:
        """Other traits that make the server take what it has just refused; None where nothing of ours is at fault.

        Nothing was generated and nothing paid for when a server refuses a field, so this is still the same attempt.
        """

    @abstractmethod
    def key_headers(self, key: str) -> dict[str, str]:
        """The headers that carry the key, and what else every request of this format needs."""

    def wire_names(self, request: Request) -> tuple[str, ...]:
        """The tools' names as they are sent, in the order they are sent, which is that of the request."""
        return tuple(tool.name for tool in request.tools)

    def unfit(self, tool: ToolSchema, traits: Traits) -> str | None:
        """Why the server would refuse this tool, where that can be told before it is asked."""
        del tool, traits
        return None

    def reader(self, decoder: Decoder, redact: Callable[[str], str]) -> Reader:
        """Cuts the body of an answer into records: events or one whole document, where a format says nothing else."""
        return AnswerReader(decoder, redact)

    def model_info(self, model: str) -> ModelInfo:
        """What is known about `model`; figures of an unknown one are None."""
        return self.record(model).info

    def known_models(self) -> tuple[str, ...]:
        """Models of the settings, and on the vendor's own host those of the data file."""
        listed = self._catalog.names() if self.is_official else ()
        return tuple(dict.fromkeys([*self.options.models, *listed]))

    async def list_models(self) -> tuple[ModelInfo, ...]:
        """The server's own list; what it does not say is taken from the data file and the settings.

        Raises: RetriableError and FatalError subclasses.
        """
        found: dict[str, ModelInfo] = {}
        asked: list[str] = [""]
        for _ in range(_MAX_PAGES):
            page = read_page(await self.ask(f"{self.models_operation}{asked[-1]}"))
            records = [(one, self.record(one.name)) for one in page.models]
            found |= {one.name: one.over(record.info) for one, record in records if record.is_chat}
            joint = "&" if "?" in self.models_operation else "?"
            query = f"{joint}{page.next}"
            if page.next is None or query in asked:
                break  # A server that names the same page again would do so for ever.
            asked.append(query)
        return tuple(found.values())

    async def ask(self, operation: str, body: bytes | None = None, model: str = "") -> bytes:
        """The answer to a question that is not one to a model; without a `body` it is fetched.

        Raises: RetriableError and FatalError subclasses.
        """
        key = await self._keys.read() if self._key is None else self._key
        self._key, headers = key, self._headers(key)
        if body is None:
            reply = await self._connection.get(operation, headers)
        else:
            reply = await self._connection.post(operation, body, headers)
        try:
            idle = self.options.idle_seconds or None
            if 200 <= reply.status < 300:
                return await reply.whole_body(idle, _LARGEST_LIST)
            found = await reply.short_body(idle)
        finally:
            await reply.close()
        raise self._classifier(key).error(fault_of(reply.status, reply.headers, found), model)

    def check(self, model: str) -> None:
        """See the contract. A key that a command prints is not asked for here.

        Raises: UnknownName, MissingKey.
        """
        if not model or model != model.strip() or any(not char.isprintable() for char in model):
            raise UnknownName("model", model, self.known_models())
        if self.is_official and model not in self.options.models:
            begins = self.service.model_names
            if begins and not model.startswith(begins):
                raise UnknownName(f"model of {self.service.name}", model, self.known_models())
            if not self.record(model).is_chat:
                raise UnknownName("chat model", model, self.known_models())
        problem = self._keys.problem()
        if problem:
            raise MissingKey(problem)

    async def stream(self, request: Request) -> AsyncGenerator[StreamPiece, None]:
        """See the contract. A server that refuses an optional field or a tool is asked again without it, at once.

        Raises: RetriableError and FatalError subclasses.
        """
        record = self.record(request.model)
        info = self.told.get(request.model, record.info)
        key = await self._keys.read() if self._key is None else self._key
        self._key, classifier = key, self._classifier(key)
        if (blindness := self._lessons.blindness(request, info)) is not None:
            yield blindness
        for remaining in range(_MAX_RELAXATIONS, -1, -1):
            traits = self.traits_of(request.model)
            for remark in self._leave_out_unfit(request, traits):
                yield remark
            kept = self._lessons.applied(request, info)
            exchange = self.exchange(kept, record, traits)
            reply = await self._connection.post(exchange.operation, exchange.body, self._headers(key, exchange.headers))
            try:
                if 200 <= reply.status < 300:
                    async with aclosing(self._answer(reply, request.model, exchange, classifier)) as pieces:
                        async for piece in pieces:
                            yield piece
                    return
                fault = fault_of(reply.status, reply.headers, await reply.short_body(_AFTER_STOP_SECONDS))
            finally:
                await reply.close()
            if fault.status == 401:
                self._key = None  # A command may give a fresh one next time.
            remarks = self._remarks(kept, traits, fault, classifier) if remaining else None
            if remarks is None:
                raise classifier.error(fault, request.model)
            for remark in remarks:
                yield remark

    async def close(self) -> None:
        """Free connections."""
        await self._connection.close()

    def record(self, model: str) -> ModelRecord:
        """What the data file and the settings say about `model`."""
        return self._catalog.record(model, is_official=self.is_official, options=self.options.models.get(model))

    def traits_of(self, model: str) -> Traits:
        """How `model` is asked, after what its server has refused so far."""
        return self._lessons.traits.get(model) or self.record(model).traits(self.first_traits())

    def _remarks(
        self, sent: Request, traits: Traits, fault: Fault, classifier: FaultClassifier
    ) -> tuple[Remark, ...] | None:
        """Learn from a refusal, and what the person is told of it; None where nothing of ours could be left out."""
        weaker = self.relaxed(sent, traits, fault)
        if weaker is not None:
            self._lessons.traits[sent.model] = weaker
            return ()
        reason = one_line(classifier.redact(fault.message), 300)
        remark = self._lessons.learn(sent, self.wire_names(sent), fault, reason)
        return None if remark is None else (remark,)

    def _leave_out_unfit(self, request: Request, traits: Traits) -> Iterator[Remark]:
        for tool in request.tools:
            is_known = self._lessons.is_left_out(request.model, tool.name)
            if not is_known and (reason := self.unfit(tool, traits)):
                yield self._lessons.leave_out(request.model, tool.name, reason)

    async def _answer(
        self, reply: Reply, model: str, exchange: Exchange, classifier: FaultClassifier
    ) -> AsyncGenerator[StreamPiece, None]:
        decoder = exchange.decoder(lambda fault: classifier.error(fault, model), reply.headers)
        reader = self.reader(decoder, classifier.redact)
        idle = self.options.idle_seconds or None
        deadline: float | None = None
        while (chunk := await _next_chunk(reply, idle, deadline)) is not None:
            pieces = reader.feed(chunk)
            deadline = _deadline(reader, pieces, deadline)
            for piece in pieces:
                yield piece
        for piece in reader.end():
            yield piece

    def _headers(self, key: str, more: Mapping[str, str] | None = None) -> dict[str, str]:
        headers = {
            "content-type": "application/json",
            "accept": "text/event-stream, application/json",
            "accept-encoding": "identity",
            "user-agent": "aries",
        }
        headers |= self.key_headers(key)
        headers |= more or {}
        return headers | {name.lower(): value for name, value in self.options.headers.items()}

    def _classifier(self, key: str) -> FaultClassifier:
        values = {key, *self.options.headers.values()}
        redact = Redactor(frozenset(value for value in values if len(value) >= 6))
        return FaultClassifier(
            self._connection.server, redact, self._keys.hint, self.known_models, self.service.address.version
        )

    def _official(self) -> Endpoint:
        return parse_endpoint(self.service.base_url, "base_url", self.service.address)

    def _find_endpoint(self, options: HttpOptions, environ: Mapping[str, str], problems: list[str]) -> Endpoint:
        variable = self.service.base_url_variable
        named = environ.get(variable, "").strip() if variable else ""
        uses_variable = bool(named) and options.base_url == self.service.base_url
        where = str(variable) if uses_variable else f"providers.{self.service.name}.base_url"
        try:
            return parse_endpoint(named if uses_variable else options.base_url, where, self.service.address)
        except ConfigError as error:
            problems += error.problems
            return self._official()

    def _key_variables(self, options: HttpOptions) -> tuple[str, ...]:
        is_default = options.api_key_env == self.options_type().api_key_env
        return (options.api_key_env, *(self.service.more_key_variables if is_default else ()))

    def _check_models(self, problems: list[str]) -> None:
        for model in self.options.models:
            try:
                self.record(model).traits(self.first_traits())
            except ConfigError as error:
                problems += error.problems


def _deadline(reader: Reader, pieces: list[StreamPiece], old: float | None) -> float | None:
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
