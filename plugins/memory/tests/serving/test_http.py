"""`ori serve --http`: many clients, one vault, one token."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from ori_memory.serving.opening import MODERN_VERSION
from ori_memory.vault.vault import Vault

sys.path.insert(0, str(Path(__file__).parent))
from talking import HANDSHAKE, environment

COMMAND = [sys.executable, "-m", "ori_memory", "serve", "--http", "--port", "0"]
TOKEN = "a-token-that-nobody-guesses"
Serve = Callable[..., str]


@pytest.fixture
def serve(vault: Vault, home: Path) -> Iterator[Serve]:
    """Start a server and give its address."""
    started: list[subprocess.Popen[str]] = []

    def serving(*arguments: str, **env: str) -> str:
        process = subprocess.Popen(
            [*COMMAND, "--vault", str(vault.root), *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(home, **env),
            encoding="utf-8",
        )
        started.append(process)
        assert process.stderr is not None
        found = re.search(r"http://\S+", process.stderr.readline())
        assert found is not None
        return found[0]

    yield serving
    for process in started:
        process.terminate()
        out, _ = process.communicate(timeout=60)
        assert out == ""
        assert process.returncode == 0 or sys.platform == "win32"


@pytest.mark.parametrize("mode", ["legacy", MODERN_VERSION])
def test_many_clients_share_a_vault(serve: Serve, mode: str) -> None:
    address = serve(ORI_HTTP_TOKEN=TOKEN)

    async def add(number: int) -> dict[str, Any]:
        async with (
            httpx2.AsyncClient(headers={"Authorization": f"Bearer {TOKEN}"}) as http,
            Client(streamable_http_client(address, http_client=http), mode=mode) as client,
        ):
            assert len((await client.list_tools()).tools) == 23
            given = {"title": f"Agent {number} was here today", "content": f"It left its number, {number}."}
            done = await client.call_tool("ori_add", given)
            document: dict[str, Any] = json.loads(done.content[0].text)  # type: ignore[union-attr]  # a text
            return document

    async def add_all() -> list[dict[str, Any]]:
        return await asyncio.gather(*(add(number) for number in range(4)))

    documents = asyncio.run(add_all())
    assert len({document["data"]["path"] for document in documents}) == 4


@pytest.mark.parametrize("header", [None, "Bearer wrong", f"Basic {TOKEN}", "Bearer", f"Bearer {TOKEN}x"])
def test_without_the_token_nobody_gets_in(serve: Serve, header: str | None) -> None:
    assert status(serve(ORI_HTTP_TOKEN=TOKEN), header) == 401


def test_the_token_of_a_file_is_made_where_there_is_none_and_opens_the_door(serve: Serve, tmp_path: Path) -> None:
    file = tmp_path / "token"
    address = serve("--token-file", str(file))
    token = file.read_text(encoding="utf-8").strip()
    assert len(token) >= 32
    assert status(address, None) == 401
    assert status(address, f"Bearer {token}") == 200
    if sys.platform != "win32":
        assert file.stat().st_mode & 0o077 == 0


@pytest.mark.skipif(sys.platform == "win32", reason="a process is ended there, not asked to")
def test_a_server_that_is_told_to_end_leaves_nothing_behind(vault: Vault, home: Path) -> None:
    process = subprocess.Popen(
        [*COMMAND, "--vault", str(vault.root)], stderr=subprocess.PIPE, env=environment(home), encoding="utf-8"
    )
    assert process.stderr is not None
    found = re.search(r"http://\S+", process.stderr.readline())
    assert found is not None and status(found[0], None) == 200
    deadline = time.monotonic() + 60
    while not (vault.state_folder / "server.sock").exists() and time.monotonic() < deadline:
        status(found[0], None)
    process.terminate()
    process.communicate(timeout=60)
    assert process.returncode == 0
    assert not (vault.state_folder / "server.sock").exists()


def test_a_page_of_another_origin_is_not_answered(serve: Serve) -> None:
    address = serve()
    assert status(address, None) == 200
    assert status(address, None, Origin="http://evil.example") == 403
    assert status(address, None, Host="evil.example") == 421


@pytest.mark.parametrize(
    ("arguments", "token", "told"),
    [
        (("--host", "0.0.0.0"), "", "--token-file"),
        (("--host", "::"), "", "--token-file"),
        (("--host", "198.51.100.7"), TOKEN, "198.51.100.7"),
        ((), "short", "16"),
    ],
)
def test_what_would_let_strangers_in_is_refused(
    vault: Vault, home: Path, arguments: tuple[str, ...], token: str, told: str
) -> None:
    done = subprocess.run(
        [*COMMAND, "--vault", str(vault.root), *arguments],
        env=environment(home, **({"ORI_HTTP_TOKEN": token} if token else {})),
        capture_output=True,
        encoding="utf-8",
        timeout=60,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert told in done.stderr and "Traceback" not in done.stderr


def status(address: str, authorization: str | None, **headers: str) -> int:
    message = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HANDSHAKE}).encode()
    sent = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream", **headers}
    if authorization is not None:
        sent["Authorization"] = authorization
    try:
        with urllib.request.urlopen(urllib.request.Request(address, message, sent), timeout=30) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        with error:
            return error.code
