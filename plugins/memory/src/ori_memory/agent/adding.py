"""The tool VaultAdd: what shall outlive the session is kept as a note."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal

from attrs import frozen

from aries_kernel.broker.effects import Effect, WritePath
from aries_kernel.contracts.tool import Tool, ToolContext, ToolOutput
from aries_kernel.errors import BadArguments, ToolFailed, UserError
from aries_kernel.tools.schema import described
from ori_memory.agent.place import GROUP, connected_vault, is_connected

if TYPE_CHECKING:
    from ori_memory.operations.adding import Added
    from ori_memory.operations.composing import NewNote
    from ori_memory.vault.vault import Vault

__all__ = ["VaultAdd", "VaultAddArguments", "make_vault_add"]

_CLIENT = "aries"
_FOLDERS = ("inbox", "notes")
"""Where a new note goes, and where it goes on to when it is promoted."""


@frozen
class VaultAddArguments:
    """What the model sends."""

    title: str = described("a sentence that says one thing")
    content: str = described("what supports it; [[links]] to other notes", default="")
    type: Literal["idea", "decision", "learning", "insight", "blocker", "opportunity"] | None = described(
        "guessed from its words if not given", default=None
    )
    description: str = described("one sentence; taken from the content if not given", default="")
    project: tuple[str, ...] = described("projects it belongs to", default=())
    tags: tuple[str, ...] = described("tags", default=())


def make_vault_add(context: ToolContext) -> Tool | None:
    """The tool; None where no vault is connected. Raises: NoVault where one is named and is none, ConfigError."""
    options, home = context.body.groups.get(GROUP, {}), context.home or Path.home()
    around = (options, context.environ, context.workspace.root, home)
    return VaultAdd(connected_vault(*around), context) if is_connected(*around) else None


class VaultAdd:
    """Writes into the vault that the session is connected to, and nowhere else."""

    name: ClassVar[str] = "VaultAdd"
    description: ClassVar[str] = (
        "Keep something for later sessions as a note: a decision, a lesson, what the person wants. "
        "One note, one thing. The same twice is kept once."
    )
    arguments: ClassVar[type[VaultAddArguments]] = VaultAddArguments
    reads_only: ClassVar[bool] = False

    def __init__(self, vault: Vault, context: ToolContext) -> None:
        self._vault, self._environ = vault, context.environ

    def effects(self, arguments: VaultAddArguments) -> Sequence[Effect]:
        """The note's file. Raises: BadArguments."""
        from ori_memory.operations.writing import free_path

        self._check(arguments)
        folders = _FOLDERS if self._vault.config.promote.auto and arguments.content.strip() else _FOLDERS[:1]
        return tuple(WritePath(free_path(self._vault.locate(name), arguments.title)) for name in folders)

    async def run(self, arguments: VaultAddArguments) -> ToolOutput:
        """Keep it. Raises: BadArguments, ToolFailed where the vault cannot be written."""
        self._check(arguments)
        try:
            added = await asyncio.to_thread(self._add, arguments)
        except UserError as error:
            raise ToolFailed(str(error)) from error
        path = self._vault.locate(added.path)
        note = " ".join(added.warnings)
        what = "Kept as" if added.is_new else "It is there already:"
        return ToolOutput(
            f"{what} {added.path}. {note}".rstrip(),
            changed=(path,) if added.is_new else (),
            details={
                "path": added.path,
                "id": added.id,
                "title": added.title,
                "is_new": added.is_new,
                "is_promoted": added.is_promoted,
                "note": note,
            },
        )

    def _add(self, arguments: VaultAddArguments) -> Added:
        from ori_memory.memory import Memory

        with Memory.open(self._vault, environ=self._environ) as memory:
            return memory.add(_request(arguments))

    @staticmethod
    def _check(arguments: VaultAddArguments) -> None:
        from ori_memory.operations.composing import check_request

        try:
            check_request(_request(arguments))
        except UserError as error:
            raise BadArguments(str(error)) from error


def _request(arguments: VaultAddArguments) -> NewNote:
    from ori_memory.model import Source
    from ori_memory.operations.composing import NewNote

    return NewNote(
        title=arguments.title,
        content=arguments.content,
        type=arguments.type or "",
        description=arguments.description,
        projects=arguments.project,
        tags=arguments.tags,
        source=Source(client=_CLIENT),
    )
