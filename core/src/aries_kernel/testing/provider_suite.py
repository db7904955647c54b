"""What every provider must do, as tests: subclass `ProviderSuite`, or `HttpProviderSuite` where HTTP is spoken.

A provider's author says how an answer looks on the wire (the dialect); the suite plays answers and checks what comes
out. Class names of subclasses start with `Test`.
"""

from __future__ import annotations

import asyncio
import itertools
import json
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import AbstractAsyncContextManager, aclosing, asynccontextmanager
from typing import Any, ClassVar, TypeVar

import attrs
import pytest
from attrs import frozen

from aries_kernel.contracts.provider import Provider
from aries_kernel.errors import (
    AriesError,
    AuthRefused,
    ContextOverflow,
    FatalError,
    NetworkDown,
    Overloaded,
    QuotaExhausted,
    RateLimited,
    RequestRefused,
    RetriableError,
    StreamCut,
)
from aries_kernel.model.messages import (
    AssistantMessage,
    Message,
    Reasoning,
    ResultsMessage,
    ResultStatus,
    StopReason,
    Text,
    ToolCall,
    ToolResult,
    UserMessage,
)
from aries_kernel.model.request import Request, ToolSchema
from aries_kernel.model.stream import CallPiece, ReasoningPiece, Stopped, StreamPiece, TextPiece, UsageReport
from aries_kernel.model.usage import Usage
from aries_kernel.testing.wire_server import Send, WireReply, WireServer, in_pieces

__all__ = [
    "HttpProviderSuite",
    "ProviderSuite",
    "ScriptedAnswer",
    "ScriptedCall",
    "ScriptedFault",
    "collect",
    "joined_calls",
    "run_limited",
    "sample_request",
]

Result = TypeVar("Result")

_LIMIT_SECONDS = 10.0
_KEY = "sk-suite-0123456789abcdef"
_COMMANDS = ('{"command":"echo one"}', '{"command":"echo \\"two\\" ü {}"}')


@frozen
class ScriptedCall:
    """A call in an answer. `arguments` is sent as it stands, also where it is no complete JSON."""

    name: str
    arguments: str
    wire_id: str | None = None


@frozen
class ScriptedFault:
    """A refusal that must come out as `error`. `after`: the wait the server asks for.

    `in_answer`: it comes inside an answer that began well, after its text.
    """

    error: type[AriesError]
    after: float | None = None
    in_answer: bool = False


@frozen
class ScriptedAnswer:
    """What the model says. Without `stop` and `fault` the answer breaks off after its last piece."""

    text: str = ""
    reasoning: str = ""
    calls: tuple[ScriptedCall, ...] = ()
    stop: StopReason | None = StopReason.END
    usage: Usage | None = None
    fault: ScriptedFault | None = None
    stalls: bool = False
    """After its last piece nothing more is sent and nothing is closed."""


def sample_request(model: str, *messages: Message, max_output: int | None = None) -> Request:
    """A request with a system text and a tool `Bash`."""
    parameters = {"type": "object", "properties": {"command": {"type": "string"}}, "required": ["command"]}
    tool = ToolSchema("Bash", "Runs a command.", parameters)
    said = messages or (UserMessage("Say hi."),)
    return Request(model, "You are a test.", (tool,), said, session="s-1", max_output=max_output)


async def collect(provider: Provider, request: Request) -> list[StreamPiece]:
    """All pieces of one answer."""
    async with aclosing(provider.stream(request)) as pieces:
        return [piece async for piece in pieces]


def joined_calls(pieces: Sequence[StreamPiece]) -> list[tuple[str, str, str | None]]:
    """The calls of an answer as (name, arguments, wire id), put together the way the loop does it."""
    found: dict[str, tuple[str, str, str | None]] = {}
    for piece in pieces:
        if isinstance(piece, CallPiece):
            name, arguments, wire_id = found.get(piece.key, ("", "", None))
            found[piece.key] = (name or piece.name, arguments + piece.arguments, piece.wire_id or wire_id)
    return list(found.values())


def _run(work: Coroutine[object, object, Result]) -> Result:
    return asyncio.run(asyncio.wait_for(work, _LIMIT_SECONDS))


def run_limited(work: Coroutine[object, object, Result]) -> Result:
    """Run to the end; nothing that a suite does may take longer than its limit."""
    return _run(work)


def _text(pieces: Sequence[StreamPiece]) -> str:
    return "".join(piece.text for piece in pieces if isinstance(piece, TextPiece))


def _usage(pieces: Sequence[StreamPiece]) -> Usage | None:
    return next((piece.usage for piece in reversed(pieces) if isinstance(piece, UsageReport)), None)


def _in_prompt_order(body: bytes) -> tuple[bytes, list[bytes]]:
    """What stands before the conversation, and each message of it, as bytes and without marks of where a cache ends."""
    record = _without_marks(json.loads(body))
    key = next(name for name in ("messages", "contents", "input") if name in record)
    messages = record.pop(key)
    return json.dumps(record).encode(), [json.dumps(one).encode() for one in messages]


def _without_marks(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_marks(one) for name, one in value.items() if name != "cache_control"}
    return [_without_marks(one) for one in value] if isinstance(value, list) else value


class ProviderSuite(ABC):
    """The contract of every provider."""

    model: ClassVar[str]
    """A model the provider can be asked for."""
    has_wire_ids: ClassVar[bool] = True
    """False where the wire has no ids for calls."""

    @abstractmethod
    def playing(self, *answers: ScriptedAnswer) -> AbstractAsyncContextManager[Provider]:
        """A provider that gives these answers, one a request, and is closed at the end."""

    async def _pieces(self, answer: ScriptedAnswer) -> list[StreamPiece]:
        async with self.playing(answer) as provider:
            return await collect(provider, sample_request(self.model))

    def pieces(self, answer: ScriptedAnswer) -> list[StreamPiece]:
        """What comes out for `answer`."""
        return _run(self._pieces(answer))

    def fails(self, answer: ScriptedAnswer, error: type[AriesError]) -> AriesError:
        """The error that comes out for `answer`, which must be of this class exactly."""
        with pytest.raises(error) as caught:
            self.pieces(answer)
        assert type(caught.value) is error
        return caught.value

    def test_text_arrives_whole_and_ends_with_one_stop(self) -> None:
        pieces = self.pieces(ScriptedAnswer("Grüße 👋\n\nbye"))
        assert _text(pieces) == "Grüße 👋\n\nbye"
        assert [piece.reason for piece in pieces if isinstance(piece, Stopped)] == [StopReason.END]
        assert isinstance(pieces[-1], Stopped)

    def test_a_call_arrives_with_its_arguments_as_they_were_written(self) -> None:
        pieces = self.pieces(ScriptedAnswer("Running.", calls=(ScriptedCall("Bash", _COMMANDS[1], "call_1"),)))
        [(name, arguments, _)] = joined_calls(pieces)
        assert (name, json.loads(arguments)) == ("Bash", json.loads(_COMMANDS[1]))
        assert _text(pieces) == "Running."

    def test_the_name_of_a_call_is_told_once(self) -> None:
        pieces = self.pieces(ScriptedAnswer(calls=(ScriptedCall("Bash", _COMMANDS[0], "call_1"),)))
        assert [piece.name for piece in pieces if isinstance(piece, CallPiece) and piece.name] == ["Bash"]

    @pytest.mark.parametrize("ids", [("a1", "a2"), ("same", "same"), (None, None)])
    def test_two_calls_stay_two_whatever_their_ids(self, ids: tuple[str | None, str | None]) -> None:
        calls = tuple(ScriptedCall("Bash", raw, one) for raw, one in zip(_COMMANDS, ids, strict=True))
        got = joined_calls(self.pieces(ScriptedAnswer(calls=calls)))
        assert [(name, json.loads(raw)) for name, raw, _ in got] == [("Bash", json.loads(raw)) for raw in _COMMANDS]

    def test_a_call_without_arguments_arrives(self) -> None:
        [(name, arguments, _)] = joined_calls(self.pieces(ScriptedAnswer(calls=(ScriptedCall("Bash", "{}", "c"),))))
        assert (name, json.loads(arguments or "{}")) == ("Bash", {})

    def test_reasoning_arrives_apart_from_the_text(self) -> None:
        pieces = self.pieces(ScriptedAnswer("Hi.", reasoning="They greet."))
        assert "".join(piece.text for piece in pieces if isinstance(piece, ReasoningPiece)) == "They greet."
        assert _text(pieces) == "Hi."

    @pytest.mark.parametrize("stop", [StopReason.LENGTH, StopReason.FILTERED])
    def test_another_reason_for_the_stop_is_told(self, stop: StopReason) -> None:
        pieces = self.pieces(ScriptedAnswer("So far", stop=stop))
        assert isinstance(pieces[-1], Stopped)
        assert pieces[-1].reason is stop

    def test_arguments_cut_by_the_output_limit_are_not_repaired(self) -> None:
        calls = (ScriptedCall("Bash", '{"command":"rm -rf x', "c"),)
        pieces = self.pieces(ScriptedAnswer(calls=calls, stop=StopReason.LENGTH))
        assert joined_calls(pieces)[0][1] == '{"command":"rm -rf x'
        assert isinstance(pieces[-1], Stopped)
        assert pieces[-1].reason is StopReason.LENGTH

    def test_an_empty_answer_is_told_as_what_it_is(self) -> None:
        pieces = self.pieces(ScriptedAnswer())
        assert _text(pieces) == ""
        assert joined_calls(pieces) == []
        assert isinstance(pieces[-1], Stopped)

    def test_text_that_breaks_off_is_a_cut_stream(self) -> None:
        self.fails(ScriptedAnswer("All d", stop=None), StreamCut)

    def test_a_call_that_breaks_off_is_a_cut_stream(self) -> None:
        self.fails(ScriptedAnswer(calls=(ScriptedCall("Bash", '{"command":"touch X', "c"),), stop=None), StreamCut)

    def test_a_whole_call_without_a_reason_for_the_stop_is_a_cut_stream(self) -> None:
        self.fails(ScriptedAnswer(calls=(ScriptedCall("Bash", _COMMANDS[0], "c"),), stop=None), StreamCut)

    def test_usage_keeps_cached_tokens_apart_from_fresh_ones(self) -> None:
        usage = Usage(input=70, cache_read=30, output=12)
        assert _usage(self.pieces(ScriptedAnswer("Hi.", usage=usage))) == usage

    def test_no_usage_is_reported_where_the_server_gave_none(self) -> None:
        assert _usage(self.pieces(ScriptedAnswer("Hi."))) is None

    @pytest.mark.parametrize(
        "error", [AuthRefused, ContextOverflow, Overloaded, QuotaExhausted, RateLimited, RequestRefused]
    )
    def test_a_refusal_has_its_class(self, error: type[AriesError]) -> None:
        assert "\n" not in str(self.fails(ScriptedAnswer(fault=ScriptedFault(error)), error))

    @pytest.mark.parametrize("error", [RateLimited, Overloaded])
    def test_the_wait_a_server_asks_for_is_passed_on(self, error: type[RetriableError]) -> None:
        raised = self.fails(ScriptedAnswer(fault=ScriptedFault(error, after=2.0)), error)
        assert isinstance(raised, RetriableError)
        assert raised.after == 2.0

    @pytest.mark.parametrize("error", [Overloaded, RateLimited])
    def test_a_refusal_inside_an_answer_has_its_class(self, error: type[AriesError]) -> None:
        self.fails(ScriptedAnswer("Partly", fault=ScriptedFault(error, in_answer=True)), error)

    def test_one_request_is_one_attempt(self) -> None:
        async def work() -> list[StreamPiece]:
            async with self.playing(ScriptedAnswer(fault=ScriptedFault(Overloaded)), ScriptedAnswer("ok")) as provider:
                with pytest.raises(Overloaded):
                    await collect(provider, sample_request(self.model))
                return await collect(provider, sample_request(self.model))

        assert _text(_run(work())) == "ok"

    def test_an_answer_may_be_left_after_its_first_piece(self) -> None:
        async def work() -> None:
            async with self.playing(ScriptedAnswer("First", stalls=True)) as provider:
                pieces = provider.stream(sample_request(self.model))
                await anext(pieces)
                await pieces.aclose()
                with pytest.raises(StopAsyncIteration):
                    await anext(pieces)

        _run(work())

    def test_figures_of_a_model_are_given(self) -> None:
        async def work() -> None:
            async with self.playing() as provider:
                assert provider.model_info(self.model).name == self.model
                assert all(isinstance(name, str) for name in provider.known_models())
                provider.check(self.model)

        _run(work())


class HttpProviderSuite(ProviderSuite):
    """The contract of providers that speak HTTP, on a real server on loopback."""

    @abstractmethod
    def provider_at(self, url: str, key: str, idle_seconds: float) -> Provider:
        """A provider that asks the server at `url` (without a path) with this key."""

    @abstractmethod
    def wire(self, answer: ScriptedAnswer) -> WireReply:
        """How `answer` looks on the wire: the dialect. Steps hold the body; a stop of None leaves its end out."""

    @asynccontextmanager
    async def at(self, server: WireServer, idle_seconds: float = 5.0) -> AsyncIterator[Provider]:
        """A provider that asks `server`."""
        provider = self.provider_at(server.url, _KEY, idle_seconds)
        try:
            yield provider
        finally:
            await provider.close()

    @asynccontextmanager
    async def playing(self, *answers: ScriptedAnswer) -> AsyncIterator[Provider]:
        async with WireServer([self.wire(answer) for answer in answers]) as server, self.at(server) as provider:
            yield provider

    def _body(self, answer: ScriptedAnswer) -> bytes:
        return b"".join(step.data for step in self.wire(answer).steps if isinstance(step, Send))

    @pytest.mark.parametrize("size", [1, 7, 65_536])
    def test_pieces_do_not_depend_on_how_the_bytes_are_cut(self, size: int) -> None:
        answer = ScriptedAnswer(
            "Grüße 👋", calls=(ScriptedCall("Bash", _COMMANDS[1], "c"),), usage=Usage(input=3, output=4)
        )
        reply = self.wire(answer)
        cut = attrs.evolve(reply, steps=in_pieces(self._body(answer), size))

        async def work() -> list[StreamPiece]:
            async with WireServer([cut]) as server, self.at(server) as provider:
                return await collect(provider, sample_request(self.model))

        pieces = _run(work())
        assert _text(pieces) == "Grüße 👋"
        assert [json.loads(raw) for _, raw, _ in joined_calls(pieces)] == [json.loads(_COMMANDS[1])]
        assert _usage(pieces) == Usage(input=3, output=4)

    def test_closing_the_generator_frees_the_socket(self) -> None:
        async def work() -> None:
            replies = [self.wire(ScriptedAnswer("First", stalls=True)), self.wire(ScriptedAnswer("next"))]
            async with WireServer(replies) as server, self.at(server) as provider:
                pieces = provider.stream(sample_request(self.model))
                await anext(pieces)
                await pieces.aclose()
                await server.client_left.wait()
                assert _text(await collect(provider, sample_request(self.model))) == "next"

        _run(work())

    def test_cancelling_the_task_frees_the_socket(self) -> None:
        async def work() -> None:
            async with (
                WireServer([self.wire(ScriptedAnswer("First", stalls=True))]) as server,
                self.at(server) as provider,
            ):
                got_one = asyncio.Event()

                async def read() -> None:
                    async with aclosing(provider.stream(sample_request(self.model))) as pieces:
                        async for _ in pieces:
                            got_one.set()

                task = asyncio.create_task(read())
                await got_one.wait()
                task.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await task
                await server.client_left.wait()

        _run(work())

    def test_a_server_that_falls_silent_is_a_network_that_is_down(self) -> None:
        async def work() -> None:
            stalled = WireServer([self.wire(ScriptedAnswer("First", stalls=True))])
            async with stalled as server, self.at(server, idle_seconds=0.3) as provider:
                with pytest.raises(NetworkDown):
                    await collect(provider, sample_request(self.model))

        _run(work())

    def test_no_server_is_a_network_that_is_down(self) -> None:
        async def work() -> None:
            async with WireServer([]) as server:
                url = server.url
            provider = self.provider_at(url, _KEY, 5.0)
            with pytest.raises(NetworkDown):
                await collect(provider, sample_request(self.model))
            await provider.close()

        _run(work())

    def test_equal_requests_have_equal_bodies(self) -> None:
        bodies = self.bodies(sample_request(self.model), sample_request(self.model))
        assert bodies[0] == bodies[1]

    def test_a_longer_conversation_begins_with_the_bytes_of_the_shorter_one(self) -> None:
        said: tuple[Message, ...] = ()
        requests = []
        for turn, date in enumerate(("Today is Monday.", "Today is Tuesday.", "Next year.")):
            said += (UserMessage(f"Prompt {turn}.", date),)
            requests.append(sample_request(self.model, *said))
            call = ToolCall(f"call_{turn}", "Bash", _COMMANDS[turn % 2], f"wire_{turn % 2}")
            thought = Reasoning("hm", "elsewhere", "other", '{"signature":"x"}')
            said += (AssistantMessage((thought, Text("So."), call), StopReason.END, "elsewhere", "other"),)
            said += (ResultsMessage((ToolResult(call.id, "Bash", ResultStatus.OK, "done"),)),)
            said += (AssistantMessage((Text(f"Done {turn}."),), StopReason.END, "elsewhere", "other"),)
        heads, histories = zip(*map(_in_prompt_order, self.bodies(*requests)), strict=True)
        assert heads[0] == heads[1] == heads[2]
        for shorter, longer in itertools.pairwise(histories):
            assert longer[: len(shorter)] == shorter

    def test_the_order_of_tools_is_that_of_the_request(self) -> None:
        first = sample_request(self.model)
        other = attrs.evolve(first.tools[0], name="Another")
        heads = [
            _in_prompt_order(body)[0]
            for body in self.bodies(
                attrs.evolve(first, tools=(first.tools[0], other)), attrs.evolve(first, tools=(other, first.tools[0]))
            )
        ]
        assert heads[0].index(b'"Bash"') < heads[0].index(b'"Another"')
        assert heads[1].index(b'"Another"') < heads[1].index(b'"Bash"')

    def test_no_key_is_in_the_body_or_the_address(self) -> None:
        async def work() -> WireServer:
            async with WireServer([self.wire(ScriptedAnswer("ok"))]) as server, self.at(server) as provider:
                await collect(provider, sample_request(self.model))
                return server

        [request] = _run(work()).requests
        assert _KEY.encode() not in request.body
        assert _KEY not in request.target
        assert any(_KEY in value for value in request.headers.values())

    @pytest.mark.parametrize("status", [400, 401, 403, 404, 429, 500])
    def test_a_key_that_the_server_repeats_is_not_in_the_message(self, status: int) -> None:
        said = WireReply(
            (Send(json.dumps({"error": {"message": f"bad key {_KEY} given"}}).encode()),),
            status=status,
            headers={"content-type": "application/json"},
        )
        error = self._error_for(said)
        assert _KEY not in str(error)
        assert isinstance(error, RetriableError | FatalError)

    @pytest.mark.parametrize(
        "body", [b"", b"<html><title>Bad gateway</title>\n<p>x", b"\xff\xfe{", b'{"error":', b"[[[[" * 9999]
    )
    def test_any_body_of_a_server_error_is_overload(self, body: bytes) -> None:
        error = self._error_for(WireReply((Send(body),), status=502))
        assert type(error) is Overloaded
        assert "\n" not in str(error)
        assert len(str(error)) < 1000

    @pytest.mark.parametrize("body", [b"", b"<html>login</html>", b"data: {", b"\x00\xff", b'{"choices":'])
    def test_a_good_status_without_an_answer_is_an_error(self, body: bytes) -> None:
        assert isinstance(self._error_for(WireReply((Send(body),))), RetriableError | FatalError)

    def test_a_history_with_every_kind_of_message_can_be_sent(self) -> None:
        history = (
            UserMessage("Do \ud800 it.", "Today is Monday."),
            AssistantMessage(
                (
                    Reasoning("hm", "elsewhere", "other", '{"signature":"x"}'),
                    Text(""),
                    ToolCall("c1", "Bash", '{"command":', "dup"),
                    ToolCall("c2", "no such/tool", "[1]", "dup"),
                ),
                StopReason.END,
                "elsewhere",
                "other",
            ),
            ResultsMessage(
                (
                    ToolResult("c1", "Bash", ResultStatus.ERROR, "bad JSON"),
                    ToolResult("c2", "no such/tool", ResultStatus.NOT_RUN, ""),
                )
            ),
            UserMessage("", ""),
        )
        [body] = self.bodies(sample_request(self.model, *history))
        json.loads(body)
        assert b"Today is Monday." in body

    def bodies(self, *requests: Request) -> list[bytes]:
        """The bodies that reach the server for `requests`."""

        async def work() -> list[bytes]:
            replies = [self.wire(ScriptedAnswer("ok")) for _ in requests]
            async with WireServer(replies) as server, self.at(server) as provider:
                for request in requests:
                    await collect(provider, request)
                return [request.body for request in server.requests]

        return _run(work())

    def _error_for(self, reply: WireReply) -> AriesError:
        async def work() -> None:
            async with WireServer([reply]) as server, self.at(server) as provider:
                await collect(provider, sample_request(self.model))

        with pytest.raises(AriesError) as caught:
            _run(work())
        return caught.value
