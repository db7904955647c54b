"""One turn, from the prompt to its outcome, through `Host.open` and `Agent.run`."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import pytest
from attrs import define, field

from aries_kernel import errors
from aries_kernel.broker.effects import ReadPath
from aries_kernel.contracts.tool import ToolContext, ToolOutput
from aries_kernel.loop.compaction import estimate
from aries_kernel.model.events import AnswerDiscarded, Notice, TurnEvent
from aries_kernel.model.messages import (
    AssistantMessage,
    Image,
    Message,
    ResultsMessage,
    ResultStatus,
    StopReason,
    ToolResult,
    UserMessage,
)
from aries_kernel.model.request import ModelInfo
from aries_kernel.model.session import Outcome, OutcomeStatus
from aries_kernel.model.stream import Remark, TextPiece, UsageReport
from aries_kernel.model.usage import Price, Usage
from aries_kernel.testing.fakes import NoteTool, PeekTool, ScriptedProvider, _Path, call, end, make_host, text

ALL = {"permissions": {"mode": "all"}}


def run(folder: Path, script: Sequence[Sequence[Any]], *prompts: str, **options: Any) -> tuple[list[Outcome], Any]:
    """Play a script; gives the outcomes and a record of provider, messages and events."""
    provider = options.pop("provider", None) or ScriptedProvider(script)
    seen: list[TurnEvent] = []
    host = make_host(folder, provider, show=seen.append, **options)

    async def play() -> tuple[list[Outcome], Any]:
        agent = host.open()
        outcomes = [await agent.run(prompt) for prompt in prompts or ("go",)]
        await host.close()
        return outcomes, agent

    outcomes, agent = asyncio.run(play())
    return outcomes, Record(provider, agent.session.messages, seen, agent)


@define
class Record:
    provider: ScriptedProvider
    messages: tuple[Message, ...]
    events: list[TurnEvent]
    agent: Any

    @property
    def results(self) -> list[ToolResult]:
        return [result for one in self.messages if isinstance(one, ResultsMessage) for result in one.results]

    def of(self, kind: type[Any]) -> list[Any]:
        return [event for event in self.events if isinstance(event, kind)]


def note(path: str, **more: Any) -> Any:
    return call("Note", more.pop("key", "0"), path=path, **more)


def test_a_text_answer_ends_the_turn(tmp_path: Path) -> None:
    [outcome], record = run(tmp_path, [[text("It is "), text("done."), end()]])
    assert (outcome.status, outcome.text, outcome.answers, outcome.calls) == (OutcomeStatus.DONE, "It is done.", 1, 0)
    assert [type(message) for message in record.messages] == [UserMessage, AssistantMessage]


def test_a_remark_of_the_provider_is_told_and_is_no_part_of_the_answer(tmp_path: Path) -> None:
    [outcome], record = run(tmp_path, [[Remark("a tool is left out"), text("done"), end()]])
    assert (outcome.text, record.messages[-1].text) == ("done", "done")
    assert record.of(Notice) == [Notice("a tool is left out")]


def test_pictures_stand_with_the_prompt_they_came_with(tmp_path: Path) -> None:
    picture = Image("image/png", "cGljdHVyZQ==", 750, 100, "shot.png")
    provider = ScriptedProvider([[text("one"), end()], [text("two"), end()]])
    host = make_host(tmp_path, provider)

    async def play() -> tuple[Message, ...]:
        agent = host.open()
        await agent.run("Look.", (picture,))
        await agent.run("And now?")
        await host.close()
        return agent.session.messages

    messages = asyncio.run(play())
    assert [one.images for one in messages if isinstance(one, UserMessage)] == [(picture,), ()]
    assert provider.requests[1].messages[0] == messages[0]
    assert estimate(messages[:1]) > picture.tokens > 100


def test_all_results_of_one_answer_are_one_message_in_the_order_of_the_calls(tmp_path: Path) -> None:
    script = [[note("a", key="x"), call("Peek", "y", path="a"), note("b", key="z"), end()], [text("ok"), end()]]
    _, record = run(tmp_path, script, settings=ALL)
    [results] = [message for message in record.messages if isinstance(message, ResultsMessage)]
    answer = record.messages[1]
    assert isinstance(answer, AssistantMessage)
    assert [result.call_id for result in results.results] == [one.id for one in answer.calls]
    assert [result.status for result in results.results] == [ResultStatus.OK] * 3


def test_ids_of_calls_are_ours_and_unique_though_the_server_repeats_its_own(tmp_path: Path) -> None:
    from aries_kernel.model.stream import CallPiece

    same = [CallPiece("k", "Note", '{"path": "a"}', "id-1"), end()]
    other = [CallPiece("k", "Note", '{"path": "b"}', "id-1"), end()]
    _, record = run(tmp_path, [same, other, [text("ok"), end()]], settings=ALL)
    ids = [one.id for message in record.messages if isinstance(message, AssistantMessage) for one in message.calls]
    assert len(set(ids)) == 2
    assert [result.call_id for result in record.results] == ids


@define
class MeetTool:
    """Returns only when two of it run at the same time."""

    context: ToolContext
    here: ClassVar[list[asyncio.Event]] = []
    name: ClassVar[str] = "Meet"
    description: ClassVar[str] = "Wait for another one."
    arguments: ClassVar[type[Any]] = _Path
    reads_only: ClassVar[bool] = True

    def effects(self, arguments: Any) -> Sequence[Any]:
        return ()

    async def run(self, arguments: Any) -> ToolOutput:
        self.here.append(asyncio.Event())
        if len(self.here) == 2:
            for event in self.here:
                event.set()
        await asyncio.wait_for(self.here[0].wait(), 5)
        return ToolOutput("met")


def test_reads_run_side_by_side(tmp_path: Path) -> None:
    MeetTool.here.clear()
    script = [[call("Meet", "a", path="1"), call("Meet", "b", path="2"), end()], [text("ok"), end()]]
    _, record = run(tmp_path, script, tools=(MeetTool,))
    assert [result.text for result in record.results] == ["met", "met"]


def test_writes_run_in_order_and_a_read_after_them_sees_them(tmp_path: Path) -> None:
    calls = [note("a", text="1", key="p"), note("a", text="2", key="q"), call("Peek", "r", path="a"), end()]
    _, record = run(tmp_path, [calls, [text("ok"), end()]], settings=ALL)
    assert record.results[-1].text == "2"


def test_a_call_that_was_cut_never_runs_and_leaves_nothing_behind(tmp_path: Path) -> None:
    script = [
        [
            text("half"),
            call("Note", raw='{"path": "touched'),
        ],
        [text("whole"), end()],
    ]
    waits: list[float] = []
    [outcome], record = run(tmp_path, script, settings=ALL, waits=waits)
    assert outcome.text == "whole"
    assert [message.text for message in record.messages[1:]] == ["whole"]
    assert not list((tmp_path / "work").iterdir())
    assert len(record.of(AnswerDiscarded)) == 1 and len(waits) == 1


def test_a_whole_call_without_a_stop_reason_does_not_run_either(tmp_path: Path) -> None:
    _, record = run(tmp_path, [[note("a")], [text("ok"), end()]], settings=ALL)
    assert record.results == [] and not (tmp_path / "work" / "a").exists()


@pytest.mark.parametrize("reason", [StopReason.LENGTH, StopReason.OTHER, StopReason.FILTERED])
def test_a_call_of_an_answer_that_did_not_end_properly_does_not_run(tmp_path: Path, reason: StopReason) -> None:
    _, record = run(tmp_path, [[note("a"), end(reason)], [text("ok"), end()]], settings=ALL)
    assert [result.status for result in record.results] == [ResultStatus.NOT_RUN]
    assert not (tmp_path / "work" / "a").exists()


def test_the_model_is_told_that_the_output_limit_cut_its_call(tmp_path: Path) -> None:
    script = [[call("Note", raw='{"path": "a", "text": "long'), end(StopReason.LENGTH)], [text("ok"), end()]]
    _, record = run(tmp_path, script, settings=ALL)
    assert "output limit" in record.results[0].text and '{"path": "a", "text": "long' in record.results[0].text


@pytest.mark.parametrize(
    "raw", ['{"path": "a"', '{"path": "a"}}', "{'path': 'a'}", '["a"]', '{"path": NaN}', '{"pth": "a"}']
)
def test_arguments_that_do_not_parse_as_sent_are_never_repaired(tmp_path: Path, raw: str) -> None:
    _, record = run(tmp_path, [[call("Note", raw=raw), end()], [text("ok"), end()]], settings=ALL)
    assert record.results[0].status is ResultStatus.ERROR
    assert record.results[0].text.startswith("Not run.")
    assert not list((tmp_path / "work").iterdir())


def test_partial_text_of_a_failed_attempt_is_not_in_the_history(tmp_path: Path) -> None:
    script = [[text("partial"), errors.Overloaded("upstream died")], [text("All done."), end()]]
    [outcome], record = run(tmp_path, script)
    assert outcome.text == "All done."
    assert not any("partial" in message.text for message in record.messages if isinstance(message, AssistantMessage))


def test_an_empty_answer_is_nudged_once(tmp_path: Path) -> None:
    [outcome], record = run(tmp_path, [[end()], [text("ok"), end()]])
    assert outcome.status is OutcomeStatus.DONE
    assert [type(message) for message in record.messages] == [UserMessage, UserMessage, AssistantMessage]


def test_two_empty_answers_are_an_error(tmp_path: Path) -> None:
    [outcome], _ = run(tmp_path, [[end()], [text(" \n"), end()]])
    assert outcome.status is OutcomeStatus.FAILED and "empty answer" in outcome.reason


def test_a_server_that_asks_to_wait_is_waited_for(tmp_path: Path) -> None:
    waits: list[float] = []
    [outcome], _ = run(tmp_path, [[errors.RateLimited("slow down", 2.0)], [text("ok"), end()]], waits=waits)
    assert outcome.status is OutcomeStatus.DONE and waits == [2.0]


def test_a_wait_longer_than_allowed_ends_the_turn(tmp_path: Path) -> None:
    waits: list[float] = []
    [outcome], _ = run(tmp_path, [[errors.RateLimited("slow down", 3600.0)]], waits=waits)
    assert outcome.status is OutcomeStatus.FAILED and waits == [] and "3600 s" in outcome.reason


def test_waits_without_a_header_double(tmp_path: Path) -> None:
    waits: list[float] = []
    failures = [[errors.Overloaded("busy")]] * 3
    [outcome], _ = run(tmp_path, [*failures, [text("ok"), end()]], waits=waits)
    assert outcome.status is OutcomeStatus.DONE
    assert [0.375 * 2**step <= wait <= 0.5 * 2**step for step, wait in enumerate(waits)] == [True] * 3


def test_tries_end(tmp_path: Path) -> None:
    [outcome], record = run(tmp_path, [[errors.NetworkDown("no route")]] * 9, settings={"retry": {"attempts": 3}})
    assert outcome.status is OutcomeStatus.FAILED and "no route" in outcome.reason and "3 times" in outcome.reason
    assert len(record.provider.requests) == 3


def test_a_fatal_error_is_not_tried_again(tmp_path: Path) -> None:
    [outcome], record = run(tmp_path, [[errors.AuthRefused("bad key")]])
    assert (outcome.status, outcome.reason, len(record.provider.requests)) == (OutcomeStatus.FAILED, "bad key", 1)


def test_tokens_of_failed_attempts_are_counted(tmp_path: Path) -> None:
    usage = UsageReport(Usage(input=10, output=5))
    script = [[usage, errors.Overloaded("busy")], [text("ok"), usage, end()]]
    [outcome], _ = run(tmp_path, script)
    assert outcome.usage == Usage(input=20, output=10)


def test_the_same_call_is_not_run_a_third_time_in_a_row(tmp_path: Path) -> None:
    script = [[note("a"), end()], [call("Note", raw='{ "path":"a" }'), end()], [note("a"), end()]]
    [outcome], record = run(tmp_path, script, settings=ALL)
    assert outcome.status is OutcomeStatus.STUCK and "3 times" in outcome.reason
    assert [result.status for result in record.results] == [ResultStatus.OK, ResultStatus.OK, ResultStatus.NOT_RUN]


def test_a_turn_that_only_repeats_itself_in_turns_is_stopped(tmp_path: Path) -> None:
    script = [[call("Peek", path="a" if step % 2 else "b"), end()] for step in range(30)]
    [outcome], record = run(tmp_path, script)
    assert outcome.status is OutcomeStatus.STUCK and "progress" in outcome.reason
    assert len(record.provider.requests) == 8


def test_repeating_a_read_after_a_change_is_progress(tmp_path: Path) -> None:
    script: list[Any] = []
    for step in range(8):
        script += [[note("a", text=str(step)), end()], [call("Peek", path="a"), end()]]
    [outcome], _ = run(tmp_path, [*script, [text("ok"), end()]], settings=ALL)
    assert outcome.status is OutcomeStatus.DONE


@pytest.mark.parametrize(
    ("budget", "unit"),
    [
        ({"max_turns": 2}, "answers"),
        ({"max_calls": 2}, "calls"),
        ({"max_tokens": 250}, "tokens"),
        ({"max_cost": 0.0002}, "dollars"),
    ],
)
def test_each_budget_ends_the_turn(tmp_path: Path, budget: dict[str, float], unit: str) -> None:
    usage = UsageReport(Usage(input=100, output=50))
    script = [[note(str(step)), usage, end()] for step in range(5)]
    provider = ScriptedProvider(script, ModelInfo("scripted", price=Price(1.0, 1.0)))
    [outcome], record = run(tmp_path, script, provider=provider, settings={**ALL, "budget": budget})
    assert outcome.status is OutcomeStatus.LIMIT and unit in outcome.reason
    assert len(record.provider.requests) == 2
    assert outcome.cost == pytest.approx(300 / 1_000_000)


def test_a_cost_limit_needs_a_known_price(tmp_path: Path) -> None:
    with pytest.raises(errors.UserError, match=r"price of fake/scripted is not known"):
        run(tmp_path, [], settings={"budget": {"max_cost": 1.0}})
    assert not (tmp_path / "state").exists()


def test_the_time_limit_stops_a_stream_that_hangs(tmp_path: Path) -> None:
    script = [[text("wait"), asyncio.Event()]]
    [outcome], _ = run(tmp_path, script, settings={"budget": {"max_seconds": 0.05}})
    assert outcome.status is OutcomeStatus.LIMIT and "seconds" in outcome.reason


def test_text_cut_at_the_output_limit_is_continued(tmp_path: Path) -> None:
    [outcome], record = run(tmp_path, [[text("One, "), end(StopReason.LENGTH)], [text("two."), end()]])
    assert (outcome.status, outcome.text) == (OutcomeStatus.DONE, "One, two.")
    assert len(record.provider.requests) == 2


def test_continuing_ends_too(tmp_path: Path) -> None:
    [outcome], record = run(tmp_path, [[text("and "), end(StopReason.LENGTH)]] * 9)
    assert outcome.status is OutcomeStatus.LIMIT and len(record.provider.requests) == 4


def test_a_filtered_answer_is_a_failure(tmp_path: Path) -> None:
    [outcome], _ = run(tmp_path, [[end(StopReason.FILTERED)]])
    assert outcome.status is OutcomeStatus.FAILED and "filter" in outcome.reason


def test_an_unknown_tool_is_answered_with_the_known_ones(tmp_path: Path) -> None:
    _, record = run(tmp_path, [[call("Pek", path="a"), end()], [text("ok"), end()]])
    assert record.results[0].text == "Not run. There is no tool 'Pek'. Did you mean 'Peek'? Known: Note, Peek."


def test_a_defect_of_a_tool_is_told_and_does_not_end_the_session(tmp_path: Path) -> None:
    @define
    class Broken(PeekTool):
        async def run(self, arguments: Any) -> ToolOutput:
            raise ZeroDivisionError("oops")

    script = [[call("Peek", path="a"), end()], [text("ok"), end()]]
    [outcome], record = run(tmp_path, script, tools=(Broken,))
    assert outcome.status is OutcomeStatus.DONE
    assert record.results[0].status is ResultStatus.ERROR and "oops" in record.results[0].text
    assert any("oops" in notice.text for notice in record.of(Notice))


def test_known_secrets_are_redacted_in_results_and_in_the_log(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "a").write_text("key is sk-very-secret-1", encoding="utf-8")
    environ = {"OPENAI_API_KEY": "sk-very-secret-1"}
    _, record = run(tmp_path, [[call("Peek", path="a"), end()], [text("ok"), end()]], environ=environ)
    assert record.results[0].text == "key is [redacted]"
    assert "sk-very-secret-1" not in record.agent.session.log.path.read_text(encoding="utf-8")


def test_known_secrets_that_the_model_writes_run_but_are_neither_kept_nor_shown(tmp_path: Path) -> None:
    from aries_kernel.model.events import AnswerCompleted, CallStarted
    from aries_kernel.model.stream import TextPiece

    key = "sk-very-secret-1"
    script = [[text(f"It is {key}."), call("Note", path="a", text=key), end()], [text("ok"), end()]]
    _, record = run(tmp_path, script, environ={"OPENAI_API_KEY": key}, settings=ALL)
    assert (tmp_path / "work" / "a").read_text(encoding="utf-8") == key
    assert key not in record.agent.session.log.path.read_text(encoding="utf-8")
    assert key not in repr(record.of(TextPiece)) + repr(record.of(AnswerCompleted)) + repr(record.of(CallStarted))
    assert key not in repr(record.provider.requests[1].messages)


class TestPermissions:
    def test_what_would_ask_is_refused_where_nobody_is_there(self, tmp_path: Path) -> None:
        _, record = run(tmp_path, [[note("a"), end()], [text("ok"), end()]])
        assert record.results[0].status is ResultStatus.REFUSED
        assert "--allow" in record.results[0].text and not (tmp_path / "work" / "a").exists()

    def test_always_allows_the_like_for_the_rest_of_the_session(self, tmp_path: Path) -> None:
        from aries_kernel.broker.consent import Consent, Question, Reply

        @define
        class Person:
            questions: list[Question] = field(factory=list)

            async def may_run(self, question: Question) -> Reply:
                self.questions.append(question)
                return Reply(Consent.ALWAYS)

            async def may_continue(self, reason: str) -> bool:
                return False

        person = Person()
        script = [[note("a"), end()], [note("a", text="x"), end()], [text("ok"), end()]]
        _, record = run(tmp_path, script, person=person)
        assert [result.status for result in record.results] == [ResultStatus.OK] * 2
        assert len(person.questions) == 1

    def test_a_person_may_let_a_stuck_turn_go_on(self, tmp_path: Path) -> None:
        from aries_kernel.broker.consent import Consent, Question, Reply

        class Person:
            async def may_run(self, question: Question) -> Reply:
                return Reply(Consent.ONCE)

            async def may_continue(self, reason: str) -> bool:
                return True

        script = [*[[call("Peek", path="a"), end()]] * 4, [text("ok"), end()]]
        [outcome], _ = run(tmp_path, script, person=Person())
        assert outcome.status is OutcomeStatus.DONE


class TestQueues:
    def test_steering_drops_the_calls_that_have_not_started(self, tmp_path: Path) -> None:
        @define
        class Steered(NoteTool):
            async def run(self, arguments: Any) -> ToolOutput:
                agents[0].steer("stop that")
                return await NoteTool.run(self, arguments)

        agents: list[Any] = []
        script = [[note("a", key="1"), note("b", key="2"), end()], [text("ok"), end()]]
        provider = ScriptedProvider(script)
        host = make_host(tmp_path, provider, tools=(Steered,), settings=ALL)

        async def play() -> None:
            agents.append(host.open())
            await agents[0].run("go")
            await host.close()

        asyncio.run(play())
        messages = agents[0].session.messages
        assert [result.status for result in messages[2].results] == [ResultStatus.OK, ResultStatus.NOT_RUN]
        assert messages[3].text == "stop that"

    def test_follow_ups_come_when_the_agent_is_done_and_once(self, tmp_path: Path) -> None:
        provider = ScriptedProvider([[text("one"), end()], [text("two"), end()]])
        host = make_host(tmp_path, provider)

        async def play() -> tuple[Outcome, Any]:
            agent = host.open()
            agent.follow_up("and then?")
            return await agent.run("go"), agent

        outcome, agent = asyncio.run(play())
        assert outcome.text == "two"
        assert [one.text for one in agent.session.messages] == ["go", "one", "and then?", "two"]


class TestInterruption:
    def test_an_interrupted_call_may_have_had_effects_and_the_next_prompt_works(self, tmp_path: Path) -> None:
        started = asyncio.Event()

        @define
        class Endless(NoteTool):
            async def run(self, arguments: Any) -> ToolOutput:
                started.set()
                await asyncio.Event().wait()
                raise AssertionError

        script = [[note("a", key="1"), note("b", key="2"), end()], [text("ok"), end()]]
        host = make_host(tmp_path, ScriptedProvider(script), tools=(Endless,), settings=ALL)

        async def play() -> tuple[Outcome, Outcome, Any]:
            agent = host.open()
            task = asyncio.create_task(agent.run("go"))
            await asyncio.wait_for(started.wait(), 5)
            agent.interrupt()
            first = await task
            return first, await agent.run("go on"), agent

        first, second, agent = asyncio.run(play())
        assert (first.status, second.status) == (OutcomeStatus.INTERRUPTED, OutcomeStatus.DONE)
        results = agent.session.messages[2].results
        assert [result.status for result in results] == [ResultStatus.INTERRUPTED, ResultStatus.NOT_RUN]
        assert "may have had effects" in results[0].text

    def test_an_interrupted_stream_leaves_nothing(self, tmp_path: Path) -> None:
        provider = ScriptedProvider([[text("half"), asyncio.Event()], [text("ok"), end()]])
        begun = asyncio.Event()
        host = make_host(tmp_path, provider, show=lambda event: begun.set() if isinstance(event, TextPiece) else None)

        async def play() -> tuple[Outcome, Any]:
            agent = host.open()
            task = asyncio.create_task(agent.run("go"))
            await asyncio.wait_for(begun.wait(), 5)
            agent.interrupt()
            return await task, agent

        outcome, agent = asyncio.run(play())
        assert outcome.status is OutcomeStatus.INTERRUPTED
        assert [type(one) for one in agent.session.messages] == [UserMessage]

    def test_a_caller_that_cancels_gets_its_cancellation_and_a_whole_session(self, tmp_path: Path) -> None:
        started = asyncio.Event()

        @define
        class Endless(NoteTool):
            async def run(self, arguments: Any) -> ToolOutput:
                started.set()
                await asyncio.Event().wait()
                raise AssertionError

        host = make_host(tmp_path, ScriptedProvider([[note("a"), end()]]), tools=(Endless,), settings=ALL)

        async def play() -> Any:
            agent = host.open()
            task = asyncio.create_task(agent.run("go"))
            await asyncio.wait_for(started.wait(), 5)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            return agent

        agent = asyncio.run(play())
        assert agent.session.history.unanswered == ()
        assert agent.session.history.outcomes[-1].status is OutcomeStatus.INTERRUPTED


class TestPrefix:
    def test_it_is_the_same_in_every_request_of_a_session(self, tmp_path: Path) -> None:
        _, record = run(tmp_path, [[note("a"), end()], [text("ok"), end()], [text("again"), end()]], "one", "two")
        prefixes = {(one.system, repr(one.tools)) for one in record.provider.requests}
        assert len(prefixes) == 1
        requests = record.provider.requests
        assert all(later.messages[: len(one.messages)] == one.messages for one, later in itertools.pairwise(requests))

    def test_the_date_is_with_the_newest_message_only(self, tmp_path: Path) -> None:
        _, record = run(tmp_path, [[text("ok"), end()]])
        [request] = record.provider.requests
        assert "2026-01-02" not in request.system and "2026-01-02" in request.messages[-1].volatile

    def test_instructions_of_the_project_are_in_it(self, tmp_path: Path) -> None:
        (tmp_path / "work").mkdir()
        (tmp_path / "work" / "AGENTS.md").write_text("Use tabs.\n", encoding="utf-8")
        _, record = run(tmp_path, [[text("ok"), end()]])
        assert "Use tabs." in record.provider.requests[0].system

    def test_a_link_named_like_instructions_cannot_bring_in_a_foreign_file(self, tmp_path: Path) -> None:
        (tmp_path / "work").mkdir()
        (tmp_path / "outside").write_text("top secret", encoding="utf-8")
        (tmp_path / "work" / "AGENTS.md").symlink_to(tmp_path / "outside")
        _, record = run(tmp_path, [[text("ok"), end()]])
        assert "top secret" not in record.provider.requests[0].system
        assert any("AGENTS.md" in notice.text for notice in record.of(Notice))


class TestPhases:
    SETTINGS: ClassVar[dict[str, Any]] = {**ALL, "phase": "small", "phases": {"small": {"tools": ["Peek"]}}}

    def test_hidden_tools_are_named_and_not_described(self, tmp_path: Path) -> None:
        _, record = run(tmp_path, [[text("ok"), end()]], settings=self.SETTINGS)
        [request] = record.provider.requests
        assert [tool.name for tool in request.tools] == ["Peek", "Tools"]
        assert "by name only: Note" in request.system

    def test_a_hidden_tool_may_be_called_by_name_and_is_shown_from_then_on(self, tmp_path: Path) -> None:
        _, record = run(tmp_path, [[note("a"), end()], [text("ok"), end()]], settings=self.SETTINGS)
        assert record.results[0].status is ResultStatus.OK
        first, second = record.provider.requests
        assert [tool.name for tool in second.tools] == ["Peek", "Tools", "Note"]
        assert second.tools[: len(first.tools)] == first.tools and second.system == first.system

    def test_tools_describes_and_widens(self, tmp_path: Path) -> None:
        script = [[call("Tools", names=["Note", "Nope"]), end()], [note("a"), end()], [text("ok"), end()]]
        _, record = run(tmp_path, script, settings=self.SETTINGS)
        assert '"path"' in record.results[0].text and "no tool 'Nope'" in record.results[0].text
        assert [tool.name for tool in record.provider.requests[1].tools] == ["Peek", "Tools", "Note"]
        assert (tmp_path / "work" / "a").exists()

    def test_plan_shows_no_writer_and_refuses_one_called_by_name(self, tmp_path: Path) -> None:
        script = [[note("a"), end()], [text("ok"), end()]]
        _, record = run(tmp_path, script, settings={**ALL, "phase": "plan"})
        assert [tool.name for tool in record.provider.requests[0].tools] == ["Peek"]
        assert record.results[0].status in (ResultStatus.REFUSED, ResultStatus.ERROR)
        assert not (tmp_path / "work" / "a").exists()

    def test_an_unknown_phase_lists_the_known(self, tmp_path: Path) -> None:
        with pytest.raises(errors.ConfigError, match="Known: full, plan"):
            run(tmp_path, [], settings={"phase": "fulll"})


def test_a_tool_that_does_not_keep_the_contract_is_named_once_and_left_out(tmp_path: Path) -> None:
    class Wrong(PeekTool):
        name = "Peek"

        def run(self, arguments: Any) -> Any:
            return None

    _, record = run(tmp_path, [[text("ok"), end()]], tools=(Wrong, NoteTool))
    assert [tool.name for tool in record.provider.requests[0].tools] == ["Note"]
    assert [notice.text for notice in record.of(Notice)] == [
        "The tool Peek does not work: TypeError: its method run is not async"
    ]


@pytest.mark.parametrize(("name", "other"), [("a [b] (c)", "a b (c)"), ("x", "y")])
def test_output_that_was_kept_may_be_read_wherever_the_state_folder_is(tmp_path: Path, name: str, other: str) -> None:
    host = make_host(tmp_path / name, ScriptedProvider([]), tools=(PeekTool,))
    agent = host.open()
    asyncio.run(host.close())
    folder = agent.runner.exposure.toolbox.context.spill_folder
    elsewhere = Path(str(folder).replace(name, other))

    def kind(file: Path) -> str:
        return str(agent.runner.gate.policy.decide("Read", [ReadPath(file)], reads_only=True).kind)

    assert (kind(folder / "kept.txt"), kind(elsewhere / "kept.txt")) == ("allow", "ask")
