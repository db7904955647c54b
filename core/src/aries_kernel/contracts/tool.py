"""Contract of a tool (entry-point group `aries.tools`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Protocol

from attrs import field, frozen

from aries_kernel.broker.effects import Effect
from aries_kernel.broker.workspace import Workspace
from aries_kernel.settings.schema import OutputLimits

__all__ = ["InnerCalls", "Tool", "ToolContext", "ToolFactory", "ToolOutput"]


class InnerCalls(Protocol):
    """Calls of other tools that a tool makes on behalf of code it runs; they meet policy, hooks and log as any call."""

    async def __call__(self, name: str, arguments: Mapping[str, object]) -> ToolOutput:
        """Run the tool `name`.

        Raises: Refused, UnknownName, BadArguments, ToolFailed, PluginError.
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
    call to call, such as a process, has `async def close(self) -> None` too, called when the session ends.
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


class ToolFactory(Protocol):
    """What the entry point names: usually the tool's class."""

    def __call__(self, context: ToolContext) -> Tool: ...
