from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from aries_kernel.broker.effects import Effect, RunCommand
from aries_kernel.errors import PluginError
from aries_kernel.model.messages import (
    AssistantMessage,
    Message,
    ResultStatus,
    StopReason,
    Text,
    ToolCall,
    ToolResult,
    UserMessage,
)
from aries_kernel.model.request import Request
from aries_kernel.model.session import Outcome, OutcomeStatus, PromptSection, SessionInfo, Verdict

SESSION = SessionInfo("s1", Path("/somewhere"), "replay/x")
CALL = ToolCall("c1", "Bash", '{"command": "ls"}')
EFFECTS: list[Effect] = [RunCommand(("ls",), "ls")]
OUTCOME = Outcome(OutcomeStatus.DONE, "bye", "")


def test_hook_session_start(connect: Any) -> None:
    seen = []

    def aries_session_start(session: SessionInfo) -> None:
        seen.append(session)

    connect(one=[aries_session_start], two=[aries_session_start])[0].session_start(session=SESSION)
    assert seen == [SESSION, SESSION]


@pytest.mark.parametrize("outcome", [None, OUTCOME])
def test_hook_session_end(connect: Any, outcome: Outcome | None) -> None:
    seen = []

    def aries_session_end(session: SessionInfo, outcome: Outcome | None) -> None:
        seen.append((session, outcome))

    connect(one=[aries_session_end])[0].session_end(session=SESSION, outcome=outcome)
    assert seen == [(SESSION, outcome)]


def test_hook_prompt_sections(connect: Any) -> None:
    def section(title: str) -> PromptSection:
        return PromptSection(title, f"text of {title}")

    def plugin(answer: object) -> Any:
        def aries_prompt_sections(session: SessionInfo) -> object:
            return answer

        return [aries_prompt_sections]

    events, report = connect(
        zebra=plugin(section("z")), ant=plugin((section("a"), section("b"))), mute=plugin(None), list=plugin([])
    )
    assert events.prompt_sections(session=SESSION) == (section("a"), section("b"), section("z"))
    assert report.problems == ()


def test_hook_before_turn(connect: Any) -> None:
    def aries_before_turn(session: SessionInfo, text: str) -> str:
        return f"{session.id}: {text}"

    def silent(text: str) -> None:
        return None

    silent.__name__ = "aries_before_turn"
    events, report = connect(b=[aries_before_turn], a=[silent])
    assert events.before_turn(session=SESSION, text="hello") == ("s1: hello",)
    assert report.problems == ()


def test_hook_before_model(connect: Any) -> None:
    seen = []
    request = Request("x", "system", (), (), "s1")

    def aries_before_model(request: Request) -> None:
        seen.append(request)

    connect(one=[aries_before_model])[0].before_model(session=SESSION, request=request)
    assert seen == [request]


def test_hook_after_model(connect: Any) -> None:
    seen = []
    message = AssistantMessage((Text("hi"),), StopReason.END, "replay", "x")

    def aries_after_model(message: AssistantMessage) -> None:
        seen.append(message)

    connect(one=[aries_after_model])[0].after_model(session=SESSION, message=message)
    assert seen == [message]


def test_hook_before_tool(connect: Any) -> None:
    asked = []

    def verdict(name: str, answer: Verdict | None) -> Any:
        def aries_before_tool(call: ToolCall, effects: tuple[Effect, ...]) -> Verdict | None:
            asked.append((name, call, effects))
            return answer

        return [aries_before_tool]

    no, yes = Verdict(False, "no"), Verdict(True, "yes")
    events, _ = connect(c=verdict("c", yes), b=verdict("b", no), a=verdict("a", None))
    assert events.before_tool(session=SESSION, call=CALL, effects=EFFECTS) == no
    assert asked == [("a", CALL, tuple(EFFECTS)), ("b", CALL, tuple(EFFECTS))]


def test_hook_before_tool_without_an_answer_leaves_it_to_the_policy(connect: Any) -> None:
    def aries_before_tool() -> None:
        return None

    assert connect(a=[aries_before_tool])[0].before_tool(session=SESSION, call=CALL, effects=()) is None


def test_hook_before_tool_that_fails_refuses_the_call_every_time(connect: Any) -> None:
    def aries_before_tool() -> Verdict:
        raise ValueError("confused")

    events, report = connect(guard=[aries_before_tool])
    for _ in range(5):
        with pytest.raises(PluginError, match=r"guard 1\.0 .*ValueError: confused") as caught:
            events.before_tool(session=SESSION, call=CALL, effects=EFFECTS)
        assert (caught.value.distribution, caught.value.entry_point) == ("guard", "hooks")
    assert len(report.problems) == 1


def test_hook_after_tool(connect: Any) -> None:
    seen = []
    result = ToolResult("c1", "Bash", ResultStatus.OK, "file")

    def aries_after_tool(session: SessionInfo, call: ToolCall, result: ToolResult) -> None:
        seen.append((session, call, result))

    connect(one=[aries_after_tool])[0].after_tool(session=SESSION, call=CALL, result=result)
    assert seen == [(SESSION, CALL, result)]


def test_hook_files_changed(connect: Any) -> None:
    seen = []

    def aries_files_changed(paths: tuple[Path, ...]) -> None:
        seen.append(paths)

    connect(one=[aries_files_changed])[0].files_changed(session=SESSION, paths=[Path("a"), Path("b")])
    assert seen == [(Path("a"), Path("b"))]


def test_hook_compacting(connect: Any) -> None:
    seen = []

    def aries_compacting(messages: Sequence[Message]) -> str:
        seen.append(messages)
        return "the plan is in PLAN.md"

    def silent(session: SessionInfo) -> None:
        return None

    silent.__name__ = "aries_compacting"
    messages = (UserMessage("go"),)
    events, _ = connect(one=[aries_compacting], two=[silent])
    assert events.compacting(session=SESSION, messages=messages) == ("the plan is in PLAN.md",)
    assert seen == [messages]


def test_hook_after_turn(connect: Any) -> None:
    seen = []

    def aries_after_turn(outcome: Outcome) -> None:
        seen.append(outcome)

    connect(one=[aries_after_turn])[0].after_turn(session=SESSION, outcome=OUTCOME)
    assert seen == [OUTCOME]
