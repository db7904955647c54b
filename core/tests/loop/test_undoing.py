"""Taking back what a turn wrote, by whichever way it was written."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from aries_kernel.broker.effects import RunCommand, WritePath
from aries_kernel.broker.workspace import Workspace
from aries_kernel.host import Host
from aries_kernel.loop.agent import Agent
from aries_kernel.loop.undoing import Undo
from aries_kernel.model.messages import UserMessage
from aries_kernel.session.entries import TurnUndone
from aries_kernel.session.log import read_log
from aries_kernel.testing.fakes import NoteTool, PeekTool, ScriptedProvider, call, end, make_host, text

ALL = {"permissions": {"mode": "all"}}


def _played(folder: Path, *turns: list[Any], meanwhile: Callable[[Agent], None] = lambda agent: None) -> Agent:
    """An agent that had these turns, each of one answer with these calls; `meanwhile` runs before the last one."""
    script = [step for calls in turns for step in ([*calls, end()], [text("done"), end()])]
    host: Host = make_host(folder, ScriptedProvider(script), tools=(PeekTool, NoteTool), settings=ALL)

    async def run() -> Agent:
        agent = host.open()
        for number, _ in enumerate(turns, start=1):
            if number == len(turns):
                meanwhile(agent)
            await agent.run(f"turn {number}")
        return agent

    return asyncio.run(run())


def test_a_turn_is_taken_back_whole_and_the_turn_before_it_next(tmp_path: Path) -> None:
    work = tmp_path / "work"
    work.mkdir()
    (work / "old.txt").write_bytes(b"\xffold\r\n")
    first = [call("Note", "1", path="old.txt", text="new"), call("Note", "2", path="made.txt", text="made")]
    agent = _played(tmp_path, first, [call("Note", "3", path="old.txt", text="newer")])
    undone = agent.undo()
    assert undone is not None and undone.restored == (work / "old.txt",) and undone.left == ()
    assert (work / "old.txt").read_text(encoding="utf-8") == "new"
    undone = agent.undo()
    assert undone is not None and set(undone.restored) == {work / "old.txt", work / "made.txt"}
    assert (work / "old.txt").read_bytes() == b"\xffold\r\n" and not (work / "made.txt").exists()
    assert agent.undo() is None


def test_a_file_that_somebody_changed_since_is_left_as_it_is(tmp_path: Path) -> None:
    both = [call("Note", "1", path="a.txt", text="a"), call("Note", "2", path="b.txt", text="b")]
    agent = _played(tmp_path, both)
    (tmp_path / "work" / "a.txt").write_text("mine", encoding="utf-8")
    undone = agent.undo()
    assert undone is not None
    assert [(path.name, reason) for path, reason in undone.left] == [("a.txt", "it was changed since")]
    assert (tmp_path / "work" / "a.txt").read_text(encoding="utf-8") == "mine"
    assert not (tmp_path / "work" / "b.txt").exists()


def test_the_model_is_told_with_the_next_message_and_the_log_has_it(tmp_path: Path) -> None:
    write = [call("Note", "1", path="a.txt", text="a")]
    agent = _played(tmp_path, write, [call("Peek", "2", path="b.txt")], meanwhile=lambda agent: agent.undo())
    said = [message.volatile for message in agent.session.messages if isinstance(message, UserMessage)]
    assert "undid" not in said[0] and "these files are as they were: a.txt" in said[1]
    entries = [line.entry for line in read_log(agent.session.log.path)]
    assert [entry for entry in entries if isinstance(entry, TurnUndone)] == [TurnUndone(("a.txt",))]


def test_a_turn_that_wrote_nothing_is_passed_over(tmp_path: Path) -> None:
    agent = _played(tmp_path, [call("Note", "1", path="a.txt", text="a")], [call("Peek", "2", path="a.txt")])
    assert agent.undo() is not None and not (tmp_path / "work" / "a.txt").exists()


def test_what_commands_did_is_said_to_stay_and_what_is_no_file_is_left(tmp_path: Path) -> None:
    undo = Undo(Workspace(tmp_path))
    undo.begin_turn()
    (tmp_path / "folder").mkdir()
    with undo.watching([RunCommand(("make",), "make"), WritePath(Path("a.txt")), WritePath(Path("folder"))]):
        (tmp_path / "a.txt").write_text("a", encoding="utf-8")
        (tmp_path / "folder").rmdir()
    undone = undo.undo()
    assert undone is not None and undone.has_commands and undone.restored == (tmp_path.resolve() / "a.txt",)
    assert [reason for _, reason in undone.left] == ["it is no regular file"]


def test_a_call_that_fails_midway_is_taken_back_too(tmp_path: Path) -> None:
    undo = Undo(Workspace(tmp_path))
    undo.begin_turn()
    try:
        with undo.watching([WritePath(Path("a.txt"))]):
            (tmp_path / "a.txt").write_text("half", encoding="utf-8")
            raise RuntimeError("broke")
    except RuntimeError:
        undo.undo()
    assert not (tmp_path / "a.txt").exists()


_CHANGES = st.lists(
    st.lists(st.tuples(st.sampled_from("abc"), st.none() | st.binary(max_size=4)), max_size=5), max_size=5
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(changes=_CHANGES)
def test_undoing_every_turn_ends_where_it_began(tmp_path: Path, changes: list[list[tuple[str, bytes | None]]]) -> None:
    for name in "abc":
        (tmp_path / name).unlink(missing_ok=True)
    (tmp_path / "a").write_bytes(b"at first")
    undo = Undo(Workspace(tmp_path))
    for turn in changes:
        undo.begin_turn()
        for name, data in turn:
            with undo.watching([WritePath(Path(name))]):
                if data is None:
                    (tmp_path / name).unlink(missing_ok=True)
                else:
                    (tmp_path / name).write_bytes(data)
    while (undone := undo.undo()) is not None:
        assert undone.left == ()
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == {"a": b"at first"}
