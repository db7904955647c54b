"""A conversation that grows too long: shortened, at most twice a turn, resumed as it was sent."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from aries_kernel.errors import ContextOverflow
from aries_kernel.loop.compaction import estimate, prune_results
from aries_kernel.model.events import Notice
from aries_kernel.model.messages import AssistantMessage, ResultsMessage, UserMessage
from aries_kernel.model.request import ModelInfo
from aries_kernel.model.session import OutcomeStatus
from aries_kernel.model.stream import TextPiece, UsageReport
from aries_kernel.model.usage import Usage
from aries_kernel.testing.fakes import ScriptedProvider, call, end, make_host, text

WINDOW = 1000
FULL = UsageReport(Usage(input=900))


def play(
    folder: Path, script: Sequence[Sequence[Any]], *prompts: str, resume: str | None = None, **settings: Any
) -> Any:
    """Run prompts; gives agent, outcomes and events."""
    seen: list[Any] = []
    provider = ScriptedProvider(script, ModelInfo("scripted", context_window=WINDOW))
    host = make_host(folder, provider, settings={"permissions": {"mode": "all"}, **settings}, show=seen.append)

    async def go() -> Any:
        agent = host.open(resume=resume)
        outcomes = [await agent.run(prompt) for prompt in prompts]
        await host.close()
        return agent, outcomes, seen

    return asyncio.run(go())


def peek(folder: Path, size: int) -> None:
    (folder / "work").mkdir(exist_ok=True)
    (folder / "work" / "big").write_text("x" * size, encoding="utf-8")


def test_a_summary_takes_the_place_of_what_was_said_before(tmp_path: Path) -> None:
    script = [[text("long " * 300), FULL, end()], [text("Goal: tea."), end()], [text("ok"), end()]]
    agent, outcomes, seen = play(tmp_path, script, "make tea", "and now?")
    assert [outcome.status for outcome in outcomes] == [OutcomeStatus.DONE] * 2
    summary, prompt, answer = agent.session.messages
    assert "Goal: tea." in summary.text and (prompt.text, answer.text) == ("and now?", "ok")
    asked = agent.route.current.provider.requests
    assert asked[1].tools == () and "make tea" in asked[1].messages[0].text
    assert asked[2].messages == (summary, prompt) and asked[2].system == asked[0].system
    assert any("shortened" in event.text for event in seen if isinstance(event, Notice))
    assert "Goal: tea." not in "".join(event.text for event in seen if isinstance(event, TextPiece))


def test_what_is_resumed_is_the_shortened_conversation_and_the_log_keeps_the_old_one(tmp_path: Path) -> None:
    script = [[text("long " * 300), FULL, end()], [text("Goal: tea."), end()], [text("ok"), end()]]
    first, _, _ = play(tmp_path, script, "make tea", "and now?")
    second, _, _ = play(tmp_path, [[text("more"), end()]], "go on", resume=first.session.id)
    assert second.session.messages[:3] == first.session.messages
    assert "long long long" in first.session.log.path.read_text(encoding="utf-8")


def test_old_results_go_first_and_no_model_is_asked_where_that_is_enough(tmp_path: Path) -> None:
    peek(tmp_path, 2400)
    script = [
        [call("Peek", path="big"), end()],
        [call("Note", path="a", text="1" * 900), UsageReport(Usage(input=500)), end()],
        [call("Peek", path="a"), UsageReport(Usage(input=800)), end()],
        [text("done"), end()],
    ]
    agent, [outcome], _ = play(tmp_path, script, "go", compact={"threshold": 0.9})
    assert outcome.status is OutcomeStatus.DONE and len(agent.route.current.provider.requests) == 4
    results = [one.results[0].text for one in agent.session.messages if isinstance(one, ResultsMessage)]
    assert "removed to save room" in results[0] and results[1:] == ["wrote a", "1" * 900]


def test_a_server_that_always_says_too_long_is_not_asked_for_ever(tmp_path: Path) -> None:
    too_long = [ContextOverflow("prompt is too long")]
    script = [
        [text("long " * 400), end()],
        too_long,
        [text("short"), end()],
        too_long,
        [text("s"), end()],
        *[too_long] * 9,
    ]
    agent, outcomes, _ = play(tmp_path, script, "one", "two")
    assert outcomes[1].status is OutcomeStatus.FAILED
    assert "too long" in outcomes[1].reason
    assert len(agent.route.current.provider.requests) <= 6


def test_a_record_that_the_server_finds_too_long_itself_is_summarised_in_part(tmp_path: Path) -> None:
    too_long = [ContextOverflow("prompt is too long")]
    script = [[text("long " * 400), end()], too_long, too_long, [text("Goal: tea."), end()], [text("ok"), end()]]
    agent, outcomes, _ = play(tmp_path, script, "make tea", "and now?", compact={"auto": False})
    assert outcomes[1].status is OutcomeStatus.DONE and outcomes[1].text == "ok"
    first, second = (len(one.messages[0].text) for one in agent.route.current.provider.requests[2:4])
    assert second < first / 2
    assert "Goal: tea." in agent.session.messages[0].text


def test_a_record_that_is_always_too_long_ends_the_turn_with_a_way_out(tmp_path: Path) -> None:
    too_long = [ContextOverflow("prompt is too long")]
    agent, outcomes, _ = play(tmp_path, [[text("long " * 400), end()], *[too_long] * 20], "one", "two")
    assert outcomes[1].status is OutcomeStatus.FAILED
    assert "Start a new session" in outcomes[1].reason and "prompt is too long" in outcomes[1].reason
    assert len(agent.route.current.provider.requests) <= 5


def test_a_summary_that_is_no_shorter_ends_the_turn_with_a_way_out(tmp_path: Path) -> None:
    script = [[text("long " * 300), FULL, end()], [text("long " * 400), end()]]
    agent, outcomes, _ = play(tmp_path, script, "one", "two")
    assert outcomes[1].status is OutcomeStatus.FAILED and "Start a new session" in outcomes[1].reason
    assert agent.session.messages[0].text == "one"


@pytest.mark.parametrize("settings", [{"compact": {"auto": False}}, {"compact": {"threshold": 0.95}}])
def test_it_can_be_switched_off_and_put_off(tmp_path: Path, settings: dict[str, Any]) -> None:
    script = [[text("long " * 300), FULL, end()], [text("ok"), end()]]
    agent, _, _ = play(tmp_path, script, "one", "two", **settings)
    assert [one.text for one in agent.session.messages][2:] == ["two", "ok"]


def test_calls_and_their_results_stay_together(tmp_path: Path) -> None:
    peek(tmp_path, 3600)
    script = [[call("Peek", path="big"), FULL, end()], [text("Done: read big."), end()], [text("ok"), end()]]
    agent, [outcome], _ = play(tmp_path, script, "read it")
    assert outcome.status is OutcomeStatus.DONE
    summary = agent.session.messages[0]
    assert isinstance(summary, UserMessage) and "read it" in summary.text and "Done: read big." in summary.text
    assert [type(one) for one in agent.session.messages] == [UserMessage, AssistantMessage]


def test_a_shortened_conversation_is_not_taken_for_a_full_one(tmp_path: Path) -> None:
    peek(tmp_path, 40)
    script = [
        [text("long " * 500), end()],
        [call("Peek", path="big"), FULL, end()],
        [text("Goal: x."), end()],
        [call("Note", path="a"), end()],
        [text("done"), end()],
    ]
    _, outcomes, seen = play(tmp_path, script, "one", "two", compact={"threshold": 0.8})
    assert outcomes[1].status is OutcomeStatus.DONE
    assert sum("shortened" in event.text for event in seen if isinstance(event, Notice)) == 1


def test_a_person_may_ask_for_it(tmp_path: Path) -> None:
    provider = ScriptedProvider(
        [[text("long " * 300), end()], [text("Goal: x."), end()]], ModelInfo("scripted", context_window=100_000)
    )
    host = make_host(tmp_path, provider)

    async def go() -> Any:
        agent = host.open()
        await agent.run("one")
        await agent.compact()
        await host.close()
        return agent

    assert len(provider.requests) == 0
    agent = asyncio.run(go())
    assert "Goal: x." in agent.session.messages[0].text


def test_pruning_keeps_the_newest_and_changes_nothing_else() -> None:
    from aries_kernel.model.messages import ResultStatus, ToolResult

    def result(name: str, size: int) -> ResultsMessage:
        return ResultsMessage((ToolResult(name, "Read", ResultStatus.OK, "x" * size),))

    messages = (UserMessage("go"), result("a", 4000), result("b", 40), result("c", 4000))
    pruned = prune_results(messages, 100)
    assert pruned[0] == messages[0] and pruned[2:] == messages[2:]
    assert estimate(pruned) < estimate(messages) / 1.5
