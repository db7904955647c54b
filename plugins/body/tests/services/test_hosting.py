"""What user code asks of the host: the session's own tools and policy answer."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import pytest
from attrs import frozen
from made_bodies import BodyMaker

from aries_body.process.body import Body
from aries_body.process.results import Status
from aries_body.services.hosting import HostServices
from aries_body.services.loop import running_loop
from aries_body.services.providers import groups_with
from aries_body.services.small_model import SmallModelCalls
from aries_body.services.state import StateStore
from aries_kernel.broker.effects import Effect, ReachNetwork, RunCommand, WritePath
from aries_kernel.contracts.body import Group, Operation
from aries_kernel.contracts.tool import ModelSaid, ToolContext, ToolOutput
from aries_kernel.errors import ToolFailed, UnknownName
from aries_kernel.testing.fakes import make_host
from aries_kernel.tools.schema import described


@frozen
class _Write:
    path: str = described("a file")
    content: str = described("text")


@frozen
class _Bash:
    command: str = described("a script")
    timeout: float | None = described("seconds", default=None)


@frozen
class _Fetch:
    url: str = described("an address")


class Write:
    """Writes a file of the workspace."""

    name: ClassVar[str] = "Write"
    description: ClassVar[str] = "Write."
    arguments: ClassVar[type[Any]] = _Write
    reads_only: ClassVar[bool] = False

    def __init__(self, context: ToolContext) -> None:
        self._context = context

    def effects(self, arguments: _Write) -> Sequence[Effect]:
        return (WritePath(self._context.workspace.locate(arguments.path).real),)

    async def run(self, arguments: _Write) -> ToolOutput:
        path = self._context.workspace.locate(arguments.path).real
        path.write_text(arguments.content, encoding="utf-8")
        return ToolOutput(f"wrote {arguments.path}", changed=(path,))


class Bash:
    """Runs nothing; the longer the command, the more it printed."""

    name: ClassVar[str] = "Bash"
    description: ClassVar[str] = "Run."
    arguments: ClassVar[type[Any]] = _Bash
    reads_only: ClassVar[bool] = False

    def __init__(self, context: ToolContext) -> None:
        self._context = context

    def effects(self, arguments: _Bash) -> Sequence[Effect]:
        return (RunCommand((arguments.command,), arguments.command),)

    async def run(self, arguments: _Bash) -> ToolOutput:
        if arguments.command == "hang":
            await asyncio.Event().wait()
        if arguments.command == "long":
            file = self._context.spill(".txt", b"x" * 5_000_000)
            return ToolOutput("xxx", details={"code": 0, "file": str(file)})
        return ToolOutput("out\n[exit code 3]", is_error=True, details={"code": 3, "printed": "out\n"})


class WebFetch:
    """Gives the address."""

    name: ClassVar[str] = "WebFetch"
    description: ClassVar[str] = "Fetch."
    arguments: ClassVar[type[Any]] = _Fetch
    reads_only: ClassVar[bool] = True

    def __init__(self, context: ToolContext) -> None:
        self._context = context

    def effects(self, arguments: _Fetch) -> Sequence[Effect]:
        return (ReachNetwork(arguments.url),)

    async def run(self, arguments: _Fetch) -> ToolOutput:
        if "nowhere" in arguments.url:
            raise ToolFailed("no such host")
        if "long" in arguments.url:
            return ToolOutput("[cut]", details={"text": "whole", "notes": ["longer than 5 MB"]})
        return ToolOutput(f"page of {arguments.url}")


class _Graph:
    """A provider as another part of the program would bring one."""

    group = Group("codebase", "a graph", (Operation("top", "(limit=10)", "[{path, rank}]", "Files."),))

    def stale(self) -> None:
        return

    async def close(self) -> None:
        return

    async def call(self, operation: str, arguments: Mapping[str, Any]) -> Any:
        if arguments["limit"] > 5:
            raise UnknownName("file", "x", ["a.py"])
        return [{"path": "a.py", "rank": 1.0}] * arguments["limit"]


class _Model:
    async def ask(self, prompt: str, *, max_output: int) -> ModelSaid:
        if "hang" in prompt:
            await asyncio.Event().wait()
        return ModelSaid("forty-two", cost=0.5)


@pytest.fixture
def loop() -> Iterator[asyncio.AbstractEventLoop]:
    with running_loop() as found:
        yield found


@pytest.fixture
def open_body(make_body: BodyMaker, loop: asyncio.AbstractEventLoop, tmp_path: Path) -> Any:
    def open_(mode: str = "ask") -> Body:
        host = make_host(
            tmp_path, None, tools=(Write, Bash, WebFetch), settings={"permissions": {"mode": mode}, "phase": "full"}
        )
        inner, _ = host.calls()
        services = HostServices(
            loop,
            inner=inner,
            state=StateStore(tmp_path / "state.json"),
            models=SmallModelCalls(_Model()),
            providers=(_Graph(),),
        )
        return make_body(services=services, groups=groups_with((_Graph(),)))

    return open_


def test_what_the_policy_would_ask_about_is_refused_where_nobody_is_there(open_body: Any, tmp_path: Path) -> None:
    body = open_body("ask")
    for code in ("fs.write('x.txt', 'a')", "shell.run('ls')", "web.fetch('http://x')"):
        done = body.execute(code)
        assert "HostError: Refused:" in (done.error or ""), done
    assert not (tmp_path / "work" / "x.txt").exists()


def test_what_it_allows_is_done_by_the_tool(open_body: Any, tmp_path: Path) -> None:
    body = open_body("all")
    assert (
        body.execute("r = fs.write('x.txt', 'a')\nr.path, r.changed, r.text").value == "('x.txt', True, 'wrote x.txt')"
    )
    assert (tmp_path / "work" / "x.txt").read_text(encoding="utf-8") == "a"
    assert body.execute("web.fetch('http://x')").value == "'page of http://x'"
    assert body.execute("web.fetch('http://long')").value == r"'whole\n\n[longer than 5 MB]'"


def test_a_plan_or_a_read_only_mode_holds_for_user_code(open_body: Any) -> None:
    body = open_body("read-only")
    assert "read-only" in (body.execute("fs.write('x.txt', 'a')").error or "")
    assert "read-only" in (body.execute("shell.run('ls')").error or "")


def test_a_command_that_fails_raises_nothing_and_its_output_is_there_whole(open_body: Any) -> None:
    body = open_body("all")
    assert body.execute("r = shell.run('x')\nr.code, r.output").value == "(3, 'out\\n')"
    assert (
        body.execute("r = shell.run('long')\nlen(r.output) > 4_000_000, 'cut after' in r.output").value
        == "(True, True)"
    )


def test_a_tool_that_is_missing_or_fails_says_so(open_body: Any) -> None:
    body = open_body("all")
    assert "needs the tool WebSearch, which is not installed" in (body.execute("web.search('x')").error or "")
    assert "no such host" in (body.execute("web.fetch('http://nowhere')").error or "")
    assert "is a text, not int" in (body.execute("fs.write(3, 'x')").error or "")
    assert "nobody can be asked" in (body.execute("ask('x')").error or "")


def test_an_interrupt_ends_what_the_host_does(open_body: Any) -> None:
    body = open_body("all")
    body.start()
    from concurrent.futures import ThreadPoolExecutor

    for code in ("shell.run('hang')", "rlm_call('hang')"):
        with ThreadPoolExecutor(1) as pool:
            running = pool.submit(body.execute, code, 60)
            while not running.done():
                body.interrupt()
            assert running.result().status is Status.INTERRUPTED
    assert body.execute("1").value == "1"


def test_state_outlives_the_process(open_body: Any) -> None:
    body = open_body()
    body.execute("state.put('k', {'a': [1]})")
    body.reset()
    assert body.execute("state.get('k').a, state.keys(), state.get('no', 7), state.delete('k')").value == (
        "([1], ['k'], 7, True)"
    )


def test_providers_answer_for_their_group_and_their_errors_are_read(open_body: Any) -> None:
    body = open_body()
    assert body.execute("[f.path for f in codebase.top(2)]").value == "['a.py', 'a.py']"
    assert "There is no file 'x'" in (body.execute("codebase.top(9)").error or "")


def test_the_small_model_answers_and_is_counted_by_execution(open_body: Any) -> None:
    body = open_body()
    body.execute("found = rlm_batch([('q', i) for i in range(20)])")
    code = "sum(a.ok for a in found), [a.kind for a in found if not a.ok]"
    assert body.execute(code).value == "(15, ['limit', 'limit', 'limit', 'limit', 'limit'])"
    assert body.execute("str(rlm_call('q'))").value == "'forty-two'"
