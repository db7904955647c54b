"""The scripted server ends without leaving a connection behind."""

from __future__ import annotations

import asyncio
import gc
import socket
import ssl
from contextlib import suppress

import pytest
import trustme

from aries_kernel.testing.wire_server import Send, WireReply, WireServer


def tls_context() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    trustme.CA().issue_cert("127.0.0.1").configure_cert(context)
    return context


def drain(client: socket.socket) -> None:
    """Read until the other end is gone.

    Raises:
        TimeoutError: it is still there.
    """
    client.settimeout(10)
    with suppress(ConnectionError):
        while client.recv(1 << 20):
            pass


@pytest.mark.parametrize("tls", [False, True], ids=["plain", "tls"])
@pytest.mark.parametrize("steps", range(8))
@pytest.mark.parametrize("said", [b"", b"GET /large HTTP/1.1\r\n\r\n"], ids=["silent", "does-not-read"])
def test_a_client_that_just_came_is_let_go_with_the_server(tls: bool, steps: int, said: bytes) -> None:
    reply = WireReply((Send(b"x" * 5_000_000),), framing="length")

    async def work() -> socket.socket:
        async with WireServer(lambda _: reply, tls_context() if tls else None) as server:
            client = socket.create_connection(("127.0.0.1", server.port))
            client.sendall(said)
            for _ in range(steps):
                await asyncio.sleep(0)
            return client

    with asyncio.run(work()) as client:
        drain(client)
    gc.collect()  # A transport that was forgotten would be reported here.
