"""The vitality of all notes of a graph, from the graph and what the learned store counted."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping
from typing import Protocol

from ori_memory.graph.edges import SUGGESTED, Edge
from ori_memory.graph.graph import NoteGraph
from ori_memory.graph.vitality import BRIDGE_FLOOR, Signs, Vitality, vitality_of
from ori_memory.model import NoteRecord
from ori_memory.vault.config import VitalitySettings

__all__ = ["Use", "new_connections", "vitalities"]

DEFAULT = VitalitySettings()


class Use(Protocol):
    """How a note was used; `learned.Access` is one."""

    @property
    def count(self) -> int: ...
    @property
    def first(self) -> datetime.datetime: ...


def vitalities(
    graph: NoteGraph,
    now: datetime.datetime,
    *,
    uses: Mapping[str, Use] | None = None,
    boosts: Mapping[str, float] | None = None,
    connections: Mapping[str, datetime.datetime] | None = None,
    bridge_notes: Iterable[str] = (),
    settings: VitalitySettings = DEFAULT,
    bridge_floor: float = BRIDGE_FLOOR,
) -> dict[str, Vitality]:
    """By path. `uses`, `boosts` and `connections` are by note id, as the learned store keeps them.

    A vault without notes gives an empty answer; one without links is scored all the same, from uses and dates.
    """
    bridges = set(bridge_notes)
    found = {}
    for note, in_degree in zip(graph.notes, graph.in_degrees, strict=True):
        use = (uses or {}).get(note.id)
        signs = Signs(
            accesses=max(use.count if use else 0, _made(note)),
            first_access=use.first if use else None,
            in_degree=in_degree,
            new_connection=(connections or {}).get(note.id),
            boost=(boosts or {}).get(note.id, 0.0),
            is_bridge=note.path in bridges,
        )
        found[note.path] = vitality_of(note, signs, now, settings, bridge_floor)
    return found


def _made(note: NoteRecord) -> int:
    """Making a note is its first use: a new one is not fading, and a use never makes an old one weaker (G-69)."""
    return 1 if note.created or note.modified else 0


def new_connections(
    graph: NoteGraph, edges: Iterable[Edge], seen: Mapping[str, datetime.datetime]
) -> dict[str, datetime.datetime]:
    """When each note, by id, last got a link from another note.

    The best that is known: what was seen when the index met the link (`seen`, from the learned store), the link's own
    `first_seen`, else the day on which the newest note that links there was made: a link is no older than its note.
    """
    found = dict(seen)
    for source, target, kind, _, first_seen in edges:
        one, other = graph.number.get(source), graph.number.get(target)
        if one is None or other is None or one == other or kind == SUGGESTED:
            continue
        made = graph.notes[one].created
        at = first_seen or (datetime.datetime.combine(made, datetime.time(), datetime.UTC) if made else None)
        note_id = graph.notes[other].id
        if at is not None and (note_id not in found or found[note_id] < at):
            found[note_id] = at
    return found
