"""What use of a note teaches: it is counted, and its neighbours become warmer for a while (spec C.1, C.3)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING

from aries_kernel.errors import AriesError
from ori_memory.graph.activation import HUB, spread

if TYPE_CHECKING:
    from ori_memory.index.report import SyncReport
    from ori_memory.memory import Memory

__all__ = ["record_connections", "record_use"]

_MANY = 100
"""From here on it is quicker to ask for everything at once."""


def record_use(memory: Memory, utilities: Mapping[str, float], *, session: str = "") -> None:
    """Count one access of each note, by path, and warm the notes around it as `activation` in the settings says.

    `utilities`: how useful each was, from 0 to 1. Only what somebody used belongs here, never what was merely shown.
    Writes to the learned store alone. Raises: UnknownName for a path that is no note; UserError where it cannot write.
    """
    ids = {path: memory.index.note(path).id for path in utilities}
    memory.learned.record_access(ids.values())
    settings = memory.vault.config.activation
    if not settings.enabled:
        return
    warmed = spread(_neighbours(memory, utilities, settings.max_hops), utilities, settings)
    boosts = {id: warmed[path] for path, id in _ids(memory, warmed).items()}
    if boosts:
        memory.learned.add_boosts(boosts, session)


def record_connections(memory: Memory, report: SyncReport) -> None:
    """Remember which notes a sync saw linked anew; a store that cannot be written is told, and is no reason to stop."""
    if memory.index.status().is_temporary:
        return  # The next look at the vault would see the same links as new.
    try:
        memory.learned.record_connections(report.connected)
    except AriesError as error:
        memory.notice(f"That notes were linked anew was not kept: {error}")


def _neighbours(memory: Memory, sources: Iterable[str], hops: int) -> Mapping[str, set[str]]:
    """Both ways along written links; the index alone is asked, so that quick commands need no graph library."""
    found: dict[str, set[str]] = {}
    edge = set(sources)
    for _ in range(hops):
        if len(edge) > _MANY:
            return _all_neighbours(memory)
        for path in edge:
            leads = {link.target for link in memory.index.outgoing(path)}
            led = {link.source for link in memory.index.backlinks(path)}
            found[path] = {other for other in leads | led if other is not None and other != path}
        edge = {other for path in edge if len(found[path]) <= HUB for other in found[path]} - found.keys()
    return found


def _all_neighbours(memory: Memory) -> Mapping[str, set[str]]:
    found: dict[str, set[str]] = {}
    for link in memory.index.links():
        if link.target is not None and link.target != link.source:
            found.setdefault(link.source, set()).add(link.target)
            found.setdefault(link.target, set()).add(link.source)
    return found


def _ids(memory: Memory, paths: Collection[str]) -> Mapping[str, str]:
    if len(paths) > _MANY:
        return {note.path: note.id for note in memory.index.notes() if note.path in paths}
    return {path: memory.index.note(path).id for path in paths}
