"""The session log: what is written, what is read back, who owns it."""

from __future__ import annotations

import asyncio
import json
import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from aries_kernel.errors import StoreCorrupt, UnknownName, UserError
from aries_kernel.model.events import Notice
from aries_kernel.model.messages import ResultStatus
from aries_kernel.model.session import OutcomeStatus
from aries_kernel.model.stream import ReasoningPiece
from aries_kernel.session.log import SessionInUse
from aries_kernel.testing.fakes import ScriptedProvider, call, end, make_host, text

ALL = {"permissions": {"mode": "all"}}


def play(folder: Path, script: Any, *prompts: str, resume: str | None = None, **options: Any) -> Any:
    """Run prompts in one session; gives its agent, closed."""
    fork = options.pop("fork", False)
    host = make_host(folder, ScriptedProvider(script), settings=options.pop("settings", ALL), **options)

    async def go() -> Any:
        agent = host.open(resume=resume, fork=fork)
        for prompt in prompts:
            await agent.run(prompt)
        await host.close()
        return agent

    return asyncio.run(go())


def log_of(agent: Any) -> Path:
    path: Path = agent.session.log.path
    return path


def test_a_resumed_session_sends_exactly_what_was_sent(tmp_path: Path) -> None:
    script = [
        [ReasoningPiece("hm", opaque='{"f": 1}'), text("näh \ud83d"), call("Note", path="a"), end()],
        [text("ok"), end()],
    ]
    first = play(tmp_path, script, "one\r\nline")
    second = play(tmp_path, [[text("more"), end()]], "two", resume=first.session.id)
    [before], [after] = [first.route.current.provider.requests[-1:], second.route.current.provider.requests]
    assert after.messages[: len(before.messages)] == before.messages
    assert (after.system, after.tools, after.session) == (before.system, before.tools, before.session)


def test_the_prefix_of_a_resumed_session_stays_though_the_project_changed(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "AGENTS.md").write_text("old rule", encoding="utf-8")
    first = play(tmp_path, [[text("ok"), end()]], "one")
    (tmp_path / "work" / "AGENTS.md").write_text("new rule", encoding="utf-8")
    second = play(tmp_path, [[text("ok"), end()]], "two", resume=first.session.id)
    assert "old rule" in second.route.current.provider.requests[0].system


def test_widened_tools_stay_widened(tmp_path: Path) -> None:
    settings = {**ALL, "phase": "small", "phases": {"small": {"tools": ["Peek"]}}}
    first = play(tmp_path, [[call("Note", path="a"), end()], [text("ok"), end()]], "one", settings=settings)
    second = play(tmp_path, [[text("ok"), end()]], "two", resume=first.session.id, settings=settings)
    assert [tool.name for tool in second.route.current.provider.requests[0].tools] == ["Peek", "Tools", "Note"]


def test_a_session_resumed_in_another_phase_names_the_hidden_tools_of_that_phase(tmp_path: Path) -> None:
    settings = {**ALL, "phases": {"small": {"tools": ["Peek"]}, "other": {"tools": ["Note"]}}}
    small, other = {**settings, "phase": "small"}, {**settings, "phase": "other"}
    first = play(tmp_path, [[text("ok"), end()]], "one", settings=small)
    second = play(tmp_path, [[text("ok"), end()]], "two", resume=first.session.id, settings=other)
    [old], [new] = first.route.current.provider.requests, second.route.current.provider.requests
    assert "by name only: Note." in old.system and "by name only: Peek." in new.system
    third = play(tmp_path, [[text("ok"), end()]], "three", resume=first.session.id, settings=other)
    assert third.route.current.provider.requests[0].system == new.system


def test_a_session_resumed_as_a_plan_has_no_writer_though_it_was_widened_to_one(tmp_path: Path) -> None:
    lean = {**ALL, "phase": "lean", "phases": {"lean": {"tools": ["Peek"]}, "plan": {"mode": "read-only"}}}
    first = play(tmp_path, [[call("Note", path="a"), end()], [text("ok"), end()]], "one", settings=lean)
    script = [[call("Note", path="b"), end()], [text("ok"), end()]]
    second = play(tmp_path, script, "two", resume=first.session.id, settings={**lean, "phase": "plan"})
    assert [tool.name for tool in second.route.current.provider.requests[0].tools] == ["Peek"]
    assert (tmp_path / "work" / "a").exists() and not (tmp_path / "work" / "b").exists()


def test_a_session_resumed_in_another_folder_is_told_of_that_folder(tmp_path: Path) -> None:
    first = play(tmp_path, [[text("ok"), end()]], "one")
    (tmp_path / "elsewhere").mkdir()
    host = make_host(tmp_path, ScriptedProvider([]), settings=ALL)
    host.cwd = tmp_path / "elsewhere"
    agent = host.open(resume=first.session.id)
    asyncio.run(host.close())
    assert f"Folder: {host.cwd}\n" in agent.system


@pytest.mark.skipif(os.name != "posix", reason="mode bits are POSIX")
def test_the_log_is_for_its_owner_alone(tmp_path: Path) -> None:
    path = log_of(play(tmp_path, [[text("ok"), end()]], "one"))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def cut_after(path: Path, kind: str) -> None:
    """Make the log what a kill right after an entry leaves."""
    lines = path.read_bytes().splitlines(keepends=True)
    index = next(index for index, line in enumerate(lines) if json.loads(line)["type"] == kind)
    path.write_bytes(b"".join(lines[: index + 1]))


@pytest.mark.parametrize(
    ("kind", "status"),
    [("Answered", ResultStatus.NOT_RUN), ("CallBegan", ResultStatus.INTERRUPTED), ("CallEnded", ResultStatus.OK)],
)
def test_a_call_without_a_result_gets_one_and_the_repair_is_in_the_log(
    tmp_path: Path, kind: str, status: ResultStatus
) -> None:
    first = play(tmp_path, [[call("Note", path="a"), end()], [text("ok"), end()]], "one")
    cut_after(log_of(first), kind)
    second = play(tmp_path, [[text("ok"), end()]], "two", resume=first.session.id)
    assert [result.status for result in second.session.messages[2].results] == [status]
    third = play(tmp_path, [[text("ok"), end()]], "three", resume=first.session.id)
    assert third.session.messages[:5] == second.session.messages


def test_a_torn_last_line_is_closed_and_named_and_nothing_else_is_lost(tmp_path: Path) -> None:
    first = play(tmp_path, [[text("ok"), end()]], "one")
    whole = log_of(first).read_bytes()
    with log_of(first).open("ab") as file:
        file.write(b'{"at":"2026","type":"UserSaid","mess')
    seen: list[Any] = []
    second = play(tmp_path, [[text("ok"), end()]], "two", resume=first.session.id, show=seen.append)
    assert log_of(first).read_bytes().startswith(whole)
    assert [message.text for message in second.session.messages] == ["one", "ok", "two", "ok"]
    assert any("cannot be read" in event.text for event in seen if isinstance(event, Notice))
    assert play(tmp_path, [[text("ok"), end()]], "three", resume=first.session.id).session.history.problems


def test_a_broken_line_in_the_middle_is_named_and_left_as_it_is(tmp_path: Path) -> None:
    first = play(tmp_path, [[text("ok"), end()]], "one")
    lines = log_of(first).read_bytes().splitlines(keepends=True)
    log_of(first).write_bytes(b"".join([lines[0], b"\xff\xfe garbage\n", b'{"type":"FromTheFuture"}\n', *lines[1:]]))
    second = play(tmp_path, [], resume=first.session.id)
    assert [message.text for message in second.session.messages] == ["one", "ok"]
    assert len(second.session.history.problems) == 2
    assert b"garbage" in log_of(first).read_bytes()


def test_what_is_no_session_log_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "state" / "sessions" / "strange.jsonl"
    path.parent.mkdir(parents=True)
    path.write_text("hello\n", encoding="utf-8")
    with pytest.raises(StoreCorrupt, match=r"strange\.jsonl.*left as it is"):
        play(tmp_path, [], resume="strange")
    assert path.read_text(encoding="utf-8") == "hello\n"


def test_a_log_of_a_newer_format_is_refused(tmp_path: Path) -> None:
    first = play(tmp_path, [[text("ok"), end()]], "one")
    changed = log_of(first).read_text(encoding="utf-8").replace('"format":1', '"format":2', 1)
    log_of(first).write_text(changed, encoding="utf-8")
    with pytest.raises(StoreCorrupt, match="newer version"):
        play(tmp_path, [], resume=first.session.id)


OWNER = """
import sys, datetime
from pathlib import Path
from aries_kernel.session.store import SessionStore
session = SessionStore(Path(sys.argv[1]), datetime.datetime.now).resume(sys.argv[2])
print("owned", flush=True)
sys.stdin.read()
"""


def test_a_session_has_one_owner_whose_death_frees_it(tmp_path: Path) -> None:
    first = play(tmp_path, [[text("ok"), end()]], "one")
    command = [sys.executable, "-c", OWNER, str(log_of(first).parent), first.session.id]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as owner:
        assert owner.stdout is not None and owner.stdout.readline() == b"owned\n"
        with pytest.raises(SessionInUse, match=str(owner.pid)):
            play(tmp_path, [], resume=first.session.id)
        copy = play(tmp_path, [[text("ok"), end()]], "two", resume=first.session.id, fork=True)
        assert copy.session.id != first.session.id
        owner.kill()
        owner.wait(5)
    assert play(tmp_path, [], resume=first.session.id).session.id == first.session.id


ORPHAN = """
import os, sys, time, datetime
from pathlib import Path
from aries_kernel.session.store import SessionStore
session = SessionStore(Path(sys.argv[1]), datetime.datetime.now).resume(sys.argv[2])
owner = os.getpid()
if os.fork() == 0:
    while os.getppid() == owner:
        time.sleep(0.01)
    time.sleep(0.3)
    os._exit(0)
print("owned", flush=True)
sys.stdin.read()
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_what_a_killed_owner_was_starting_does_not_keep_its_session(tmp_path: Path) -> None:
    first = play(tmp_path, [[text("ok"), end()]], "one")
    command = [sys.executable, "-c", ORPHAN, str(log_of(first).parent), first.session.id]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as owner:
        assert owner.stdout is not None and owner.stdout.readline() == b"owned\n"
        owner.kill()
        owner.wait(5)
        assert play(tmp_path, [], resume=first.session.id).session.id == first.session.id


def test_a_fork_leaves_the_old_session_as_it_was(tmp_path: Path) -> None:
    first = play(tmp_path, [[text("ok"), end()]], "one")
    before = log_of(first).read_bytes()
    copy = play(tmp_path, [[text("ok"), end()]], "two", resume=first.session.id, fork=True)
    assert log_of(first).read_bytes() == before
    assert [message.text for message in copy.session.messages] == ["one", "ok", "two", "ok"]
    assert copy.session.history.opened.forked_from == first.session.id


def test_a_session_and_all_its_forks_ask_for_the_same_cache(tmp_path: Path) -> None:
    first = play(tmp_path, [[text("ok"), end()]], "one")
    fork = play(tmp_path, [[text("ok"), end()]], "two", resume=first.session.id, fork=True)
    again = play(tmp_path, [[text("ok"), end()]], "three", resume=fork.session.id, fork=True)
    resumed = play(tmp_path, [[text("ok"), end()]], "four", resume=again.session.id)
    asked = [one.route.current.provider.requests[0].session for one in (first, fork, again, resumed)]
    assert asked == [first.session.id] * 4
    assert len({one.session.id for one in (first, fork, again)}) == 3
    other = play(tmp_path, [[text("ok"), end()]], "one")
    assert other.route.current.provider.requests[0].session == other.session.id


def test_sessions_are_found_by_a_unique_beginning(tmp_path: Path) -> None:
    first = play(tmp_path, [[text("ok"), end()]], "one")
    assert play(tmp_path, [], resume=first.session.id[:-2]).session.id == first.session.id
    play(tmp_path, [[text("ok"), end()]], "one")
    with pytest.raises(UserError, match="several sessions"):
        play(tmp_path, [], resume=first.session.id[:15])
    with pytest.raises(UnknownName, match=first.session.id):
        play(tmp_path, [], resume="nothing")


def test_the_list_is_read_from_the_files_and_names_a_broken_one(tmp_path: Path) -> None:
    first = play(tmp_path, [[text("ok"), end()]], "a first\n prompt")
    (log_of(first).parent / "broken.jsonl").write_bytes(b"\0\0")
    host = make_host(tmp_path, ScriptedProvider([]))
    by_id = {one.id: one for one in host.store.summaries()}
    assert by_id[first.session.id].first_prompt == "a first prompt"
    assert by_id["broken"].problem == "no readable opening line"


def test_a_turn_is_in_the_log_before_it_is_shown(tmp_path: Path) -> None:
    from aries_kernel.model.events import AnswerCompleted, CallFinished, SessionOpened, TurnEvent

    seen: list[str] = []

    def check(event: TurnEvent) -> None:
        [path] = (tmp_path / "state" / "sessions").glob("*.jsonl")
        written = path.read_text(encoding="utf-8")
        if isinstance(event, SessionOpened):
            assert event.session in written
        elif isinstance(event, AnswerCompleted):
            assert written.count('"type":"Answered"') == seen.count("answer") + 1
            seen.append("answer")
        elif isinstance(event, CallFinished):
            assert event.result.call_id in written.rpartition('"type":"CallEnded"')[0][-2000:] + written[-2000:]
            seen.append("result")

    play(tmp_path, [[call("Note", path="a"), end()], [text("ok"), end()]], "one", show=check)
    assert seen == ["answer", "result", "answer"]


def test_a_disk_that_is_full_ends_the_session_with_a_reason(tmp_path: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("needs /dev/full")
    import datetime

    from aries_kernel.errors import FatalError
    from aries_kernel.session.entries import CallBegan
    from aries_kernel.session.log import SessionLog

    path = tmp_path / "s.jsonl"
    path.symlink_to("/dev/full")
    log = SessionLog(path, datetime.datetime.now)
    with pytest.raises(FatalError, match=r"cannot be written: No space left"):
        log.append(CallBegan("x"))
    log.close()


def test_an_outcome_closes_every_turn(tmp_path: Path) -> None:
    agent = play(tmp_path, [[text("ok"), end()], [text("ok"), end()]], "one", "two")
    assert [outcome.status for outcome in agent.session.history.outcomes] == [OutcomeStatus.DONE] * 2
