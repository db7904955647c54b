"""PageRank, for the whole vault and seen from chosen notes (spec C.8)."""

from __future__ import annotations

import math
from collections.abc import Mapping

from ori_memory.graph.graph import NoteGraph
from ori_memory.graph.scores import Scores, reason_for_none

__all__ = ["pagerank", "personalised_pagerank"]

ALPHA = 0.85
_TOLERANCE = 1e-12
_MOST_ROUNDS = 2_000


def pagerank(graph: NoteGraph, alpha: float = ALPHA) -> Scores:
    """Importance by links and their weights; sums to 1. Notes without links out pass their share on to all."""
    reason = reason_for_none(len(graph), len(graph.weights))
    return Scores(skipped=reason) if reason else Scores(_power(graph, alpha, None))


def personalised_pagerank(graph: NoteGraph, seeds: Mapping[str, float], alpha: float = ALPHA) -> Scores:
    """Nearness to the seeds, each with its weight; sums to 1.

    Restarts and what notes without links out hold go back to the seeds, in proportion to their weights, so nothing is
    lost. Seeds that are no notes, and weights that are not above 0, are left out.
    """
    reason = reason_for_none(len(graph), len(graph.weights))
    if reason:
        return Scores(skipped=reason)
    known = {graph.number[p]: w for p, w in sorted(seeds.items()) if p in graph.number and w > 0 and math.isfinite(w)}
    if not known:
        return Scores(skipped="no seeds")
    heaviest = max(known.values())  # Scaled first: very large weights would add up to infinity.
    return Scores(_power(graph, alpha, {number: weight / heaviest for number, weight in known.items()}))


def _power(graph: NoteGraph, alpha: float, seeds: dict[int, float] | None) -> dict[str, float]:
    import rustworkx

    found = rustworkx.pagerank(
        graph.directed,
        alpha=alpha,
        weight_fn=float,
        personalization=seeds,
        tol=_TOLERANCE,
        max_iter=_MOST_ROUNDS,
    )
    return {note.path: found[number] for number, note in enumerate(graph.notes)}
