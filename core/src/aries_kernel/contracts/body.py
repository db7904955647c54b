"""Contract of a group of operations that code in the body may call (entry-point group `aries.body_groups`)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

from attrs import field, frozen

if TYPE_CHECKING:  # The body itself reads this file, and starts in a fraction of a second.
    from aries_kernel.contracts.tool import InnerCalls

__all__ = ["Cost", "Effect", "Group", "GroupContext", "GroupFactory", "GroupProvider", "Operation", "absent", "as_rows"]

Cost = Literal["local", "host", "command", "network", "model", "person"]
"""Where the time goes: in the body, on the way to the host, or in what the host does for it."""
Effect = Literal["reads", "writes", "runs", "network", "asks", "says", "state", "ends"]


@frozen
class Operation:
    """One thing that user code can call."""

    name: str
    signature: str
    """Parameters as Python writes them, in brackets."""
    returns: str
    """`{a, b}` is a record with these keys, `[{a, b}]` a list of them; otherwise the name of a type."""
    summary: str
    cost: Cost = "host"
    effects: tuple[Effect, ...] = ("reads",)


@frozen
class Group:
    """Operations under one name of the namespace."""

    name: str
    summary: str
    operations: tuple[Operation, ...] = ()
    factory: str | None = None
    """`module:callable`, called in the body with its session; gives the object that stands in the namespace. None: the
    host answers every operation by its full name."""
    absent: str | None = None
    """Why it is not there; what user code reads when it tries."""

    def full_name(self, operation: Operation) -> str:
        """How user code writes the operation."""
        return f"{self.name}.{operation.name}" if self.name else operation.name


def absent(name: str, summary: str, reason: str) -> Group:
    """A group that is not there, for a reason that user code is told when it tries."""
    return Group(name, summary, absent=reason)


ROWS = "__rows__"


def as_rows(rows: list[dict[str, Any]], total: int | None = None, note: str = "") -> dict[str, Any]:
    """Rows as JSON, on their way into the body: a list that knows how many there are in all, and a word about them."""
    return {ROWS: rows, "total": len(rows) if total is None else total, "note": note}


@frozen
class GroupContext:
    """What a group's provider may use; made once a session."""

    project: Path
    """The folder of the session."""
    environ: Mapping[str, str]
    home: Path
    options: Mapping[str, object] = field(factory=dict)
    """What the settings say under `body.groups.NAME`; the provider checks them."""
    inner: InnerCalls | None = None
    """For what changes something: by a tool, so that the policy judges it and the log has it. None: no session."""


class GroupProvider(Protocol):
    """One group, answered by the host. A group with a `factory` lives in the body and is never called here."""

    @property
    def group(self) -> Group:
        """Its name, which is the entry point's, and its operations; `absent` set where it has nothing to give."""
        ...

    def stale(self) -> None:
        """Files may have changed: said at the start of each execution, and after each write and each command."""
        ...

    async def call(self, operation: str, arguments: Mapping[str, Any]) -> Any:
        """Do an operation; gives plain JSON data, dictionaries become records on the other side.

        Raises: UserError and its kinds for what user code is to read.
        """
        ...

    async def close(self) -> None:
        """The session is over."""
        ...


class GroupFactory(Protocol):
    """What the entry point names: usually the provider's class. It opens nothing yet."""

    def __call__(self, context: GroupContext) -> GroupProvider:
        """The provider. Raises: UserError for wrong options."""
        ...
