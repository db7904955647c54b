"""Tools whose settings are missing, and tools that are nothing without a network."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import pytest
from attrs import frozen

from aries_kernel.broker.effects import Effect, ReachNetwork
from aries_kernel.contracts.tool import ToolContext, ToolOutput
from aries_kernel.errors import NotSetUp
from aries_kernel.model.events import Notice
from aries_kernel.model.messages import ResultsMessage
from aries_kernel.testing.fakes import PeekTool, ScriptedProvider, call, end, make_host, text
from aries_kernel.tools.schema import described


@frozen
class _Url:
    url: str = described("an address")


class Far:
    """Reads from far away."""

    name: ClassVar[str] = "Far"
    description: ClassVar[str] = "Read from far away."
    arguments: ClassVar[type[Any]] = _Url
    reads_only: ClassVar[bool] = True
    needs_network: ClassVar[bool] = True

    def __init__(self, context: ToolContext) -> None:
        self.context = context

    def effects(self, arguments: _Url) -> Sequence[Effect]:
        return (ReachNetwork(arguments.url),)

    async def run(self, arguments: _Url) -> ToolOutput:
        return ToolOutput("far away")


class Wanting(Far):
    """Lacks a setting."""

    name: ClassVar[str] = "Wanting"
    is_mistake: ClassVar[bool] = False

    def __init__(self, context: ToolContext) -> None:
        raise NotSetUp("Set far.key to the key.", is_mistake=self.is_mistake)


class Mistaken(Wanting):
    """Has a setting that cannot be meant."""

    name: ClassVar[str] = "Mistaken"
    is_mistake: ClassVar[bool] = True


def _session(folder: Path, *tools: Any, name: str, **settings: Any) -> tuple[Any, str, list[str]]:
    """The first request, the result of a call of `name`, and the notices."""
    provider = ScriptedProvider([[call(name, url="http://far.example/"), end()], [text("done"), end()]])
    notices: list[str] = []
    host = make_host(
        folder,
        provider,
        tools=(PeekTool, *tools),
        settings=settings,
        show=lambda event: notices.append(event.text) if isinstance(event, Notice) else None,
    )

    async def run() -> None:
        await host.open().run("go")
        await host.close()

    asyncio.run(run())
    [results] = [message for message in provider.requests[1].messages if isinstance(message, ResultsMessage)]
    return provider.requests[0], results.results[0].text, notices


@pytest.mark.parametrize("phase", ["full", "narrow"])
def test_a_tool_whose_settings_are_missing_is_neither_shown_nor_named_but_says_what_to_set(
    tmp_path: Path, phase: str
) -> None:
    phases = {"narrow": {"tools": ["Peek"]}}
    request, result, notices = _session(tmp_path, Wanting, Far, name="Wanting", phase=phase, phases=phases)
    assert result == "Not run. Set far.key to the key."
    assert "Wanting" not in request.system and "Wanting" not in [tool.name for tool in request.tools]
    assert ("Far" in request.system) == (phase == "narrow") and notices == []


def test_the_person_is_told_of_settings_that_cannot_be_meant(tmp_path: Path) -> None:
    _, result, notices = _session(tmp_path, Mistaken, name="Mistaken")
    assert result == "Not run. Set far.key to the key."
    assert [notice for notice in notices if "far.key" in notice] == ["Set far.key to the key."]


def test_describing_a_tool_whose_settings_are_missing_says_what_to_set(tmp_path: Path) -> None:
    host = make_host(tmp_path, None, tools=(PeekTool, Far, Wanting), settings={"phases": {"full": {"tools": ["Peek"]}}})
    exposure = host.exposure(tmp_path / "spill")
    tools = next(tool for tool in exposure.tools() if tool.name == "Tools")
    output = asyncio.run(tools.run(tools.arguments(("Wanting", "Far"))))
    assert output.is_error and "Set far.key to the key." in output.text and "Far: Read from far away." in output.text


def test_a_phase_that_only_reads_has_no_tool_that_is_nothing_without_a_network(tmp_path: Path) -> None:
    request, result, _ = _session(tmp_path, Far, name="Far", phase="plan")
    assert [tool.name for tool in request.tools] == ["Peek"] and "Far" not in request.system
    assert "There is no tool 'Far'" in result
