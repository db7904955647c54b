"""Every key of the settings changes something: a key that nothing reads does not belong into the schema."""

from __future__ import annotations

import asyncio
import typing
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar

import attrs
import pytest
from attrs import define, frozen

from aries_kernel import errors
from aries_kernel.contracts.provider import ProviderContext
from aries_kernel.contracts.tool import ToolContext, ToolOutput
from aries_kernel.model.events import Notice
from aries_kernel.model.messages import ResultsMessage
from aries_kernel.model.request import ModelInfo
from aries_kernel.model.stream import UsageReport
from aries_kernel.model.usage import Price, Usage
from aries_kernel.settings.schema import Settings
from aries_kernel.testing.fakes import NoteTool, PeekTool, ScriptedProvider, call, end, make_host, text

ALL = {"permissions": {"mode": "all"}}

FOLLOWING = {"phases": {"full": {"tools": ["Note", "Limits"], "follows_model": True}}}
WIDER = {"wider": {"show": ["Peek"]}}
NARROWER = {"narrower": {"hide": ["Limits"]}}

# Key, what it is set to, and the settings below it; `*` stands for the name of a phase.
CASES: Mapping[str, tuple[Mapping[str, Any], Mapping[str, Any]]] = {
    "models.primary.model": ({"models": {"primary": {"model": "fake/other"}}}, {}),
    "models.primary.effort": ({"models": {"primary": {"model": "fake/scripted", "effort": "high"}}}, {}),
    "models.primary.max_output": ({"models": {"primary": {"model": "fake/scripted", "max_output": 7}}}, {}),
    "providers": ({"providers": {"fake": {"greeting": "hello"}}}, {}),
    "permissions.mode": ({"permissions": {"mode": "edits"}}, {}),
    "permissions.allow": ({"permissions": {"allow": ["Note"]}}, {}),
    "permissions.ask": ({"permissions": {"mode": "all", "ask": ["Note"]}}, ALL),
    "permissions.deny": ({"permissions": {"mode": "all", "deny": ["Note"]}}, ALL),
    "workspace.also": ({"workspace": {"also": ["../also"]}}, {}),
    "budget.max_turns": ({"budget": {"max_turns": 1}}, {}),
    "budget.max_calls": ({"budget": {"max_calls": 1}}, {}),
    "budget.max_tokens": ({"budget": {"max_tokens": 1}}, {}),
    "budget.max_cost": ({"budget": {"max_cost": 0}}, {}),
    "budget.max_seconds": ({"budget": {"max_seconds": 0}}, {}),
    "retry.attempts": ({"retry": {"attempts": 1}}, {}),
    "retry.max_wait": ({"retry": {"max_wait": 10}}, {}),
    "output.max_bytes": ({"output": {"max_bytes": 2000}}, {}),
    "output.max_lines": ({"output": {"max_lines": 20}}, {}),
    "output.command_seconds": ({"output": {"command_seconds": 2}}, {}),
    "phase": ({"phase": "plan"}, {}),
    "phases.*.tools": ({"phases": {"full": {"tools": ["Peek"]}}}, {}),
    "phases.*.mode": ({"phases": {"full": {"mode": "read-only"}}}, {}),
    "phases.*.follows_model": (
        {"tools": {"mode": "wider", "modes": WIDER}, **FOLLOWING},
        {
            "tools": {"mode": "wider", "modes": WIDER},
            "phases": {"full": {"tools": ["Note", "Limits"], "follows_model": False}},
        },
    ),
    "tools.mode": ({"tools": {"mode": "wider", "modes": WIDER}, **FOLLOWING}, FOLLOWING),
    "tools.modes.*.show": (
        {"tools": {"mode": "wider", "modes": WIDER}, **FOLLOWING},
        {"tools": {"mode": "wider", "modes": {"wider": {}}}, **FOLLOWING},
    ),
    "tools.modes.*.hide": (
        {"tools": {"mode": "narrower", "modes": NARROWER}, **FOLLOWING},
        {"tools": {"mode": "narrower", "modes": {"narrower": {}}}, **FOLLOWING},
    ),
    "tools.families": ({"tools": {"modes": WIDER, "families": {"script": "wider"}}, **FOLLOWING}, FOLLOWING),
    "instructions.files": ({"instructions": {"files": ["RULES.md"]}}, {}),
    "instructions.max_chars": ({"instructions": {"max_chars": 3}}, {}),
}
ELSEWHERE = {
    **{
        f"body.{key}": "plugins/body/tests/services/test_site.py"
        for key in (
            *("seconds", "memory", "processes", "cpu_seconds", "file_size", "output", "model_calls", "model_cost"),
            "groups",
        )
    },
    "overview": "plugins/body/tests/test_ambient.py",
    **{f"web.{key}": "plugins/tools/web/tests/test_fetch.py" for key in ("seconds", "megabytes", "private_hosts")},
    **{
        f"web.search.{key}": "plugins/tools/web/tests/test_search.py"
        for key in ("service", "base_url", "api_key_env", "api_key_file")
    },
    "plugins.disabled": "plugins/cli/tests/test_command.py",
    **{
        f"models.{slot}.{key}": "core/tests/router"
        for slot in ("primary", "reasoning", "cheap", "bulk")
        for key in ("model", "effort", "max_output", "context_window", "fallbacks")
        if f"models.{slot}.{key}" not in CASES
    },
    "retry.fallback_wait": "core/tests/router/test_fallbacks.py",
    "models.shortnames": "core/tests/router/test_naming.py",
    "local.url": "providers/llamacpp/tests",
    "local.binary": "providers/llamacpp/tests",
    "local.context_window": "providers/llamacpp/tests",
    "local.gpu_layers": "providers/llamacpp/tests",
    "local.models.*.path": "providers/llamacpp/tests",
    "local.models.*.arguments": "providers/llamacpp/tests",
    "local.models.*.context_window": "providers/llamacpp/tests",
    "compact.slot": "core/tests/router/test_slots.py",
    "compact.auto": "core/tests/loop/test_compaction.py",
    "compact.threshold": "core/tests/loop/test_compaction.py",
}


@frozen
class _Options:
    greeting: str = ""


@define
class Model(ScriptedProvider):
    """Answers to any name, and keeps its options."""

    options: Any = None
    options_type: ClassVar[type[Any]] = _Options

    def __call__(self, context: ProviderContext) -> ScriptedProvider:
        self.options = context.options
        return self

    def model_info(self, model: str) -> ModelInfo:
        return attrs.evolve(self.info, name=model)


@frozen
class _Nothing:
    """No arguments."""


@define
class LimitsTool:
    """Tells the limits that it was given."""

    context: ToolContext
    name: ClassVar[str] = "Limits"
    description: ClassVar[str] = "Tell the limits."
    arguments: ClassVar[type[Any]] = _Nothing
    reads_only: ClassVar[bool] = True

    def effects(self, arguments: Any) -> tuple[Any, ...]:
        return ()

    async def run(self, arguments: Any) -> ToolOutput:
        return ToolOutput(repr(self.context.limits))


def keys(kind: Any = Settings, where: str = "") -> Iterator[str]:
    """The path of every leaf of the schema."""
    for one in attrs.fields(kind):
        inner = typing.get_type_hints(kind)[one.name]
        values = typing.get_args(inner)[1:] if typing.get_origin(inner) is not tuple else ()
        if attrs.has(inner):
            yield from keys(inner, f"{where}{one.name}.")
        elif values and attrs.has(values[0]):
            yield from keys(values[0], f"{where}{one.name}.*.")
        else:
            yield where + one.name


def observe(folder: Path, settings: Mapping[str, Any]) -> Any:
    """What a session with these settings asks, does and says."""
    paid = UsageReport(Usage(input=10, output=10))
    provider = Model(
        [
            [errors.RateLimited("slow down", 50)],
            [call("Note", "1", path="a"), call("Peek", "2", path="../also/x"), call("Limits", "3"), paid, end()],
            [text("done"), end()],
        ],
        ModelInfo("scripted", price=Price(1.0, 1.0)),
    )
    work = folder / "work"
    work.mkdir(parents=True)
    (folder / "also").mkdir()
    (folder / "also" / "x").write_text("also", encoding="utf-8")
    (work / "AGENTS.md").write_text("agents", encoding="utf-8")
    (work / "RULES.md").write_text("rules", encoding="utf-8")
    seen: list[Any] = []
    host = make_host(folder, provider, tools=(NoteTool, PeekTool, LimitsTool), settings=settings, show=seen.append)

    async def play() -> Any:
        agent = host.open()
        outcome = await agent.run("go")
        await host.close()
        return agent, outcome

    agent, outcome = asyncio.run(play())
    results = [one.results for one in agent.session.messages if isinstance(one, ResultsMessage)]
    notices = [event.text for event in seen if isinstance(event, Notice)]
    asked = [(one.system, one.tools, one.effort, one.max_output) for one in provider.requests]
    return repr((agent.info.model, provider.options, outcome.status, asked, results, notices)).replace(str(folder), "")


def test_every_key_has_a_case() -> None:
    assert sorted(keys()) == sorted([*CASES, *ELSEWHERE])


@pytest.mark.parametrize("key", CASES)
def test_a_key_changes_what_a_session_does(tmp_path: Path, key: str) -> None:
    changed, below = CASES[key]
    # Two texts of this length are not for pytest to compare: its diff takes minutes.
    is_same = observe(tmp_path / "changed", changed) == observe(tmp_path / "default", below)
    assert not is_same
