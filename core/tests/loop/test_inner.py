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
from aries_kernel.broker.effects import Effect, ReachNetwork
from aries_kernel.contracts.tool import ModelSaid, ToolContext, ToolOutput
from aries_kernel.errors import BadArguments, Overloaded, Refused, UnknownName
from aries_kernel.model.events import CallFinished, CodeSaid
from aries_kernel.model.messages import ToolResult
from aries_kernel.model.request import ModelInfo
from aries_kernel.model.session import OutcomeStatus
from aries_kernel.model.stream import TextPiece, UsageReport
from aries_kernel.model.usage import Price, Usage
from aries_kernel.router.ledger import read_spendings
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


class Speaks:
    """A tool whose code speaks to the person and asks the small model."""

    name: ClassVar[str] = "Speaks"
    description: ClassVar[str] = "Speak."
    arguments: ClassVar[type[Any]] = _Arguments
    reads_only: ClassVar[bool] = True

    def __init__(self, context: ToolContext) -> None:
        self._inner = context.inner

    def effects(self, arguments: _Arguments) -> Sequence[Effect]:
        return ()

    async def run(self, arguments: _Arguments) -> ToolOutput:
        assert self._inner is not None
        try:
            if arguments.name == "say":
                self._inner.show_person(f"on it: {arguments.path}")
                return ToolOutput("said")
            if arguments.name == "ask":
                both = (self._inner.ask_person(question) for question in ("A?", "B?"))
                return ToolOutput("; ".join(await asyncio.gather(*both)))
            said = await self._inner.ask_model(arguments.path, max_output=300)
            return ToolOutput(f"{said.text} for {said.cost}")
        except Refused as error:
            return ToolOutput(f"refused: {error}", is_error=True)


def _spoken(folder: Path, what: str, cheap: Any = None, **more: Any) -> tuple[ToolResult, list[Any], list[Any]]:
    """The result of a call of `Speaks`, the events, and the lines of the log that are not the conversation's own."""
    raw = json.dumps({"name": what, "path": "sk-secret-value"})
    provider = ScriptedProvider([[call("Speaks", raw=raw), end()], [text("done"), end()]])
    events: list[Any] = []
    others = {} if cheap is None else {"cheap": cheap}
    host = make_host(folder, provider, tools=(Speaks,), others=others, show=events.append, **more)

    async def run() -> Path:
        agent = host.open()
        await agent.run("go")
        await host.close()
        return agent.session.log.path

    log = asyncio.run(run())
    lines = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    [result] = [event.result for event in events if isinstance(event, CallFinished)]
    return result, events, [line for line in lines if line["type"] in ("CodeSpoke", "AttemptFailed")]


def test_what_code_says_is_shown_while_it_runs_and_is_in_the_log_without_secrets(tmp_path: Path) -> None:
    result, events, [line] = _spoken(tmp_path, "say", environ={"MY_API_KEY": "sk-secret-value"})
    kinds = [type(event) for event in events]
    [said] = [event for event in events if isinstance(event, CodeSaid)]
    assert kinds.index(CodeSaid) < kinds.index(CallFinished) and result.text == "said"
    assert said.text == line["text"] and said.text.startswith("on it: ") and "sk-secret" not in said.text


def test_questions_of_code_reach_the_person_one_after_the_other_and_the_answers_are_kept(tmp_path: Path) -> None:
    result, _, lines = _spoken(tmp_path, "ask", person=_Person(Consent.NO))
    assert result.text == "yes to A?; yes to B?"
    assert [(line["text"], line["answer"]) for line in lines] == [("A?", "yes to A?"), ("B?", "yes to B?")]


def test_where_nobody_is_there_a_question_of_code_is_refused(tmp_path: Path) -> None:
    result, _, lines = _spoken(tmp_path, "ask")
    assert "nobody can be asked here" in result.text and lines == []


CHEAP = {"models": {"primary": {"model": "fake/scripted"}, "cheap": {"model": "cheap/small"}}}


DOLLAR = Price(1.0, 1.0)


def _small(*script: Any, price: Price | None = DOLLAR) -> ScriptedProvider:
    return ScriptedProvider(script, ModelInfo("small", price=price))


def test_a_question_of_code_goes_to_the_cheap_slot_and_its_money_is_the_turns(tmp_path: Path) -> None:
    spent = UsageReport(Usage(input=500_000, output=500_000))
    small = _small([text("42"), spent, end()])
    result, events, _ = _spoken(tmp_path, "model", small, settings=CHEAP, environ={"MY_API_KEY": "sk-secret-value"})
    assert result.text == "42 for 1.0"
    [request] = small.requests
    assert (request.system, request.tools, request.max_output, len(request.messages)) == ("", (), 300, 1)
    assert "sk-secret" not in str(request.messages)
    assert not any(isinstance(event, TextPiece) and event.text == "42" for event in events), "it is nobody's answer"
    spendings = [(one.slot, one.purpose, one.cost) for one in read_spendings(tmp_path / "state" / "usage", [])]
    assert ("cheap", "code", 1.0) in spendings


def test_attempts_that_failed_are_part_of_what_an_answer_cost(tmp_path: Path) -> None:
    half = UsageReport(Usage(input=250_000))
    small = _small([half, Overloaded("busy")], [text("42"), half, end()])
    result, _, lines = _spoken(tmp_path, "model", small, settings=CHEAP)
    assert result.text == "42 for 0.5" and [line["type"] for line in lines] == ["AttemptFailed"]


@pytest.mark.parametrize(
    ("budget", "price", "told"),
    [
        ({"max_cost": 0.5}, None, "the price of cheap/small is not known"),
        ({"max_tokens": 10}, DOLLAR, "The limit of 10 tokens is used up"),
    ],
)
def test_a_question_that_no_budget_is_left_for_is_refused(
    tmp_path: Path, budget: dict[str, Any], price: Price | None, told: str
) -> None:
    raw = json.dumps({"name": "model", "path": "q"})
    paid = UsageReport(Usage(input=10))
    priced = ModelInfo("scripted", price=Price(1.0, 1.0))
    provider = ScriptedProvider([[call("Speaks", raw=raw), paid, end()], [text("done"), end()]], priced)
    small = _small([text("never"), end()], price=price)
    events: list[Any] = []
    settings = {**CHEAP, "budget": budget}
    host = make_host(
        tmp_path, provider, tools=(Speaks,), others={"cheap": small}, show=events.append, settings=settings
    )

    async def run() -> None:
        await host.open().run("go")
        await host.close()

    asyncio.run(run())
    [result] = [event.result for event in events if isinstance(event, CallFinished)]
    assert told in result.text and small.requests == []


def test_code_without_a_session_asks_the_cheap_slot_that_is_set_and_no_other(tmp_path: Path) -> None:
    host = make_host(tmp_path, ScriptedProvider([[text("never"), end()]]))
    calls, _ = host.calls()
    with pytest.raises(Refused, match=r"models\.cheap\.model"):
        asyncio.run(calls.ask_model("q", max_output=300))
    small = _small([text("42"), UsageReport(Usage(input=1_000_000)), end()])
    host = make_host(tmp_path, ScriptedProvider([]), others={"cheap": small}, settings=CHEAP)

    async def ask() -> ModelSaid:
        calls, _ = host.calls()
        said = await calls.ask_model("q", max_output=300)
        await host.close()
        return said

    assert asyncio.run(ask()).text == "42" and small.is_closed
    assert [one.purpose for one in read_spendings(tmp_path / "state" / "usage", [])] == ["code"]


@frozen
class _Way:
    first: str = described("an address that was let pass")
    second: str = described("where it leads")


class Sent:
    """A tool whose call leads to another address, which the session is asked about."""

    name: ClassVar[str] = "Sent"
    description: ClassVar[str] = "Go on."
    arguments: ClassVar[type[Any]] = _Way
    reads_only: ClassVar[bool] = True

    def __init__(self, context: ToolContext) -> None:
        self._inner = context.inner

    def effects(self, arguments: _Way) -> Sequence[Effect]:
        return (ReachNetwork(arguments.first),)

    async def run(self, arguments: _Way) -> ToolOutput:
        assert self._inner is not None
        before = {"first": arguments.first, "second": ""}
        await self._inner.admit(self.name, {"first": arguments.second, "second": ""}, after=before)
        return ToolOutput("went on")


@pytest.mark.parametrize(
    ("second", "settings", "asked", "shown"),
    [
        ("https://a.example/", {}, 1, "went on"),
        ("http://b.example/", {}, 2, "went on"),
        ("http://b.example/", {"allow": ["Sent(b.example)"]}, 1, "went on"),
        ("http://a.example/private", {"deny": ["Sent(a.example/private)"]}, 1, "the deny rule"),
        # What a rule let pass nobody has answered for yet.
        ("http://a.example/other", {"allow": ["Sent(a.example/docs)"]}, 1, "went on"),
        ("http://a.example/other", {"ask": ["Sent(a.example)"]}, 2, "went on"),
    ],
)
def test_where_a_call_leads_to_is_asked_about_unless_the_same_rule_would_allow_both(
    tmp_path: Path, second: str, settings: dict[str, list[str]], asked: int, shown: str
) -> None:
    person = _Person(Consent.ONCE)
    first = "http://a.example/docs/x"
    provider = ScriptedProvider([[call("Sent", first=first, second=second), end()], [text("done"), end()]])
    host = make_host(tmp_path, provider, tools=(Sent,), person=person, settings={"permissions": settings})

    async def run() -> list[dict[str, Any]]:
        agent = host.open()
        await agent.run("go")
        await host.close()
        return [json.loads(line) for line in agent.session.log.path.read_text(encoding="utf-8").splitlines()]

    lines = asyncio.run(run())
    [result] = [line["result"] for line in lines if line["type"] == "CallEnded"]
    assert shown in result["text"] and len(person.questions) == asked
    refused = [line for line in lines if line["type"] == "InnerCallEnded"]
    assert [line["result"]["status"] for line in refused] == (["refused"] if "deny" in settings else [])
