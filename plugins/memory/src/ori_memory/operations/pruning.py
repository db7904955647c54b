"""What could go: the whole topology is looked at before anything is proposed, and nothing goes without consent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

from attrs import frozen

from ori_memory.graph.communities import Hotspot, communities_of, hotspots
from ori_memory.operations.archiving import set_statuses

if TYPE_CHECKING:
    from ori_memory.memory import Memory

__all__ = ["PruneCandidate", "PruneReport", "prune"]


@frozen
class PruneCandidate:
    """A note that is fading and holds nothing together."""

    path: str
    title: str
    vitality: float
    zone: str
    in_degree: int
    community: int
    reason: str


@frozen
class PruneReport:
    """Zones of all notes, what holds the graph together, and what could go."""

    zones: dict[str, int]
    total: int
    articulation_points: tuple[str, ...]
    bridge_notes: tuple[tuple[str, tuple[str, ...]], ...]
    candidates: tuple[PruneCandidate, ...]
    hotspots: tuple[Hotspot, ...]
    is_applied: bool
    archived: tuple[str, ...] = ()
    failed: tuple[tuple[str, str], ...] = ()
    """Candidates that could not be changed, with the reason."""
    warnings: tuple[str, ...] = ()


def prune(memory: Memory, *, apply: bool = False) -> PruneReport:
    """Analyse and propose; with `apply`, set the candidates to archived. Pinned and bridge notes never go."""
    graph, structure, vitality = memory.graph, memory.structure, memory.vitality
    communities = communities_of(graph)
    candidates = _candidates(memory, communities.of)
    spots = hotspots(communities, {path: one.value for path, one in vitality.items()})
    archived, failed = set_statuses(memory, (one.path for one in candidates), "archived") if apply else ((), ())
    return PruneReport(
        zones=dict(Counter(one.zone.value for one in vitality.values())),
        total=len(graph.notes),
        articulation_points=tuple(sorted(structure.articulation_points)),
        bridge_notes=tuple(sorted(structure.bridge_notes.items())),
        candidates=candidates,
        hotspots=tuple(spots),
        is_applied=apply,
        archived=archived,
        failed=failed,
        warnings=(structure.skipped,) if structure.skipped else (),
    )


def _candidates(memory: Memory, communities: Mapping[str, int]) -> tuple[PruneCandidate, ...]:
    graph, vitality = memory.graph, memory.vitality
    floor = memory.vault.config.vitality.zone_thresholds.fading_floor
    few = memory.vault.config.archive.fewer_links_than
    found = []
    for note, degree in zip(graph.notes, graph.in_degrees, strict=True):
        alive = vitality[note.path]
        is_kept = (
            note.is_pinned or note.path in memory.structure.bridge_notes or note.status in ("archived", "released")
        )
        if is_kept or alive.zone.value not in ("fading", "archived") or degree >= few or note.space != "notes":
            continue
        reason = "below the fading floor" if alive.value < floor else "in the fading zone"
        found.append(
            PruneCandidate(
                note.path,
                note.title,
                round(alive.value, 4),
                alive.zone.value,
                degree,
                communities.get(note.path, -1),
                reason,
            )
        )
    return tuple(sorted(found, key=lambda one: (one.vitality, one.path)))
