"""A site on loopback, and the tools on a workspace."""

from __future__ import annotations

import asyncio
import json
import os
import ssl
import threading
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from ipaddress import ip_address
from pathlib import Path
from typing import Any, TypeVar

import attrs
import pytest

from aries_kernel.contracts.tool import ToolContext, ToolOutput
from aries_kernel.settings.schema import Web
from aries_kernel.testing.wire_server import RecordedRequest, Send, WireReply, WireServer
from aries_kernel.testing.workspaces import make_context
from aries_kernel.tools.schema import parse_arguments
from aries_tool_web.addresses import IP
from aries_tool_web.fetch import WebFetch

Result = TypeVar("Result")
HTML = {"content-type": "text/html; charset=utf-8"}


def page(body: str | bytes, headers: Mapping[str, str] = HTML, status: int = 200, **more: Any) -> WireReply:
    """An answer that is one piece."""
    data = body.encode() if isinstance(body, str) else body
    return WireReply((Send(data),), status, headers, **{"framing": "length", **more})


def sends_to(target: str, status: int = 302) -> WireReply:
    """A redirect."""
    return page("", {"location": target}, status)


class Site:
    """A server whose answers are looked up by path; its loop runs in a thread."""

    def __init__(self, tls: ssl.SSLContext | None = None) -> None:
        self.pages: dict[str, WireReply | Callable[[RecordedRequest], WireReply]] = {}
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self.server = WireServer(self._answer, tls)

    def __enter__(self) -> Site:
        self._thread.start()
        self._do(self.server.__aenter__())
        return self

    def __exit__(self, *_: object) -> None:
        self._do(self.server.__aexit__())
        self._do(_end_what_remains())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()

    @property
    def url(self) -> str:
        return self.server.url

    @property
    def asked(self) -> list[str]:
        """Paths that were asked for."""
        return [request.target for request in self.server.requests]

    def named(self, host: str) -> str:
        """The site under another name."""
        return self.url.replace("127.0.0.1", host)

    def _answer(self, request: RecordedRequest) -> WireReply:
        found = self.pages.get(request.target.partition("?")[0], page("no such page", status=404))
        return found(request) if callable(found) else found

    def _do(self, work: Coroutine[Any, Any, Result]) -> Result:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(10)


async def _end_what_remains() -> None:
    """A handshake that a client left has a task and no handler: no connection may outlive the loop."""
    remaining = asyncio.all_tasks() - {asyncio.current_task()}
    for task in remaining:
        task.cancel()
    await asyncio.gather(*remaining, return_exceptions=True)
    await asyncio.sleep(0)


def plain_environ() -> dict[str, str]:
    """What a process needs to start, without what says where requests go."""
    ours = ("_proxy", "ssl_cert_file", "ssl_cert_dir", "request_method")
    return {name: value for name, value in os.environ.items() if not name.lower().endswith(ours)}


class Admitting:
    """A session that lets every redirect pass, or none, and keeps what it was asked."""

    def __init__(self, refuse: Exception | None = None) -> None:
        self.refuse = refuse
        self.asked: list[tuple[str, str]] = []

    async def admit(
        self, name: str, arguments: Mapping[str, object], *, after: Mapping[str, object] | None = None
    ) -> None:
        self.asked.append((str((after or {}).get("url")), str(arguments["url"])))
        if self.refuse is not None:
            raise self.refuse


@pytest.fixture
def site() -> Iterator[Site]:
    with Site() as made:
        yield made


@pytest.fixture
def context(tmp_path: Path) -> ToolContext:
    return make_context(tmp_path, environ=plain_environ())


Fetch = Callable[..., ToolOutput]


@pytest.fixture
def tool(context: ToolContext) -> Callable[..., WebFetch]:
    """A WebFetch for which some names are at loopback, as a resolver that lies would have it."""

    def make(
        inner: Any = None, *, names: Sequence[str] = (), environ: Mapping[str, str] | None = None, **web: Any
    ) -> WebFetch:
        async def resolve(host: str, port: int) -> Sequence[IP]:
            if host in (*names, "localhost"):
                return [ip_address("127.0.0.1")]
            raise OSError(f"nobody knows {host}")

        changed = attrs.evolve(context, inner=inner, web=Web(**web), environ={**context.environ, **(environ or {})})
        return WebFetch(changed, resolve)

    return make


def run(tool: Any, **arguments: object) -> ToolOutput:
    """One call, with arguments as a model sends them."""
    parsed = parse_arguments(tool.arguments, json.dumps(arguments))
    tool.effects(parsed)
    output: ToolOutput = asyncio.run(tool.run(parsed))
    return output
