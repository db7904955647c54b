"""Groups of operations that other parts of the program bring: the code graph, the memory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from aries_body.repl.api import BUILT_IN, Group, absent

__all__ = ["Provider", "groups_with"]


class Provider(Protocol):
    """One group, answered by the host. A group with a `factory` lives in the body and is never called here."""

    @property
    def group(self) -> Group:
        """Its name and its operations."""
        ...

    def stale(self) -> None:
        """Files may have changed: said at the start of each execution, and after each write and each command."""
        ...

    async def close(self) -> None:
        """The session is over."""
        ...

    async def call(self, operation: str, arguments: Mapping[str, Any]) -> Any:
        """Do an operation; gives plain JSON data, dictionaries become records on the other side.

        Raises: UserError and its kinds for what user code is to read.
        """
        ...


_EXPECTED = (
    ("codebase", "the repository as a graph", "The code graph is not part of this session."),
    ("vault", "notes that outlive sessions", "No vault is connected; `ori init` makes one."),
)


def groups_with(providers: Iterable[Provider]) -> tuple[Group, ...]:
    """What a body knows: the groups of the providers, those that are always there, and those that are missing."""
    brought = [provider.group for provider in providers]
    names = {group.name for group in brought}
    missing = [absent(name, summary, reason) for name, summary, reason in _EXPECTED if name not in names]
    return (*brought, *BUILT_IN, *missing)
