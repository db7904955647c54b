"""What holds the graph together: articulation points, bridges, hubs, maps (spec C.2)."""

from __future__ import annotations

import statistics
from collections.abc import Mapping

from attrs import frozen

from ori_memory.graph.graph import NoteGraph
from ori_memory.model import NoteRecord

__all__ = ["Structure", "orphans", "structure_of"]

HUB_MULTIPLIER = 2.0
CROSS_PROJECT_LINKS = 3


@frozen
class Structure:
    articulation_points: frozenset[str]
    """Notes without which a connected part falls apart."""
    bridges: tuple[tuple[str, str], ...]
    """Links, without direction, that are the only way between two parts."""
    bridge_notes: Mapping[str, tuple[str, ...]]
    """Notes that are not to be pruned, each with its reasons."""
    skipped: str = ""
    """Why there are no articulation points and bridges: no notes, no edges."""


def structure_of(graph: NoteGraph, hub_multiplier: float = HUB_MULTIPLIER) -> Structure:
    """Written links only. Titles protect a map or an index also where nothing is linked."""
    import rustworkx

    points: frozenset[str] = frozenset()
    bridges: list[tuple[str, str]] = []
    if graph.edge_count:
        paths = [note.path for note in graph.notes]
        points = frozenset(paths[number] for number in rustworkx.articulation_points(graph.structure))
        bridges = sorted((paths[min(pair)], paths[max(pair)]) for pair in rustworkx.bridges(graph.structure))
    skipped = "" if graph.edge_count else "no edges" if len(graph) else "no notes"
    return Structure(points, tuple(bridges), _bridge_notes(graph, points, hub_multiplier), skipped)


def orphans(graph: NoteGraph) -> tuple[str, ...]:
    """Notes that no other note links to."""
    return tuple(note.path for number, note in enumerate(graph.notes) if not graph.in_degrees[number])


def _bridge_notes(graph: NoteGraph, points: frozenset[str], multiplier: float) -> dict[str, tuple[str, ...]]:
    threshold = multiplier * statistics.median(graph.in_degrees) if len(graph) else 0.0
    found = {}
    for note, degree in zip(graph.notes, graph.in_degrees, strict=True):
        if reasons := _reasons(note, degree, threshold, note.path in points):
            found[note.path] = reasons
    return found


def _reasons(note: NoteRecord, degree: int, threshold: float, is_point: bool) -> tuple[str, ...]:
    title = note.title.casefold().rstrip()
    checks = {
        "articulation point": is_point,
        "hub": threshold > 0 and degree > threshold,
        "map": title.endswith((" map", "index")),
        "cross-project": len(set(note.projects)) >= 2 and degree >= CROSS_PROJECT_LINKS,
    }
    return tuple(reason for reason, holds in checks.items() if holds)
