"""Which notes lie on the shortest ways between others: exact for small vaults, from a sample for large ones."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from ori_memory.graph.graph import NoteGraph
from ori_memory.graph.scores import Scores, reason_for_none

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Integers = NDArray[numpy.int64]
    Floats = NDArray[numpy.float64]

__all__ = ["betweenness"]

EXACT_UP_TO = 2_000
PIVOTS = 256


def betweenness(graph: NoteGraph, *, exact_up_to: int = EXACT_UP_TO, pivots: int = PIVOTS, seed: int = 0) -> Scores:
    """Share of the shortest ways between other notes that lead through a note, over written links with direction.

    Above `exact_up_to` notes, ways from `pivots` notes chosen with `seed` stand for all; `method` says which it was.
    """
    reason = reason_for_none(len(graph), graph.edge_count)
    if reason:
        return Scores(skipped=reason)
    count = len(graph)
    if count <= exact_up_to:
        return Scores(_exact(graph), method="exact")
    starts = sorted(random.Random(seed).sample(range(count), min(pivots, count)))
    method = f"sampled from {len(starts)} of {count} notes, seed {seed}"
    return Scores(_sampled(graph, starts), method=method)


def _exact(graph: NoteGraph) -> dict[str, float]:
    import rustworkx

    directed: rustworkx.PyDiGraph[int, None] = rustworkx.PyDiGraph()
    directed.add_nodes_from(range(len(graph)))
    directed.add_edges_from([(one, other, None) for one, other in sorted(graph.written)])
    # One thread: the sum of floats from several depends on which ends first.
    found = rustworkx.digraph_betweenness_centrality(directed, normalized=True, parallel_threshold=len(graph) + 1)
    return {note.path: found[number] for number, note in enumerate(graph.notes)}


def _sampled(graph: NoteGraph, starts: list[int]) -> dict[str, float]:
    """Brandes' accumulation from each start, a distance at a time; rustworkx has no variant with chosen starts."""
    import numpy

    count = len(graph)
    pairs = numpy.array(sorted(graph.written), dtype=numpy.int64)
    targets = pairs[:, 1]
    offsets = numpy.searchsorted(pairs[:, 0], numpy.arange(count + 1))
    total = numpy.zeros(count)
    for start in starts:
        total += _dependencies(targets, offsets, start)
    scale = count / (len(starts) * max(1, (count - 1) * (count - 2)))
    return {note.path: float(total[number] * scale) for number, note in enumerate(graph.notes)}


def _dependencies(targets: Integers, offsets: Integers, start: int) -> Floats:
    import numpy

    count = len(offsets) - 1
    distance = numpy.full(count, -1)
    ways = numpy.zeros(count)
    distance[start], ways[start] = 0, 1.0
    layers: list[tuple[Integers, Integers]] = []
    frontier = numpy.array([start])
    while frontier.size:
        sources, reached = _out(targets, offsets, frontier)
        fresh = numpy.unique(reached[distance[reached] < 0])
        distance[fresh] = len(layers) + 1
        onward = distance[reached] == len(layers) + 1
        sources, reached = sources[onward], reached[onward]
        ways += numpy.bincount(reached, ways[sources], minlength=count)
        layers.append((sources, reached))
        frontier = fresh
    dependency = numpy.zeros(count)
    for sources, reached in reversed(layers):
        share = ways[sources] / ways[reached] * (1 + dependency[reached])
        dependency += numpy.bincount(sources, share, minlength=count)
    dependency[start] = 0.0
    return dependency


def _out(targets: Integers, offsets: Integers, nodes: Integers) -> tuple[Integers, Integers]:
    """All edges that leave `nodes`: sources and targets."""
    import numpy

    first, sizes = offsets[nodes], offsets[nodes + 1] - offsets[nodes]
    position = numpy.arange(sizes.sum()) - numpy.repeat(numpy.cumsum(sizes) - sizes, sizes)
    return numpy.repeat(nodes, sizes), targets[numpy.repeat(first, sizes) + position]
