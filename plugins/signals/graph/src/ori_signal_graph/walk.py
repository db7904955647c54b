"""Personalised PageRank by steps, on a small graph that is looked at where the walk comes to."""

from __future__ import annotations

from collections.abc import Callable, Mapping

__all__ = ["walk"]

Ways = Callable[[int], Mapping[int, float]]


def walk(ways: Ways, begin: Mapping[int, float], *, restart: float, steps: int, least: float = 0.0) -> dict[int, float]:
    """Where a walk that begins at `begin` (sums to 1) is after `steps` steps, going back with chance `restart`.

    `ways` gives a node's neighbours with their weights, each edge from both ends. Of what stands on a node, the share
    `restart` stays for good: it went back, and came here again by the same ways. The rest moves on, from a node without
    ways to the beginning: nothing is lost. The steps give the same as p' = (1 - restart) * W p + restart * begin.
    Less than `least` stays where it is: many small shares change no order, and are most of the work.
    """
    settled: dict[int, float] = {}
    standing = dict(begin)
    reached = list(begin)
    moves: dict[int, list[tuple[int, float]]] = {}
    for _ in range(steps):
        leaving = [(node, standing.pop(node)) for node in reached if standing[node] >= least]
        came: dict[int, None] = {}
        stranded = 0.0
        for node, share in leaving:
            settled[node] = settled.get(node, 0.0) + restart * share
            passed = (1 - restart) * share
            to = moves.get(node)
            if to is None:
                found = ways(node)
                total = sum(found.values())
                to = moves[node] = [(other, weight / total) for other, weight in found.items()] if total > 0 else []
            if not to:
                stranded += passed
            for other, part in to:
                standing[other] = standing.get(other, 0.0) + passed * part
                came[other] = None
        for node, weight in begin.items() if stranded else ():
            standing[node] = standing.get(node, 0.0) + stranded * weight
            came[node] = None
        # Only where something came to may there be enough to go on.
        reached = list(came)
    for node, share in standing.items():
        settled[node] = settled.get(node, 0.0) + share
    return settled
