"""A scripted provider, small tools and a host over them, for tests of whatever uses the loop."""

from __future__ import annotations

import asyncio
import datetime
import json
import random
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from attrs import define, field, frozen

from aries_kernel.broker.consent import Nobody, Person
from aries_kernel.broker.effects import Effect, ReadPath, WritePath
from aries_kernel.contracts.provider import ProviderContext
from aries_kernel.contracts.tool import ToolContext, ToolOutput
from aries_kernel.discovery.report import Report
from aries_kernel.errors import ToolFailed, UnknownName
from aries_kernel.events import Events
from aries_kernel.host import Host, Surroundings
from aries_kernel.model.events import TurnEvent
from aries_kernel.model.messages import StopReason
from aries_kernel.model.request import ModelInfo, Request
from aries_kernel.model.stream import CallPiece, Stopped, StreamPiece, TextPiece
from aries_kernel.settings.loading import load_settings
from aries_kernel.tools.schema import described

__all__ = ["FakePlugins", "NoteTool", "PeekTool", "ScriptedProvider", "call", "end", "make_host", "text"]

Step = StreamPiece | BaseException | asyncio.Event
"""A piece to yield, an error to raise, an event to wait for."""


def text(words: str) -> TextPiece:
    """A piece of text."""
    return TextPiece(words)


def call(name: str, key: str = "0", *, raw: str | None = None, **arguments: object) -> CallPiece:
    """A whole call; `raw` is sent as it is."""
    return CallPiece(key, name, json.dumps(arguments) if raw is None else raw)


def end(reason: StopReason = StopReason.END) -> Stopped:
    """The proper end of an answer."""
    return Stopped(reason, reason.value)


@define
class ScriptedProvider:
    """Plays one list of steps a request, in order; keeps the requests."""

    script: Sequence[Sequence[Step]]
    info: ModelInfo = field(factory=lambda: ModelInfo("scripted", context_window=1000))
    requests: list[Request] = field(factory=list)
    is_closed: bool = False

    @frozen
    class Options:
        """No options."""

    options_type: ClassVar[type[Any]] = Options

    def __call__(self, context: ProviderContext) -> ScriptedProvider:
        return self

    def model_info(self, model: str) -> ModelInfo:
        return self.info

    def known_models(self) -> tuple[str, ...]:
        return ("scripted",)

    def check(self, model: str) -> None:
        """Every model will do."""

    async def stream(self, request: Request) -> AsyncGenerator[StreamPiece, None]:
        self.requests.append(request)
        for step in self.script[len(self.requests) - 1]:
            if isinstance(step, asyncio.Event):
                await step.wait()
            elif isinstance(step, BaseException):
                raise step
            else:
                yield step

    async def close(self) -> None:
        self.is_closed = True


@frozen
class _Path:
    path: str = described("a file")


@frozen
class _Note:
    path: str = described("a file")
    text: str = described("what to write", default="")


@define
class PeekTool:
    """`Peek`: reads a file."""

    context: ToolContext
    name: ClassVar[str] = "Peek"
    description: ClassVar[str] = "Read a file."
    arguments: ClassVar[type[Any]] = _Path
    reads_only: ClassVar[bool] = True

    def effects(self, arguments: _Path) -> Sequence[Effect]:
        return (ReadPath(self.context.workspace.locate(arguments.path).real),)

    async def run(self, arguments: _Path) -> ToolOutput:
        try:
            return ToolOutput(self.context.workspace.locate(arguments.path).real.read_text(encoding="utf-8"))
        except OSError as error:
            raise ToolFailed(f"{arguments.path}: {error.strerror}.") from error


@define
class NoteTool:
    """`Note`: writes a file."""

    context: ToolContext
    name: ClassVar[str] = "Note"
    description: ClassVar[str] = "Write a file."
    arguments: ClassVar[type[Any]] = _Note
    reads_only: ClassVar[bool] = False

    def effects(self, arguments: _Note) -> Sequence[Effect]:
        return (WritePath(self.context.workspace.locate(arguments.path).real),)

    async def run(self, arguments: _Note) -> ToolOutput:
        path = self.context.workspace.locate(arguments.path).real
        path.write_text(arguments.text, encoding="utf-8")
        return ToolOutput(f"wrote {arguments.path}", changed=(path,))


@define
class FakePlugins:
    """Stands in for `discovery.Plugins`: factories by group and name."""

    factories: Mapping[tuple[str, str], object]
    report: Report = field(factory=Report)
    hooks: Events = field(factory=Events.silent)
    unknown_switches: tuple[str, ...] = ()

    @property
    def drivers(self) -> FakePlugins:
        return self

    def names(self, group: str) -> tuple[str, ...]:
        return tuple(sorted(name for kind, name in self.factories if kind == group))

    def load(self, group: str, name: str) -> object:
        if (group, name) not in self.factories:
            raise UnknownName("plugin", name, self.names(group))
        return self.factories[group, name]

    def events(self) -> Events:
        return self.hooks


def make_host(
    folder: Path,
    provider: Any,
    *,
    tools: Sequence[Any] = (PeekTool, NoteTool),
    settings: Mapping[str, Any] | None = None,
    environ: Mapping[str, str] | None = None,
    person: Person | None = None,
    show: Callable[[TurnEvent], None] = lambda event: None,
    hooks: Events | None = None,
    waits: list[float] | None = None,
    others: Mapping[str, Any] | None = None,
) -> Host:
    """A host whose workspace is `folder/work` and whose sessions are in `folder/state`; `others`: further providers.

    Time stands still: waits end at once and are noted in `waits`.
    """

    async def sleep(seconds: float) -> None:
        if waits is not None:
            waits.append(seconds)

    work = folder / "work"
    work.mkdir(parents=True, exist_ok=True)
    chosen = {"models": {"primary": {"model": "fake/scripted"}}, "phase": "full", **(settings or {})}
    factories = {("aries.tools", tool.name): tool for tool in tools} | {("aries.providers", "fake"): provider}
    factories |= {("aries.providers", name): other for name, other in (others or {}).items()}
    plugins: Any = FakePlugins(factories, hooks=hooks or Events.silent())
    surroundings = Surroundings(
        environ=environ or {},
        home=folder,
        state_folder=folder / "state",
        cache_folder=folder / "cache",
        now=lambda: datetime.datetime(2026, 1, 2, 3, 4, 5, tzinfo=datetime.UTC),
        clock=lambda: 0.0,
        chance=random.Random(0),
        sleep=sleep,
    )
    return Host(surroundings, work, load_settings(folder / "none", None, {}, chosen), plugins, person or Nobody(), show)
