"""Contract of a tool (entry-point group `aries.tools`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Protocol, runtime_checkable

from attrs import field, frozen

from aries_kernel.broker.effects import Effect
from aries_kernel.broker.workspace import Workspace
from aries_kernel.model.session import PromptSection
from aries_kernel.settings.schema import Body, OutputLimits, Web

__all__ = [
    "HasSection",
    "HasStatus",
    "InnerCalls",
    "ModelSaid",
    "NeedsNetwork",
    "PluginSource",
    "Tool",
    "ToolContext",
    "ToolFactory",
    "ToolOutput",
]


@frozen
class ModelSaid:
    """What a model answered to a question of code."""

    text: str
    tokens: int = 0
    cost: float | None = None
    """US dollars; None where the price is not known."""


class InnerCalls(Protocol):
    """What the session does for code that a tool runs: it meets policy, hooks, limits and log as anything else."""

    async def __call__(self, name: str, arguments: Mapping[str, object]) -> ToolOutput:
        """Run the tool `name`.

        Raises: Refused, UnknownName, BadArguments, ToolFailed, PluginError.
        """
        ...

    async def admit(
        self, name: str, arguments: Mapping[str, object], *, after: Mapping[str, object] | None = None
    ) -> None:
        """Ask whether the tool `name` might be called so, without calling it: where a page sends a request elsewhere.

        `after` are the arguments of a call that was let pass. What was answered for it is not asked again, as long as
        one rule would allow both.
        Raises: Refused, UnknownName, BadArguments, ToolFailed, PluginError.
        """
        ...

    async def ask_person(self, question: str) -> str:
        """Ask the person and wait for the answer.

        Raises: Refused where nobody is there.
        """
        ...

    def show_person(self, text: str) -> None:
        """Show the person a text now."""
        ...

    async def ask_model(self, prompt: str, *, max_output: int) -> ModelSaid:
        """Ask the model of the cheap slot one question, without tools and history; `max_output` in tokens.

        Raises: Refused where the turn's budget is used up or no model is set up, otherwise as a request of the loop.
        """
        ...


class PluginSource(Protocol):
    """Plugins by group and name, imported when they are asked for."""

    def names(self, group: str) -> tuple[str, ...]:
        """Names that can be asked for, sorted."""
        ...

    def load(self, group: str, name: str) -> object:
        """What the entry point names.

        Raises: UnknownName, PluginError.
        """
        ...


@frozen
class ToolContext:
    """What a tool may use; made once a session."""

    workspace: Workspace
    environ: Mapping[str, str]
    """The environment for child processes: without keys and other secrets."""
    limits: OutputLimits
    spill: Callable[[str, bytes], Path]
    """Keep bytes that do not fit an answer: `spill(suffix, data)` gives the file they went to."""
    spill_folder: Path
    """The folder of those files, for tools that stream into one; it may not be there yet."""
    inner: InnerCalls | None = None
    """For tools that run code which needs other tools; None where there is no session around them."""
    state_folder: Path | None = None
    """Where a tool may keep what outlives the session, in a folder of its own; None: nowhere."""
    plugins: PluginSource | None = None
    """For tools that have plugins of their own."""
    home: Path | None = None
    """The person's home folder; None: not told."""
    body: Body = field(factory=Body)
    """Settings of the process that runs Python."""
    web: Web = field(factory=Web)
    """Settings of what reads the web."""
    secret: Callable[[str], str | None] = lambda variable: None
    """The value of a variable that holds a key, for the tool whose key it is; `environ` is without those."""


@frozen
class ToolOutput:
    """What a call gave."""

    text: str
    is_error: bool = False
    changed: tuple[Path, ...] = ()
    """Files that were written, for `files_changed`."""
    details: Mapping[str, object] = field(factory=dict)
    """What code reads that calls the tool, in place of the text; plain data."""


class Tool(Protocol):
    """Something the model can do.

    `arguments` is an attrs class: its fields, types, defaults and `described(...)` texts are the JSON schema,
    and what `effects` and `run` receive is an instance of it, already checked. A tool that holds something open from
    call to call, such as a process, has `async def close(self) -> None` too, called when the session ends. One that
    needs more words than a description has `section`, a `HasSection`; one with something to tell meanwhile has
    `status`, a `HasStatus`; one that is nothing without a network says so, a `NeedsNetwork`.
    """

    name: ClassVar[str]
    description: ClassVar[str]
    arguments: ClassVar[type[Any]]
    reads_only: ClassVar[bool]
    """True: never changes anything, so calls may run side by side and in the phase `plan`."""

    def effects(self, arguments: Any) -> Sequence[Effect]:
        """Everything this call would touch, for the policy; called before `run`, must not change anything.

        Raises: BadArguments, ToolFailed where it is clear already that the call cannot work.
        """
        ...

    async def run(self, arguments: Any) -> ToolOutput:
        """Do it. Cancellation must leave no process and no half-written file behind.

        Raises: ToolFailed, with a message the model can act on. Anything else is a defect of the plugin.
        """
        ...


@runtime_checkable
class HasSection(Protocol):
    """A tool with a text of its own in the stable prefix, while the model is shown the tool."""

    def section(self) -> PromptSection:
        """Title and text; the same each time within a session."""
        ...


@runtime_checkable
class HasStatus(Protocol):
    """A tool that holds something open, with a word about it for a status line."""

    def status(self) -> str:
        """A few words, known without waiting; empty where there is nothing to say yet."""
        ...


@runtime_checkable
class NeedsNetwork(Protocol):
    """A tool of which nothing is left where requests are refused: it is not shown in a phase that only reads."""

    needs_network: ClassVar[bool]


class ToolFactory(Protocol):
    """What the entry point names: usually the tool's class."""

    def __call__(self, context: ToolContext) -> Tool | None:
        """The tool; None where there is nothing for it to do here, and it is not shown.

        Raises: NotSetUp where settings would mend that; who asks for the tool is told.
        """
        ...
