"""Which tools a model is shown, by its family, and what follows a switch of models."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any, ClassVar

import pytest

from aries_kernel.contracts.tool import ToolContext
from aries_kernel.errors import ConfigError
from aries_kernel.host import Host
from aries_kernel.loop.agent import Agent
from aries_kernel.loop.modes import mode_of
from aries_kernel.model.request import ModelInfo
from aries_kernel.model.session import PromptSection
from aries_kernel.settings.schema import ToolModes
from aries_kernel.testing.fakes import NoteTool, PeekTool, ScriptedProvider, end, make_host, text
from aries_kernel.testing.fakes import call as called

FAMILIES = {"fake/": "wide", "big-": "deep", "big-but-odd": "bare", "Other/big": "wide"}
MODES = {"deep": {"show": ["Dive"], "hide": ["Peek"]}, "wide": {"show": ["Dive"]}}


class Dive(PeekTool):
    """A tool that has more to say than its description."""

    name: ClassVar[str] = "Dive"
    description: ClassVar[str] = "Look into everything."

    def section(self) -> PromptSection:
        return PromptSection("Dive", "How to dive.")


class WritingDive(Dive):
    """One that is not only for looking."""

    reads_only: ClassVar[bool] = False


class AnyModel(ScriptedProvider):
    """Has a model of every name."""

    def model_info(self, model: str) -> ModelInfo:
        return ModelInfo(model)


def nothing_here(context: ToolContext) -> None:
    """A tool with nothing to do."""


nothing_here.name = "Dive"  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("spec", "mode"),
    [
        ("fake/x", "wide"),
        ("any/big-1", "deep"),
        ("any/BIG-1", "deep"),
        ("router/vendor/big-1", "deep"),
        ("any/big-but-odd-2", "bare"),
        ("other/big-1", "wide"),
        ("any/small", "bare"),
        ("bigger", "bare"),
    ],
)
def test_the_longest_name_that_fits_decides_and_without_one_nothing_changes(spec: str, mode: str) -> None:
    assert mode_of(ToolModes(families=FAMILIES), spec) == mode
    assert mode_of(ToolModes(mode="mine", families=FAMILIES), spec) == "mine"


def host_of(folder: Path, script: Any = (), *, dive: Any = Dive, tools: dict[str, Any] | None = None) -> Host:
    chosen = {"modes": MODES, "families": {"deep": "deep", "wide": "wide"}, **(tools or {})}
    settings = {
        "tools": chosen,
        "phase": "lean",
        "phases": {"lean": {"tools": ["Peek", "Note"]}},
        "models": {"primary": {"model": "fake/plain"}},
        "permissions": {"mode": "all"},
    }
    return make_host(folder, AnyModel(script), tools=(PeekTool, NoteTool, dive), settings=settings)


def shown(agent: Agent) -> list[str]:
    return [tool.name for tool in agent.exposure.schemas()]


def opened(host: Host, words: str = "") -> Agent:
    agent = host.open()
    if words:
        agent.switch(words)
    return agent


def close(host: Host) -> None:
    asyncio.run(host.close())


def test_a_mode_shows_and_hides_and_the_shown_tool_says_its_part_in_the_prefix(tmp_path: Path) -> None:
    for name, expected, is_told in (
        ("fake/plain", ["Peek", "Note", "Tools"], False),
        ("fake/deep", ["Note", "Dive", "Tools"], True),
        ("fake/wide", ["Peek", "Note", "Dive"], True),
    ):
        host = host_of(tmp_path / name.replace("/", "-"))
        agent = opened(host, name)
        assert (shown(agent), "How to dive." in agent.system) == (expected, is_told)
        assert ("by name only: Peek." in agent.system) == (name == "fake/deep")
        close(host)


def test_a_switch_and_a_switch_back_are_the_same_prefix_again(tmp_path: Path) -> None:
    host = host_of(tmp_path)
    agent = opened(host)
    first = agent.system, agent.exposure.schemas()
    agent.switch("fake/deep")
    assert (agent.system, agent.exposure.schemas()) != first
    agent.switch("fake/plain")
    assert (agent.system, agent.exposure.schemas()) == first
    close(host)


def test_what_was_widened_to_is_not_shown_twice_after_a_switch(tmp_path: Path) -> None:
    host = host_of(tmp_path)
    agent = opened(host, "fake/deep")
    agent.exposure.find("Peek")
    assert shown(agent) == ["Note", "Dive", "Tools", "Peek"]
    agent.switch("fake/wide")
    assert shown(agent) == ["Peek", "Note", "Dive"]
    close(host)


@pytest.mark.parametrize("dive", [WritingDive, nothing_here])
def test_a_mode_that_nobody_chose_hides_nothing_where_its_tool_is_missing_or_would_ask(
    tmp_path: Path, dive: Any
) -> None:
    host = host_of(tmp_path, dive=dive)
    agent = opened(host, "fake/deep")
    assert {"Peek", "Note"} <= set(shown(agent)) and "Dive" not in shown(agent)
    close(host)


def test_a_mode_that_was_chosen_holds_for_every_model_and_where_its_tool_asks(tmp_path: Path) -> None:
    host = host_of(tmp_path, dive=WritingDive, tools={"mode": "deep"})
    assert shown(opened(host)) == ["Note", "Dive", "Tools"]
    close(host)


def test_a_hidden_tool_with_a_part_of_its_own_tells_it_when_it_is_asked_for(tmp_path: Path) -> None:
    script = [[called("Tools", names=["Dive"]), end()], [text("done"), end()]]
    host = host_of(tmp_path, script)

    async def play() -> Agent:
        agent = host.open()
        await agent.run("go")
        await host.close()
        return agent

    agent = asyncio.run(play())
    assert "How to dive." in str(agent.session.messages[2]) and "How to dive." not in agent.system


def test_a_resumed_session_keeps_its_prefix_only_for_the_same_mode(tmp_path: Path) -> None:
    host = host_of(tmp_path, [[text("done"), end()]] * 2)

    async def play() -> tuple[str, str, str]:
        agent = host.open()
        await agent.run("go")
        id, first = agent.session.id, agent.system
        await host.close()
        again = host.open(resume=id)
        second = again.system
        again.switch("fake/deep")
        await again.run("go on")
        await host.close()
        third = host.open(resume=id)
        await host.close()
        return first, second, third.system

    first, second, third = asyncio.run(play())
    assert first == second == third, "the model of the settings is the plain one again"


class BrokenDive(Dive):
    """One with a defect in what it says of itself."""

    def section(self) -> PromptSection:
        raise RuntimeError("no words")

    def status(self) -> str:
        raise RuntimeError("no idea")


def test_a_tool_that_cannot_speak_of_itself_is_reported_and_works(tmp_path: Path) -> None:
    seen: list[Any] = []
    host = host_of(tmp_path, dive=BrokenDive)
    host.show = seen.append
    agent = opened(host, "fake/deep")
    assert shown(agent) == ["Note", "Dive", "Tools"] and "How to dive." not in agent.system
    assert agent.status()[0] == "fake/deep"
    told = [str(error) for error in agent.exposure.toolbox.broken]
    assert told == [
        "The tool Dive could not describe itself: RuntimeError: no words",
        "The tool Dive could not tell its status: RuntimeError: no idea",
    ]
    close(host)


def test_the_plain_mode_may_hide_too_but_not_in_a_phase_that_follows_no_model(tmp_path: Path) -> None:
    host = host_of(tmp_path, tools={"modes": {**MODES, "bare": {"hide": ["Peek"]}}})
    assert shown(opened(host)) == ["Note", "Tools"]
    assert not host.loaded.settings.phases["full"].follows_model
    close(host)
    full = make_host(
        tmp_path / "full",
        AnyModel(()),
        settings={"tools": {"modes": {"bare": {"hide": ["Peek"]}}}, "phase": "full"},
    )
    assert shown(opened(full)) == ["Note", "Peek"]
    close(full)


def test_a_mode_that_is_nowhere_described_is_an_error(tmp_path: Path) -> None:
    for tools in ({"mode": "depe"}, {"families": {"x": "depe"}}):
        with pytest.raises(ConfigError, match="There is no mode 'depe'"):
            host_of(tmp_path, tools=tools)
