from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pluggy
import pytest

from aries_kernel import hookspecs
from aries_kernel.discovery.report import Report
from aries_kernel.errors import Interrupted, PluginError
from aries_kernel.events import Events
from aries_kernel.hookspecs import hookimpl
from aries_kernel.model.messages import ToolCall
from aries_kernel.model.session import PromptSection, SessionInfo, Verdict

SESSION = SessionInfo("s1", Path("/somewhere"), "replay/x")
CALL = ToolCall("c1", "Bash", "{}")


def facade(**plugins: Any) -> tuple[Events, Report]:
    """A facade with one plugin object for each name."""
    manager, report = pluggy.PluginManager("aries"), Report()
    manager.add_hookspecs(hookspecs)
    for name, plugin in plugins.items():
        manager.register(plugin, name)
    return Events(manager, report), report


def before_turn(answer: Callable[..., object]) -> object:
    class Plugin:
        @hookimpl
        def aries_before_turn(self, text: str) -> object:
            return answer()

    return Plugin()


def failing(error: BaseException) -> Callable[[], object]:
    def fail() -> object:
        raise error

    return fail


@pytest.mark.parametrize(
    "error",
    [ValueError("x"), SystemExit(2), GeneratorExit(), StopIteration(), asyncio.CancelledError(), Interrupted("x")],
)
def test_a_failing_observer_does_not_stop_the_others(error: BaseException) -> None:
    events, report = facade(a=before_turn(failing(error)), b=before_turn(lambda: "fine"))
    assert events.before_turn(session=SESSION, text="") == ("fine",)
    (problem,) = report.problems
    assert problem.distribution == "a" and type(error).__name__ in problem.message


def test_a_plugin_is_put_aside_after_three_failures_and_named_once() -> None:
    calls = []

    class Plugin:
        @hookimpl
        def aries_before_turn(self) -> str:
            calls.append("turn")
            raise ValueError(len(calls))

        @hookimpl
        def aries_session_start(self) -> None:
            calls.append("start")

    events, report = facade(p=Plugin())
    events.session_start(session=SESSION)
    for _ in range(5):
        events.before_turn(session=SESSION, text="")
    events.session_start(session=SESSION)
    assert calls == ["start", "turn", "turn", "turn"]
    assert [problem.message[:42] for problem in report.take_untold()] == ["aries_before_turn failed: ValueError: 2 (t"]


def test_a_guard_that_was_put_aside_as_observer_is_still_asked() -> None:
    class Plugin:
        @hookimpl
        def aries_session_start(self) -> None:
            raise ValueError

        @hookimpl
        def aries_before_tool(self) -> Verdict:
            return Verdict(False, "guarded")

    events, _ = facade(p=Plugin())
    for _ in range(4):
        events.session_start(session=SESSION)
    assert events.before_tool(session=SESSION, call=CALL, effects=()) == Verdict(False, "guarded")


def test_a_key_press_in_a_hook_is_not_swallowed() -> None:
    events, _ = facade(a=before_turn(failing(KeyboardInterrupt())))
    with pytest.raises(KeyboardInterrupt):
        events.before_turn(session=SESSION, text="")


@pytest.mark.parametrize("answer", [1, True, b"x", ["x"], "\ud800", Verdict(True, "")])
def test_a_volatile_text_that_is_no_text_is_dropped(answer: object) -> None:
    events, report = facade(a=before_turn(lambda: answer), b=before_turn(lambda: "fine"))
    assert events.before_turn(session=SESSION, text="") == ("fine",)
    assert [problem.distribution for problem in report.problems] == ["a"]


def test_an_empty_volatile_text_is_no_text() -> None:
    events, report = facade(a=before_turn(lambda: ""))
    assert (events.before_turn(session=SESSION, text=""), report.problems) == ((), ())


@pytest.mark.parametrize(
    "answer",
    ["title", 3, {"title": "x"}, [PromptSection("a", "b"), "c"], PromptSection("a", None), PromptSection(1, "b")],  # type: ignore[arg-type]
)
def test_sections_of_a_wrong_type_are_dropped_whole(answer: object) -> None:
    class Plugin:
        @hookimpl
        def aries_prompt_sections(self) -> object:
            return answer

    events, report = facade(a=Plugin())
    assert events.prompt_sections(session=SESSION) == ()
    assert "aries_prompt_sections failed" in report.problems[0].message


@pytest.mark.parametrize("answer", [True, "yes", 0, Verdict("no", "x"), Verdict(True, None), (Verdict(True, "x"),)])  # type: ignore[arg-type]
def test_a_verdict_of_a_wrong_type_refuses_the_call(answer: object) -> None:
    class Plugin:
        @hookimpl
        def aries_before_tool(self) -> object:
            return answer

    events, report = facade(guard=Plugin())
    with pytest.raises(PluginError, match="guard"):
        events.before_tool(session=SESSION, call=CALL, effects=())
    assert len(report.problems) == 1


def test_system_exit_in_a_guard_refuses_the_call() -> None:
    class Plugin:
        @hookimpl
        def aries_before_tool(self) -> object:
            sys.exit(0)

    with pytest.raises(PluginError, match="SystemExit"):
        facade(guard=Plugin())[0].before_tool(session=SESSION, call=CALL, effects=())


def test_an_async_guard_refuses_the_call_and_is_never_awaited() -> None:
    ran = []

    class Plugin:
        @hookimpl
        async def aries_before_tool(self) -> Verdict:
            ran.append(1)
            return Verdict(True, "sure")

    events, report = facade(guard=Plugin())
    with pytest.raises(PluginError, match="no async def"):
        events.before_tool(session=SESSION, call=CALL, effects=())
    assert ran == []
    assert len(report.problems) == 1


def test_async_and_generator_observers_are_faults() -> None:
    class Coroutine:
        @hookimpl
        async def aries_session_start(self) -> None: ...

    class Generator:
        @hookimpl
        def aries_session_start(self) -> Any:
            yield

    class AsyncGenerator:
        @hookimpl
        async def aries_session_start(self) -> Any:
            yield

    events, report = facade(a=Coroutine(), b=Generator(), c=AsyncGenerator())
    events.session_start(session=SESSION)
    assert [problem.distribution for problem in report.problems] == ["a", "b", "c"]


def test_a_future_that_a_hook_returns_is_cancelled() -> None:
    async def scenario() -> None:
        future = asyncio.get_running_loop().create_future()
        events, report = facade(a=before_turn(lambda: future))
        assert events.before_turn(session=SESSION, text="") == ()
        assert future.cancelled() and len(report.problems) == 1

    asyncio.run(scenario())


def test_tryfirst_and_trylast_order_the_guards() -> None:
    def guard(name: str, **options: bool) -> object:
        class Plugin:
            @hookimpl(**options)
            def aries_before_tool(self) -> Verdict:
                return Verdict(True, name)

        return Plugin()

    events, _ = facade(a=guard("a"), b=guard("b", trylast=True), c=guard("c", tryfirst=True))
    assert events.before_tool(session=SESSION, call=CALL, effects=()) == Verdict(True, "c")
    events, _ = facade(a=guard("a", trylast=True), b=guard("b"), c=guard("c"))
    assert events.before_tool(session=SESSION, call=CALL, effects=()) == Verdict(True, "b")


def test_what_a_hook_prints_stays_out_of_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    facade(a=before_turn(lambda: print("hello")))[0].before_turn(session=SESSION, text="")
    assert capsys.readouterr() == ("", "hello\n")


def test_a_plugin_that_is_registered_later_is_called() -> None:
    manager, report = pluggy.PluginManager("aries"), Report()
    manager.add_hookspecs(hookspecs)
    events = Events(manager, report)
    assert events.before_turn(session=SESSION, text="") == ()
    manager.register(before_turn(lambda: "late"))
    assert events.before_turn(session=SESSION, text="") == ("late",)


def test_silent_events_answer_nothing_and_import_no_pluggy() -> None:
    code = (
        "import sys; from pathlib import Path; from aries_kernel.events import Events;"
        "from aries_kernel.model.session import SessionInfo; e = Events.silent(); s = SessionInfo('s', Path('/'), 'm');"
        "e.session_start(session=s); print(e.before_turn(session=s, text=''), e.prompt_sections(session=s),"
        "e.before_tool(session=s, call=None, effects=()), 'pluggy' in sys.modules)"
    )
    command = [sys.executable, "-I", "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=60, check=True)
    assert done.stdout == "() () None False\n"
