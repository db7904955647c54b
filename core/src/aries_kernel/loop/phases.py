"""Which tools the model sees, and how it gets at the others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

from attrs import define, field, frozen

from aries_kernel.broker.effects import Effect
from aries_kernel.contracts.tool import NeedsNetwork, Tool, ToolOutput
from aries_kernel.errors import NotSetUp, PluginError, UnknownName
from aries_kernel.loop.modes import AUTO, PLAIN, mode_of
from aries_kernel.model.request import ToolSchema
from aries_kernel.model.session import PromptSection
from aries_kernel.settings.schema import Mode, Phase, ToolMode, ToolModes
from aries_kernel.tools.registry import Toolbox, schema_of
from aries_kernel.tools.schema import described

__all__ = ["Exposure", "ToolsTool"]


@define
class Exposure:
    """The tools of a phase, and those that were widened to.

    The order is fixed: the phase's own order, then by name; widened tools are added at the end, so that the prefix
    before them stays as it was.
    """

    toolbox: Toolbox
    name: str
    phase: Phase
    widened: list[str] = field(factory=list)
    modes: ToolModes = field(factory=ToolModes)
    model: str = ""
    """`provider/model`, whose family may change what is shown."""

    @property
    def mode(self) -> str:
        """The mode that holds: the model's, where this phase follows it and all that it shows is there."""
        name = mode_of(self.modes, self.model)
        return name if name != PLAIN and self.phase.follows_model and self._has_all(self.modes.modes[name]) else PLAIN

    def follow(self, model: str) -> bool:
        """Go on with another model; gives whether that changes what is shown."""
        before = self.mode
        self.model = model
        if self.mode == before:
            return False
        base = self._base()
        self.widened = [name for name in self.widened if name not in base]
        return True

    def sections(self) -> list[PromptSection]:
        """What shown tools have to say in the stable prefix; widened ones came too late for that."""
        tools = self.toolbox.available(self._base())
        sections = (self.toolbox.section_of(tool) for tool in tools if self._fits(tool))
        return [section for section in sections if section is not None]

    @property
    def clamp(self) -> Mode | None:
        """The permission mode that this phase imposes."""
        return self.phase.mode

    def tools(self) -> list[Tool]:
        """What the model sees now."""
        shown = self.toolbox.available([*self._base(), *self.widened])
        tools = [tool for tool in shown if self._fits(tool)]
        hidden = self.hidden()
        return [*tools, ToolsTool(self)] if hidden or self.widened else tools

    def schemas(self) -> tuple[ToolSchema, ...]:
        """What the model is told of the tools that it sees now."""
        tools = self.tools()
        # `Tools` keeps its place in front of what was widened.
        widened = set(self.widened)
        return tuple(schema_of(tool) for tool in sorted(tools, key=lambda tool: tool.name in widened))

    def hidden(self) -> tuple[str, ...]:
        """Tools that exist but are not shown in this phase. In a phase that only reads, writers do not exist."""
        shown = {*self._base(), *self.widened}
        return tuple(self._fitting(name for name in self.toolbox.names() if name not in shown))

    def find(self, name: str) -> Tool:
        """The tool that a call names; a hidden one is widened to.

        Raises: UnknownName listing what there is, NotSetUp, PluginError.
        """
        if name == ToolsTool.name:
            return ToolsTool(self)
        known = (*self._base(), *self.widened, *self.hidden())
        if name not in known:
            self.toolbox.raise_wanting(name)
            raise UnknownName("tool", name, [one for one in known if one in self.toolbox.names()])
        tool = self.toolbox.get(name)
        self.widen([name])
        return tool

    def widen(self, names: Sequence[str]) -> tuple[str, ...]:
        """Show hidden tools from the next request on; returns those that were hidden."""
        fresh = tuple(name for name in dict.fromkeys(names) if name in self.hidden())
        self.widened.extend(fresh)
        return fresh

    def _base(self) -> list[str]:
        known = self.toolbox.names()
        mode = self.modes.modes[self.mode] if self.phase.follows_model else ToolMode()
        listed = [name for name in (*self.phase.tools, *mode.show) if name in known]
        named = dict.fromkeys([*listed, *(known if "*" in self.phase.tools else ())])
        return self._fitting(name for name in named if name not in mode.hide)

    def _has_all(self, mode: ToolMode) -> bool:
        """Whether what a mode shows can be used; one that nobody chose must not make every look a question."""
        tools = self.toolbox.available(mode.show)
        is_chosen = self.modes.mode != AUTO
        return len(tools) == len(mode.show) and all(self._fits(one) and (one.reads_only or is_chosen) for one in tools)

    def _fitting(self, names: Iterable[str]) -> list[str]:
        """Without those that cannot be used here, and without the writers where the phase only reads.

        What is named to the model is made for that: only a tool itself knows whether its settings are there.
        """
        return [tool.name for tool in self.toolbox.available(names) if self._fits(tool)]

    def _fits(self, tool: Tool) -> bool:
        if self.clamp != "read-only":
            return True
        return tool.reads_only and not (isinstance(tool, NeedsNetwork) and tool.needs_network)


@frozen
class _Names:
    names: tuple[str, ...] = described("names of further tools")


@frozen
class ToolsTool:
    """The tool `Tools`: gives the schemas of hidden tools and shows them from then on."""

    exposure: Exposure
    name: ClassVar[str] = "Tools"
    description: ClassVar[str] = "Describe further tools by name and make them available."
    arguments: ClassVar[type[Any]] = _Names
    reads_only: ClassVar[bool] = True

    def effects(self, arguments: _Names) -> Sequence[Effect]:
        return ()

    async def run(self, arguments: _Names) -> ToolOutput:
        texts, is_error = [], False
        for name in arguments.names:
            try:
                tool = self.exposure.find(name)
                schema = schema_of(tool)
            except (UnknownName, NotSetUp, PluginError) as error:
                texts.append(str(error))
                is_error = True
            else:
                texts.append(_describe(schema))
                section = self.exposure.toolbox.section_of(tool)
                texts += [section.text] if section is not None else []
        return ToolOutput("\n\n".join(texts) or "No name was given.", is_error or not texts)


def _describe(schema: ToolSchema) -> str:
    import json

    return f"{schema.name}: {schema.description}\nArguments: {json.dumps(schema.parameters, ensure_ascii=False)}"
