"""Groups of operations that other parts of the program bring: the code graph, the memory, whatever is installed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, cast

import attrs
from attrs import frozen

from aries_body.repl.api import BUILT_IN
from aries_body.services.graph import GraphProvider
from aries_kernel.contracts.body import Group, GroupContext, GroupFactory, GroupProvider, absent
from aries_kernel.contracts.tool import PluginSource
from aries_kernel.errors import AriesError, Refused

__all__ = ["ENTRY_POINTS", "Unavailable", "groups_with", "providers_for"]

ENTRY_POINTS = "aries.body_groups"
_EXPECTED = (
    ("codebase", "the repository as a graph", "The code graph is not part of this session."),
    (
        "vault",
        "notes that outlive sessions",
        "Nothing that is installed brings it; ori-memory does: pip install ori-memory",
    ),
)


@frozen
class Unavailable:
    """Stands for a plugin that could not be had; what user code reads says why."""

    group: Group

    def stale(self) -> None:
        return

    async def call(self, operation: str, arguments: Mapping[str, Any]) -> Any:
        raise Refused(f"{self.group.name}.{operation}: {self.group.absent}")

    async def close(self) -> None:
        return


def providers_for(
    context: GroupContext, plugins: PluginSource | None, options: Mapping[str, Mapping[str, object]]
) -> list[GroupProvider]:
    """The code graph, and what plugins bring; `options` are theirs, by name. Nothing is opened yet.

    A name that the body itself uses is not given away.
    """
    graph = GraphProvider(context.project)
    taken = {graph.group.name, *(group.name for group in BUILT_IN)}
    names = [name for name in (plugins.names(ENTRY_POINTS) if plugins is not None else ()) if name not in taken]
    assert plugins is not None or not names
    return [graph, *(_made(name, cast(PluginSource, plugins), context, options.get(name, {})) for name in names)]


def groups_with(providers: Iterable[GroupProvider]) -> tuple[Group, ...]:
    """What a body knows: the groups of the providers, those that are always there, and those that are missing."""
    brought = [provider.group for provider in providers]
    names = {group.name for group in brought}
    missing = [absent(name, summary, reason) for name, summary, reason in _EXPECTED if name not in names]
    return (*brought, *BUILT_IN, *missing)


def _made(name: str, plugins: PluginSource, context: GroupContext, options: Mapping[str, object]) -> GroupProvider:
    try:
        factory = cast(GroupFactory, plugins.load(ENTRY_POINTS, name))
        provider = factory(attrs.evolve(context, options=options))
        if provider.group.name != name:
            raise TypeError(f"it calls itself {provider.group.name!r}")
        return provider
    except AriesError as error:
        return Unavailable(absent(name, "brought by a plugin", str(error)))
    except Exception as error:  # A plugin's defect takes its own group away, not the body.
        return Unavailable(absent(name, "brought by a plugin", f"its plugin fails: {type(error).__name__}: {error}"))
