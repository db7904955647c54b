"""Personalised PageRank by steps, on a small graph held in dictionaries."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["walk"]

Edges = Mapping[int, Mapping[int, float]]


def walk(edges: Edges, begin: Mapping[int, float], *, restart: float, steps: int) -> dict[int, float]:
    """Where a walk that begins at `begin` (sums to 1) is after `steps` steps, going back with chance `restart`.

    p' = (1 - restart) * (W^T p + d * begin) + restart * begin, where the weights W of each node sum to 1, and d is the
    share that stands on nodes without edges: nothing is lost. `edges` must hold each edge from both ends.
    """
    moves = {
        node: [(other, weight / total) for other, weight in to.items()]
        for node, to in edges.items()
        if (total := sum(to.values())) > 0
    }
    at = dict(begin)
    for _ in range(steps):
        after: dict[int, float] = {}
        stranded = 0.0
        for node, share in at.items():
            ways = moves.get(node)
            if ways is None:
                stranded += share
                continue
            passed = (1 - restart) * share
            for other, part in ways:
                after[other] = after.get(other, 0.0) + passed * part
        back = restart + (1 - restart) * stranded
        for node, weight in begin.items():
            after[node] = after.get(node, 0.0) + back * weight
        at = after
    return at
