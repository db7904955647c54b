"""The tools of a session, imported when they are first exposed or called."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from typing import Any, cast

from attrs import define, field

from aries_kernel.contracts.tool import HasSection, HasStatus, PluginSource, Tool, ToolContext, ToolFactory
from aries_kernel.errors import NotSetUp, PluginError, UnknownName
from aries_kernel.model.request import ToolSchema
from aries_kernel.model.session import PromptSection
from aries_kernel.tools.schema import json_schema

__all__ = ["ToolSource", "Toolbox", "schema_of"]

GROUP = "aries.tools"


ToolSource = PluginSource
"""Where tool factories come from: `discovery.Drivers`, or a fake."""


def schema_of(tool: Tool) -> ToolSchema:
    """What the model is told about a tool."""
    return ToolSchema(tool.name, tool.description, json_schema(tool.arguments))


@define
class Toolbox:
    """Names without importing, tools on demand. A tool that does not load is named once and gone."""

    source: ToolSource
    context: ToolContext
    broken: list[PluginError] = field(factory=list)
    """Tools that load but do not keep the contract; what does not even load is in the report of discovery."""
    _tools: dict[str, Tool] = field(factory=dict)
    wanting: dict[str, NotSetUp] = field(factory=dict)
    """Tools that lack settings, as far as they were asked for, and what to set."""
    _gone: set[str] = field(factory=set)

    def names(self) -> tuple[str, ...]:
        """All tools that may be asked for, in alphabetical order."""
        return tuple(sorted(set(self.source.names(GROUP)) - self._gone - self.wanting.keys()))

    def raise_wanting(self, name: str) -> None:
        """Raises: NotSetUp where the settings lack what the tool `name` needs."""
        if name in self.wanting:
            raise self.wanting[name]

    def get(self, name: str) -> Tool:
        """The tool `name`, made now if need be.

        Raises: UnknownName, NotSetUp, PluginError the first time a broken one is asked for.
        """
        if name in self._tools:
            return self._tools[name]
        self.raise_wanting(name)
        if name not in self.names():
            raise UnknownName("tool", name, self.names())
        try:
            made = self._make(cast(ToolFactory, self.source.load(GROUP, name)), name)
        except NotSetUp as error:
            self.wanting[name] = error
            if error.is_mistake:
                self.broken.append(PluginError(str(error), distribution="", entry_point=name))
            raise
        except PluginError:
            self._gone.add(name)
            raise
        if made is None:
            self._gone.add(name)
            raise UnknownName("tool", name, self.names())
        self._tools[name] = made
        return made

    def available(self, names: Iterable[str]) -> list[Tool]:
        """Those of `names` that exist and load, in their order; broken ones are in `broken`."""
        tools = []
        for name in names:
            try:
                tools.append(self.get(name))
            except (UnknownName, NotSetUp, PluginError):
                continue  # It is reported; a name that nobody offers is not an error in a phase.
        return tools

    def section_of(self, tool: Tool) -> PromptSection | None:
        """What a tool has to say in the stable prefix; None where that is nothing. One that fails is reported."""
        if not isinstance(tool, HasSection):
            return None
        try:
            section = tool.section()
            if not isinstance(section, PromptSection):
                raise TypeError(f"it gave a {type(section).__name__}")
            return section
        except Exception as error:  # The tool may work all the same; the session begins without its text.
            self._report(tool.name, "could not describe itself", error)
            return None

    def statuses(self) -> list[str]:
        """What tools that hold something open have to say of it; others are not made for that."""
        told = []
        for name, tool in sorted(self._tools.items()):
            if isinstance(tool, HasStatus):
                try:
                    told.append(tool.status())
                except Exception as error:  # A status line must not end a session.
                    self._report(name, "could not tell its status", error)
        return [text for text in told if text]

    def _report(self, name: str, what: str, error: Exception) -> None:
        message = f"The tool {name} {what}: {type(error).__name__}: {error}"
        if message not in map(str, self.broken):
            self.broken.append(PluginError(message, distribution="", entry_point=name))

    async def close(self) -> None:
        """Let tools that hold something open give it back; one that fails is put with the broken ones."""
        for name, tool in self._tools.items():
            closing = getattr(tool, "close", None)
            if closing is None:
                continue
            try:
                await closing()
            except Exception as error:  # The others are to be closed too.
                self._report(name, "could not be closed", error)

    def _make(self, factory: ToolFactory, name: str) -> Tool | None:
        try:
            tool = factory(self.context)
            if tool is not None:
                _check(tool, name)
        except NotSetUp:
            raise
        except Exception as error:
            broken = PluginError(
                f"The tool {name} does not work: {type(error).__name__}: {error}", distribution="", entry_point=name
            )
            self.broken.append(broken)
            raise broken from error
        return tool


def _check(tool: Any, name: str) -> None:
    """Raise what is wrong with a tool before the model sees it."""
    if tool.name != name:
        raise ValueError(f"its entry point is called {name}, but it calls itself {tool.name}")
    if not inspect.iscoroutinefunction(tool.run):
        raise TypeError("its method run is not async")
    if not isinstance(tool.reads_only, bool):
        raise TypeError("its reads_only is not a truth value")
    schema_of(tool)
