"""A real HTTP server on loopback that answers by script: bytes in any pieces, pauses, cuts, silence, odd heads."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Literal, Self

from attrs import field, frozen

__all__ = ["Cut", "Pause", "RecordedRequest", "Send", "Stall", "WireReply", "WireServer", "in_pieces"]

_LARGEST_HEAD = 256 * 1024
_STEPS_TO_A_HANDLER = 4


@frozen
class Send:
    """Bytes, written and flushed at once."""

    data: bytes


@frozen
class Pause:
    """Nothing for a while."""

    seconds: float


@frozen
class Stall:
    """Nothing any more, with the connection open, until the client goes away or the server is closed."""


@frozen
class Cut:
    """The connection breaks here, without an end of the body."""


Step = Send | Pause | Stall | Cut


@frozen
class WireReply:
    """One response. `framing`: how the client learns where the body ends; `raw` sends the steps and no head at all."""

    steps: tuple[Step, ...] = ()
    status: int = 200
    headers: Mapping[str, str] = field(factory=lambda: {"content-type": "text/event-stream"})
    framing: Literal["chunked", "close", "length", "raw"] = "chunked"


@frozen
class RecordedRequest:
    """A request as it arrived; header names are lower case."""

    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes


def in_pieces(data: bytes, size: int) -> tuple[Send, ...]:
    """`data` cut into sends of `size` bytes."""
    return tuple(Send(data[start : start + size]) for start in range(0, len(data), size))


class WireServer:
    """Plays one reply a request, in order; a request too many gets 500. An async context manager."""

    def __init__(
        self,
        script: Iterable[WireReply] | Callable[[RecordedRequest], WireReply],
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._answer = script if callable(script) else _in_order(script)
        self._tls = tls
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._writers: set[asyncio.StreamWriter] = set()
        self.requests: list[RecordedRequest] = []
        self.client_left = asyncio.Event()
        """Set when a client closes its connection before a reply was complete."""

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0, limit=_LARGEST_HEAD, ssl=self._tls)
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        await self._take_no_more(self._server)
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for writer in self._writers:
            # Closing would wait until a client that does not read has taken what is still to be sent.
            writer.transport.abort()
        await asyncio.gather(*(writer.wait_closed() for writer in self._writers), return_exceptions=True)
        await self._server.wait_closed()

    @staticmethod
    async def _take_no_more(server: asyncio.Server) -> None:
        """Stop listening, and let what was accepted last reach its handler: a closed server would forget it, open."""
        for listener in server.sockets:
            with suppress(NotImplementedError):  # Windows' loop waits for connections otherwise.
                asyncio.get_running_loop().remove_reader(listener)
        for _ in range(_STEPS_TO_A_HANDLER):
            await asyncio.sleep(0)

    @property
    def port(self) -> int:
        """The port it listens on."""
        assert self._server is not None
        return int(self._server.sockets[0].getsockname()[1])

    @property
    def url(self) -> str:
        """`http://127.0.0.1:PORT`, with https where it speaks TLS."""
        return f"http{'' if self._tls is None else 's'}://127.0.0.1:{self.port}"

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        self._writers.add(writer)
        try:
            while (request := await _read_request(reader)) is not None:
                self.requests.append(request)
                if not await self._play(self._answer(request), reader, writer):
                    break
        except (ConnectionError, asyncio.IncompleteReadError):
            self.client_left.set()
        except asyncio.CancelledError:
            pass  # The server is being closed; the streams module would report a cancelled handler as an error.
        finally:
            self._tasks.discard(task)
            writer.close()

    async def _play(self, reply: WireReply, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Whether the connection may serve another request."""
        writer.write(_head(reply))
        await writer.drain()
        for step in reply.steps:
            match step:
                case Send(data):
                    await _send(writer, data, reply.framing)
                case Pause(seconds):
                    await self._wait(reader, seconds)
                case Stall():
                    await self._wait(reader, None)
                    return False
                case Cut():
                    writer.transport.abort()
                    return False
        if reply.framing == "chunked":
            writer.write(b"0\r\n\r\n")
            await writer.drain()
        return reply.framing in ("chunked", "length")

    async def _wait(self, reader: asyncio.StreamReader, seconds: float | None) -> None:
        """Wait, but not longer than the client stays."""
        try:
            async with asyncio.timeout(seconds):
                if not await reader.read(1):
                    raise ConnectionResetError
        except TimeoutError:
            return


def _in_order(replies: Iterable[WireReply]) -> Callable[[RecordedRequest], WireReply]:
    waiting = iter(replies)
    nothing = WireReply((Send(b"no reply is scripted for this request"),), status=500)
    return lambda _: next(waiting, nothing)


async def _read_request(reader: asyncio.StreamReader) -> RecordedRequest | None:
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError:
        return None  # The client closed a connection that it no longer needs.
    first, *lines = head.decode("latin-1").rstrip("\r\n").split("\r\n")
    method, target, _ = first.split(" ", 2)
    headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return RecordedRequest(method, target, headers, body)


def _head(reply: WireReply) -> bytes:
    if reply.framing == "raw":
        return b""
    headers = dict(reply.headers)
    if reply.framing == "chunked":
        headers["transfer-encoding"] = "chunked"
    elif reply.framing == "length":
        headers["content-length"] = str(sum(len(step.data) for step in reply.steps if isinstance(step, Send)))
    else:
        headers["connection"] = "close"
    lines = [f"HTTP/1.1 {reply.status} Scripted", *(f"{name}: {value}" for name, value in headers.items())]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


async def _send(writer: asyncio.StreamWriter, data: bytes, framing: str) -> None:
    if data:
        writer.write(b"%x\r\n%s\r\n" % (len(data), data) if framing == "chunked" else data)
        await writer.drain()
