"""Ways, circles and layers of the file graph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import frozen

from aries_body.graph.files import FileGraph

__all__ = ["Cycle", "cycles", "layers", "reach", "shortest_path"]

_LATE = frozenset({"type", "dynamic"})
"""Imports that do not run when the file is loaded: a circle through one of them harms nobody."""


@frozen(repr=False)
class Cycle:
    """Files of which each leads to every other one."""

    members: tuple[str, ...]
    """Sorted."""
    example: tuple[str, ...]
    """A shortest way round, its first file again at the end."""

    def __repr__(self) -> str:
        return f"{len(self.members)} files: {' -> '.join(self.example)}"


def reach(neighbours: Mapping[int, Sequence[int]], start: int, depth: int) -> dict[int, int]:
    """Everything within `depth` steps of `start`, with its distance; the nearest first."""
    found = {start: 0}
    edge = [start]
    for distance in range(1, depth + 1):
        following = []
        for one in edge:
            for other in neighbours.get(one, ()):
                if other not in found:
                    found[other] = distance
                    following.append(other)
        edge = following
        if not edge:
            break
    del found[start]
    return found


def shortest_path(graph: FileGraph, start: int, end: int, most: int) -> list[int] | None:
    """A shortest way along ties, of at most `most` steps; None where there is none."""
    if start == end:
        return [start]
    before: dict[int, int] = {}
    edge = [start]
    for _ in range(most):
        following = []
        for one in edge:
            for other in graph.outgoing.get(one, ()):
                if other != start and other not in before:
                    before[other] = one
                    following.append(other)
        if end in before:
            way = [end]
            while way[-1] != start:
                way.append(before[way[-1]])
            return way[::-1]
        edge = following
    return None


def cycles(graph: FileGraph) -> list[Cycle]:
    """Circles of imports that run when a file is loaded, the largest first."""
    import rustworkx

    loading = _loading(graph)
    directed: rustworkx.PyDiGraph[int, None] = rustworkx.PyDiGraph(multigraph=False)
    directed.add_nodes_from(range(len(graph)))
    directed.add_edges_from([(one, other, None) for one, others in loading.items() for other in others])
    found = []
    for component in rustworkx.strongly_connected_components(directed):
        if len(component) > 1:
            members = sorted(component)
            inside = set(members)
            within = {one: [other for other in loading.get(one, ()) if other in inside] for one in members}
            example = min((_around(within, one) for one in members[:200]), key=len)
            found.append(Cycle(tuple(graph.paths[one] for one in members), tuple(graph.paths[one] for one in example)))
    return sorted(found, key=lambda cycle: (-len(cycle.members), cycle.members))


def layers(graph: FileGraph) -> list[list[str]]:
    """Files by layer: the first leads to nothing, each next one leads to those below; circles lie in one layer."""
    import rustworkx

    condensed: Any = rustworkx.condensation(graph.directed)
    height: dict[int, int] = {}
    for node in reversed(rustworkx.topological_sort(condensed)):
        below = condensed.successor_indices(node)
        height[node] = 1 + max((height[one] for one in below), default=-1)
    found: dict[int, list[str]] = {}
    for node, level in height.items():
        found.setdefault(level, []).extend(graph.paths[number] for number in condensed[node])
    return [sorted(found[level]) for level in sorted(found)]


def _loading(graph: FileGraph) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for (one, other), tie in graph.ties.items():
        if tie.imports.keys() - _LATE:
            found.setdefault(one, []).append(other)
    return found


def _around(within: Mapping[int, Sequence[int]], start: int) -> list[int]:
    """A shortest way from `start` back to it."""
    before: dict[int, int] = {}
    edge = [start]
    while edge:
        following = []
        for one in edge:
            for other in within[one]:
                if other == start:
                    way = [start, one]
                    while way[-1] != start:
                        way.append(before[way[-1]])
                    return way[::-1]
                if other not in before:
                    before[other] = one
                    following.append(other)
        edge = following
    return [start, start]
