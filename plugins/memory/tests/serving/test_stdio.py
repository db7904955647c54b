"""`ori serve --mcp` as clients meet it: both ways of beginning, the end of the input, the death of a parent."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS

from ori_memory.serving.catalog import tool_list
from ori_memory.serving.desk import Reply
from ori_memory.serving.opening import HANDSHAKE_VERSIONS, MODERN_VERSION, Welcome
from ori_memory.serving.protocol import make_server
from ori_memory.serving.told import Call
from ori_memory.serving.wire import LONGEST
from ori_memory.vault.vault import Vault

sys.path.insert(0, str(Path(__file__).parent))
from talking import ENVELOPE, HANDSHAKE, Talker, environment

Start = Callable[..., Talker]
CLIENT = HANDSHAKE["clientInfo"]
RESOURCES = ["ori://identity", "ori://goals", "ori://methodology", "ori://daily", "ori://reminders"]


@pytest.mark.parametrize("mode", ["legacy", "auto", MODERN_VERSION])
def test_the_official_client_asks_in_every_version(vault: Vault, home: Path, mode: str) -> None:
    async def talk() -> tuple[str, list[str], dict[str, Any], list[str], str]:
        arguments = ["-m", "ori_memory", "serve", "--mcp", "--vault", str(vault.root)]
        server = stdio_client(StdioServerParameters(command=sys.executable, args=arguments, env=environment(home)))
        async with Client(server, mode=mode) as client:
            tools = await client.list_tools()
            done = await client.call_tool("ori_query_ranked", {"query": "how hot is green tea brewed"})
            resources = await client.list_resources()
            goals = await client.read_resource("ori://goals")
            document = json.loads(done.content[0].text)  # type: ignore[union-attr]  # a text, by our own promise
            uris = [str(one.uri) for one in resources.resources]
            text = goals.contents[0].text  # type: ignore[union-attr]  # likewise
            return client.protocol_version, [one.name for one in tools.tools], document, uris, text

    version, tools, document, resources, goals = asyncio.run(talk())
    assert version == ("2025-11-25" if mode == "legacy" else MODERN_VERSION)
    assert len(tools) == 23 and "ori_orient" in tools
    assert document["data"]["results"][0]["path"] == "notes/Green tea is brewed at 80 degrees.md"
    assert resources == RESOURCES
    assert goals == (vault.root / "self/goals.md").read_text(encoding="utf-8")


def test_the_versions_are_those_of_the_official_package() -> None:
    assert HANDSHAKE_VERSIONS == HANDSHAKE_PROTOCOL_VERSIONS
    assert (MODERN_VERSION,) == MODERN_PROTOCOL_VERSIONS


@pytest.mark.parametrize("wanted", [*HANDSHAKE_VERSIONS, "1999-01-01", "2026-07-28"])
def test_a_client_gets_the_version_it_speaks_or_the_last_with_a_handshake(start: Start, wanted: str) -> None:
    answer = start().ask("initialize", {**HANDSHAKE, "protocolVersion": wanted})
    expected = wanted if wanted in HANDSHAKE_VERSIONS else HANDSHAKE_VERSIONS[-1]
    assert answer["result"]["protocolVersion"] == expected


def test_what_is_answered_by_heart_is_what_the_library_answers(start: Start) -> None:
    server = start()
    begun = server.begin()
    methods = ("ping", "tools/list", "resources/list")
    by_heart = [server.ask(method)["result"] for method in methods]
    server.call("ori_status")
    assert [server.ask(method)["result"] for method in methods] == by_heart
    assert server.ask("initialize", HANDSHAKE)["result"] == begun["result"]


@pytest.mark.parametrize(
    "odd",
    [
        {"capabilities": {"roots": "yes", "new": [1]}},
        {"_meta": {"progressToken": [1]}},
        {"clientInfo": {**CLIENT, "icons": 5}},
    ],
)
def test_a_handshake_with_something_odd_in_it_begins_a_connection(start: Start, odd: dict[str, Any]) -> None:
    server = start()
    assert "result" in server.ask("initialize", {**HANDSHAKE, **odd})
    server.send('{"jsonrpc":"2.0","method":"notifications/initialized"}')
    assert server.call("ori_status")["success"]


@pytest.mark.parametrize("missing", ["protocolVersion", "capabilities", "clientInfo"])
def test_a_handshake_that_is_none_is_refused_and_may_be_tried_again(start: Start, missing: str) -> None:
    server = start()
    assert "error" in server.ask("initialize", {name: value for name, value in HANDSHAKE.items() if name != missing})
    server.begin()
    assert server.call("ori_status")["success"]


def test_discovery_is_answered_by_heart_as_the_library_does(start: Start) -> None:
    server = start()
    found = server.ask("server/discover", {"_meta": ENVELOPE})["result"]
    called = server.ask("tools/call", {"name": "ori_status", "arguments": {}, "_meta": ENVELOPE})
    assert called["result"]["isError"] is False
    assert server.ask("server/discover", {"_meta": ENVELOPE})["result"] == found


LOADED = """
import sys
from ori_memory.app import run
code = run(sys.argv[1:])
heavy = ("anyio", "asyncio", "cattrs", "mcp", "numpy", "onnxruntime", "pydantic", "sqlite3", "uvicorn")
print([name for name in heavy if name in sys.modules], file=sys.stderr)
sys.exit(code)
"""


def test_the_first_answer_needs_no_library_and_no_index(vault: Vault, home: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOADED, "serve", "--mcp", "--vault", str(vault.root)],
        input=json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HANDSHAKE}) + "\n",
        env=environment(home),
        capture_output=True,
        encoding="utf-8",
        timeout=60,
    )
    assert json.loads(done.stdout)["result"]["serverInfo"]["name"] == "ori"
    assert (done.returncode, done.stderr) == (0, "[]\n")


def test_answers_that_are_under_way_survive_the_end_of_the_input(start: Start) -> None:
    server = start()
    server.begin()
    ids = [server.request("tools/call", {"name": "ori_query_ranked", "arguments": {"query": "tea"}}) for _ in range(5)]
    ids.append(server.request("resources/read", {"uri": "ori://identity"}))
    rest, _ = server.end()
    assert {answer["id"] for answer in rest} == set(ids)
    assert all("result" in answer for answer in rest)


def test_it_leaves_when_the_input_ends_before_anything_was_asked(start: Start) -> None:
    assert start().end() == ([], "")


def test_a_server_whose_parent_is_killed_leaves_though_its_input_stays_open(vault: Vault, home: Path) -> None:
    command = [sys.executable, "-m", "ori_memory", "serve", "--mcp", "--vault", str(vault.root)]
    code = f"import subprocess, sys; subprocess.Popen({command!r}).wait()"
    parent = subprocess.Popen(
        [sys.executable, "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment(home),
    )
    assert parent.stdin is not None and parent.stdout is not None
    with parent.stdin, parent.stdout:
        parent.stdin.write(
            json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HANDSHAKE}).encode()
        )
        parent.stdin.write(b"\n")
        parent.stdin.flush()
        assert json.loads(parent.stdout.readline())["id"] == 1
        parent.kill()
        parent.wait(30)
        # The server holds the other end; it ends when the server does, and the test would hang if it did not.
        assert parent.stdout.read() == b""


def test_starts_and_kills_leave_no_process_and_no_file(vault: Vault, start: Start) -> None:
    start().end()
    before = sorted(str(path) for path in vault.root.rglob("*"))
    for round in range(6):
        server = start()
        server.begin()
        if round % 2:
            server.call("ori_status")
        server.process.send_signal(signal.SIGTERM if round % 3 else signal.SIGKILL) if os.name != "nt" else (
            server.process.kill()
        )
        server.process.communicate(timeout=30)
    last = start()
    last.begin()
    assert last.call("ori_status")["data"]["notes"] == 9
    last.end()
    allowed = {str(vault.state_folder / name) for name in ("index.db", "index.stamp", "server.lock")}
    assert {str(path) for path in vault.root.rglob("*")} - set(before) <= allowed


def test_standard_output_is_protocol_whatever_writes_to_it(start: Start, vault: Vault) -> None:
    (vault.root / "notes" / "broken.md").write_bytes(b"---\ntype: [\n---\n\xff\xfe\x00\n")
    (vault.root / "ori.config.yaml").write_text("retrieval:\n  limmit: 3\n", encoding="utf-8")
    server = start(PYTHONWARNINGS="always", PYTHONDEVMODE="1", PYTHONVERBOSE="")
    server.begin()
    for name in ("ori_health", "ori_status", "ori_sql"):
        server.request("tools/call", {"name": name, "arguments": {"sql": "select 1"} if name == "ori_sql" else {}})
    rest, problems = server.end()
    assert len(rest) == 3 and all(answer["jsonrpc"] == "2.0" for answer in rest)
    assert "limmit" in problems


def test_lines_that_are_no_messages_are_told_so_and_the_server_goes_on(start: Start) -> None:
    server = start()
    for line in ("{", "[]", '"text"', "[1, 2]"):
        server.send(line)
        assert server.read()["error"]["code"] == -32700
    server.send("x" * (LONGEST + 1))
    assert f"{LONGEST:,} bytes" in server.read()["error"]["message"]
    server.begin()
    server.call("ori_status")
    server.send('{"jsonrpc": "2.0", "id": 77, "method": 5}')
    answer = server.read()
    assert (answer["id"], answer["error"]["code"]) == (77, -32600)
    assert server.ask("prompts/list")["error"]["code"] == -32601
    assert server.call("ori_status")["success"]


@pytest.mark.parametrize("id", ["1.5", "null", "true", "{}", "[]"])
@pytest.mark.parametrize("is_begun", [True, False])
def test_a_request_whose_id_is_none_is_refused_and_nobody_waits_for_it(start: Start, id: str, is_begun: bool) -> None:
    server = start()
    if is_begun:
        server.begin()
        server.call("ori_status")
    server.send(f'{{"jsonrpc": "2.0", "id": {id}, "method": "ping"}}')
    answer = server.read()
    assert (answer["id"], answer["error"]["code"]) == (None, -32600)
    server.end()


def test_what_is_wrong_with_a_request_is_said(start: Start) -> None:
    talker = start()
    early = talker.ask("tools/list")["error"]["message"]
    assert early == "tools/list came before initialize; send that first, or name the protocol's version in the request."
    talker.ask("initialize", HANDSHAKE)
    late = talker.ask("tools/call", {"name": 5})["error"]["message"]
    assert late == "The parameters of tools/call are not as the protocol has them."
    assert len(talker.ask("tools/list")["result"]["tools"]) == 23


@pytest.mark.parametrize("uri", ["ori://../self/identity", "ori://secret", "file:///etc/passwd", "ori://identity/../x"])
def test_a_resource_that_is_none_is_refused_with_those_that_are(start: Start, uri: str) -> None:
    server = start()
    server.begin()
    error = server.ask("resources/read", {"uri": uri})["error"]
    assert all(known in error["message"] for known in RESOURCES)


def test_a_first_start_begins_with_getting_to_know_each_other(start: Start, vault: Vault) -> None:
    first = start().begin()["result"]["instructions"]
    assert "get to know each other" in first and "ori_update" in first
    (vault.root / "self/identity.md").write_text("# Identity\n\nI am Wren, and brief.\n", encoding="utf-8")
    later = start().begin()["result"]["instructions"]
    assert "I am Wren, and brief." in later and "get to know each other" not in later


def test_without_a_vault_one_is_made_at_home_and_the_client_is_told(home: Path, tmp_path: Path) -> None:
    with Talker([], environment(home), cwd=tmp_path) as server:
        told = server.begin()["result"]["instructions"]
        assert str(home / ".ori-memory") in told
        assert server.call("ori_status")["data"]["vault"] == str(home / ".ori-memory")


@pytest.mark.parametrize("arguments", [("--vault", "nowhere"), ("--profile", "tiny"), ("--http",), ()])
def test_a_wrong_command_line_says_why_on_standard_error_alone(
    home: Path, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    given = ["serve", *arguments] if arguments in [(), ("--http",)] else ["serve", "--mcp", *arguments]
    done = subprocess.run(
        [sys.executable, "-m", "ori_memory", *given, *(["--mcp"] if arguments == ("--http",) else [])],
        env=environment(home),
        cwd=tmp_path,
        input="",
        capture_output=True,
        encoding="utf-8",
        timeout=60,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr and "Traceback" not in done.stderr
    assert not (home / ".ori-memory").exists()


def test_two_servers_of_a_vault_lose_nothing_of_each_other(start: Start, vault: Vault) -> None:
    servers = [start(), start()]
    for which, server in enumerate(servers):
        server.begin()
        for number in range(8):
            # Every other title is that of a note of the other server.
            title = f"Both of them say {number}" if number % 2 else f"Server {which} says {number}"
            given = {"title": title, "content": f"Server {which} wrote this as number {number}."}
            server.request("tools/call", {"name": "ori_add", "arguments": given})
    paths = []
    for server in servers:
        rest, _ = server.end()
        documents = [json.loads(answer["result"]["content"][0]["text"]) for answer in rest]
        assert all(document["success"] for document in documents), documents
        paths += [document["data"]["path"] for document in documents]
    assert len(set(paths)) == 16
    texts = [(vault.root / path).read_text(encoding="utf-8") for path in paths]
    said = [f"Server {which} wrote this as number {number}." for which in range(2) for number in range(8)]
    assert [sum(one in text for text in texts) for one in said] == [1] * 16


def test_what_a_client_cancels_before_it_began_is_given_up() -> None:
    class Slow:
        """A desk at which nothing begins before it is given up."""

        was_asked, was_given_up = threading.Event(), threading.Event()

        def answer(self, name: str, arguments: object, call: Call) -> Reply:
            self.was_asked.set()
            deadline = time.monotonic() + 60
            while not call.is_given_up() and time.monotonic() < deadline:
                self.was_given_up.wait(0.01)
            self.was_given_up.set()
            return Reply("{}", True)

    async def ask(desk: Slow) -> None:
        welcome = Welcome("ori", "1", "", lambda: tool_list("full"), list)
        async with Client(make_server(desk, welcome)) as client:  # type: ignore[arg-type]  # one that only waits
            call = asyncio.create_task(client.call_tool("ori_add", {"title": "x"}))
            assert await asyncio.to_thread(desk.was_asked.wait, 60)
            call.cancel()
            assert await asyncio.to_thread(desk.was_given_up.wait, 30)

    asyncio.run(ask(Slow()))
