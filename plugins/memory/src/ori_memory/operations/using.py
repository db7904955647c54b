"""What use of a note teaches: it is counted, and its neighbours become warmer for a while (spec C.3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ori_memory.graph.activation import spread

if TYPE_CHECKING:
    from ori_memory.memory import Memory

__all__ = ["record_use"]


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
    warmed = spread(_neighbours(memory), utilities, settings)
    boosts = {memory.index.note(path).id: value for path, value in warmed.items()}
    if boosts:
        memory.learned.add_boosts(boosts, session)


def _neighbours(memory: Memory) -> Mapping[str, set[str]]:
    """Both ways along written links; the index alone is asked, so that quick commands need no graph library."""
    found: dict[str, set[str]] = {}
    for link in memory.index.links():
        if link.target is not None and link.target != link.source:
            found.setdefault(link.source, set()).add(link.target)
            found.setdefault(link.target, set()).add(link.source)
    return found
