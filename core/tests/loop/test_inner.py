"""Calls that tools make on behalf of code they run."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import pytest
from attrs import frozen

from aries_kernel.broker.consent import Consent, Question, Reply
from aries_kernel.broker.effects import Effect
from aries_kernel.contracts.tool import ToolContext, ToolOutput
from aries_kernel.errors import BadArguments, Refused, UnknownName
from aries_kernel.model.session import OutcomeStatus
from aries_kernel.testing.fakes import NoteTool, PeekTool, ScriptedProvider, call, end, make_host, text
from aries_kernel.tools.schema import described


@frozen
class _Arguments:
    name: str = described("a tool")
    path: str = described("a file")


class Through:
    """A tool that calls another one and gives what came of it; it only reads, by itself."""

    name: ClassVar[str] = "Through"
    description: ClassVar[str] = "Call another tool."
    arguments: ClassVar[type[Any]] = _Arguments
    reads_only: ClassVar[bool] = True
    closed: ClassVar[list[str]] = []

    def __init__(self, context: ToolContext) -> None:
        self._inner = context.inner

    def effects(self, arguments: _Arguments) -> Sequence[Effect]:
        return ()

    async def run(self, arguments: _Arguments) -> ToolOutput:
        assert self._inner is not None
        try:
            return ToolOutput(f"inner: {(await self._inner(arguments.name, {'path': arguments.path})).text}")
        except (Refused, UnknownName) as error:
            return ToolOutput(f"inner failed: {error}")

    async def close(self) -> None:
        self.closed.append("closed")


class _Person:
    """Says the same to every question, and remembers them; two at the same time would be told."""

    def __init__(self, consent: Consent) -> None:
        self.consent, self.questions, self._is_asked = consent, list[Question](), False

    async def may_run(self, question: Question) -> Reply:
        assert not self._is_asked
        self._is_asked = True
        await asyncio.sleep(0)
        self._is_asked = False
        self.questions.append(question)
        return Reply(self.consent)

    async def may_continue(self, reason: str) -> bool:
        return False

    async def answer(self, question: str) -> str | None:
        assert not self._is_asked
        self._is_asked = True
        await asyncio.sleep(0)
        self._is_asked = False
        return f"yes to {question}"


def _turn(folder: Path, tool: str, **more: Any) -> tuple[str, list[dict[str, Any]]]:
    """What the model reads of a call of `Through` that calls `tool`, and the lines of the log."""
    provider = ScriptedProvider(
        [[call("Through", raw=json.dumps({"name": tool, "path": "x.txt"})), end()], [text("done"), end()]]
    )
    host = make_host(folder, provider, tools=(PeekTool, NoteTool, Through), **more)

    async def run() -> Path:
        agent = host.open()
        outcome = await agent.run("go")
        assert outcome.status is OutcomeStatus.DONE
        await host.close()
        return agent.session.log.path

    log = asyncio.run(run())
    lines = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    [result] = [line["result"] for line in lines if line["type"] == "CallEnded"]
    return result["text"], lines


def test_an_inner_call_meets_the_policy_of_the_session(tmp_path: Path) -> None:
    shown, _ = _turn(tmp_path, "Note")
    assert shown.startswith("inner failed: Note(") and not (tmp_path / "work" / "x.txt").exists()


def test_it_runs_where_the_policy_allows_it_and_both_are_in_the_log(tmp_path: Path) -> None:
    shown, lines = _turn(tmp_path, "Note", settings={"permissions": {"mode": "edits"}})
    assert shown == "inner: wrote x.txt" and (tmp_path / "work" / "x.txt").exists()
    [inner] = [line for line in lines if line["type"] == "InnerCallEnded"]
    assert (inner["call"]["name"], inner["result"]["status"]) == ("Note", "ok")
    assert json.loads(inner["call"]["arguments"]) == {"path": "x.txt"}


def test_a_phase_that_only_reads_holds_for_inner_calls_too(tmp_path: Path) -> None:
    shown, _ = _turn(tmp_path, "Note", settings={"permissions": {"mode": "all"}, "phase": "plan"})
    assert "read-only" in shown and not (tmp_path / "work" / "x.txt").exists()


def test_the_person_is_asked_about_an_inner_call(tmp_path: Path) -> None:
    person = _Person(Consent.ONCE)
    shown, _ = _turn(tmp_path, "Note", person=person)
    assert shown == "inner: wrote x.txt"
    assert [question.call.name for question in person.questions] == ["Note"]


def test_a_tool_that_is_not_there_is_named_with_those_that_are(tmp_path: Path) -> None:
    shown, _ = _turn(tmp_path, "Nothing")
    assert "There is no tool 'Nothing'" in shown and "Peek" in shown


def test_a_tool_that_holds_something_open_is_closed_with_the_session(tmp_path: Path) -> None:
    Through.closed.clear()
    _turn(tmp_path, "Peek")
    assert Through.closed == ["closed"]


def test_tools_can_be_called_without_a_model_and_questions_come_one_after_the_other(tmp_path: Path) -> None:
    person = _Person(Consent.ONCE)
    host = make_host(tmp_path, None, person=person)
    calls, _ = host.calls()

    async def both() -> list[ToolOutput]:
        return list(await asyncio.gather(*(calls("Note", {"path": name, "text": name}) for name in "ab")))

    assert [one.text for one in asyncio.run(both())] == ["wrote a", "wrote b"]
    assert len(person.questions) == 2


def test_arguments_that_do_not_fit_are_told(tmp_path: Path) -> None:
    calls, _ = make_host(tmp_path, None).calls()
    with pytest.raises(BadArguments, match="path"):
        asyncio.run(calls("Peek", {"nothing": 1}))
