"""What every provider that speaks HTTP must do, as tests: subclass `HttpProviderSuite`."""

from __future__ import annotations

import asyncio
import itertools
import json
from abc import abstractmethod
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from typing import Any

import attrs
import pytest

from aries_kernel.contracts.provider import Provider
from aries_kernel.errors import (
    AriesError,
    FatalError,
    NetworkDown,
    Overloaded,
    RetriableError,
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
from aries_kernel.model.request import Request
from aries_kernel.model.stream import StreamPiece
from aries_kernel.model.usage import Usage
from aries_kernel.testing.provider_script import (
    COMMANDS,
    ScriptedAnswer,
    ScriptedCall,
    collect,
    joined_calls,
    joined_text,
    last_usage,
    run_limited,
    sample_request,
)
from aries_kernel.testing.provider_suite import ProviderSuite
from aries_kernel.testing.wire_server import Send, WireReply, WireServer, in_pieces

__all__ = ["HttpProviderSuite"]

_KEY = "sk-suite-0123456789abcdef"


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
            "Grüße 👋", calls=(ScriptedCall("Bash", COMMANDS[1], "c"),), usage=Usage(input=3, output=4)
        )
        reply = self.wire(answer)
        cut = attrs.evolve(reply, steps=in_pieces(self._body(answer), size))

        async def work() -> list[StreamPiece]:
            async with WireServer([cut]) as server, self.at(server) as provider:
                return await collect(provider, sample_request(self.model))

        pieces = run_limited(work())
        assert joined_text(pieces) == "Grüße 👋"
        assert [json.loads(raw) for _, raw, _ in joined_calls(pieces)] == [json.loads(COMMANDS[1])]
        assert last_usage(pieces) == Usage(input=3, output=4)

    def test_closing_the_generator_frees_the_socket(self) -> None:
        async def work() -> None:
            replies = [self.wire(ScriptedAnswer("First", stalls=True)), self.wire(ScriptedAnswer("next"))]
            async with WireServer(replies) as server, self.at(server) as provider:
                pieces = provider.stream(sample_request(self.model))
                await anext(pieces)
                await pieces.aclose()
                await server.client_left.wait()
                assert joined_text(await collect(provider, sample_request(self.model))) == "next"

        run_limited(work())

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

        run_limited(work())

    def test_a_server_that_falls_silent_is_a_network_that_is_down(self) -> None:
        async def work() -> None:
            stalled = WireServer([self.wire(ScriptedAnswer("First", stalls=True))])
            async with stalled as server, self.at(server, idle_seconds=0.3) as provider:
                with pytest.raises(NetworkDown):
                    await collect(provider, sample_request(self.model))

        run_limited(work())

    def test_no_server_is_a_network_that_is_down(self) -> None:
        async def work() -> None:
            async with WireServer([]) as server:
                url = server.url
            provider = self.provider_at(url, _KEY, 5.0)
            with pytest.raises(NetworkDown):
                await collect(provider, sample_request(self.model))
            await provider.close()

        run_limited(work())

    def test_equal_requests_have_equal_bodies(self) -> None:
        bodies = self.bodies(sample_request(self.model), sample_request(self.model))
        assert bodies[0] == bodies[1]

    def test_a_longer_conversation_begins_with_the_bytes_of_the_shorter_one(self) -> None:
        said: tuple[Message, ...] = ()
        requests = []
        for turn, date in enumerate(("Today is Monday.", "Today is Tuesday.", "Next year.")):
            said += (UserMessage(f"Prompt {turn}.", date),)
            requests.append(sample_request(self.model, *said))
            call = ToolCall(f"call_{turn}", "Bash", COMMANDS[turn % 2], f"wire_{turn % 2}")
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

        [request] = run_limited(work()).requests
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

        return run_limited(work())

    def _error_for(self, reply: WireReply) -> AriesError:
        async def work() -> None:
            async with WireServer([reply]) as server, self.at(server) as provider:
                await collect(provider, sample_request(self.model))

        with pytest.raises(AriesError) as caught:
            run_limited(work())
        return caught.value
