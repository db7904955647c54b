"""The graph of a vault: existing notes, and the links between them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from attrs import define, field, frozen

from ori_memory.graph.edges import EMBED, SUGGESTED, WRITTEN, Edge, LinkSource, group_of
from ori_memory.model import NoteRecord

if TYPE_CHECKING:
    import rustworkx

__all__ = ["LinkWeights", "NoteGraph"]

Pair = tuple[int, int]


@frozen
class LinkWeights:
    """How much a link of each kind counts; 0 leaves the kind out. Repeated links count 1 + ln(how often)."""

    written: float = 1.0
    embed: float = 1.0
    suggested: float = 0.3

    def of(self, group: str) -> float:
        return {WRITTEN: self.written, EMBED: self.embed, SUGGESTED: self.suggested}[group]


@define(slots=False)
class NoteGraph:
    """Notes by number, in the order of their paths, so that equal vaults give equal figures however rows arrive.

    Links of a note to itself are no edges. Suggested links carry weight in rankings and communities; what is said of
    the structure (degrees, bridges, articulation points) counts links that somebody wrote.
    """

    notes: tuple[NoteRecord, ...]
    written: Mapping[Pair, float]
    """Weights of links and embeds that stand in notes, by the numbers of source and target."""
    suggested: Mapping[Pair, float]
    self_links: int = 0
    unknown: int = 0
    """Rows that named a path which is no note; nothing to do with dangling links, it means an index out of step."""
    number: Mapping[str, int] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.number = {note.path: number for number, note in enumerate(self.notes)}

    @classmethod
    def of(cls, source: LinkSource, weights: LinkWeights | None = None) -> NoteGraph:
        return cls.build(source.notes(), source.edges(), weights)

    @classmethod
    def build(cls, notes: Iterable[NoteRecord], edges: Iterable[Edge], weights: LinkWeights | None = None) -> NoteGraph:
        ordered = tuple(sorted(notes, key=lambda note: note.path))
        number = {note.path: index for index, note in enumerate(ordered)}
        chosen = weights or LinkWeights()
        written: dict[Pair, float] = {}
        suggested: dict[Pair, float] = {}
        self_links = unknown = 0
        # Sorted: the sum of floats depends on their order.
        for source, target, kind, times, _ in sorted(edges, key=lambda edge: edge[:4]):
            one, other = number.get(source), number.get(target)
            if one is None or other is None:
                unknown += 1
            elif one == other:
                self_links += 1
            else:
                group = group_of(kind)
                weight = chosen.of(group) * (1 + math.log(max(1, times)))
                into = suggested if group == SUGGESTED else written
                if weight > 0:
                    into[one, other] = into.get((one, other), 0.0) + weight
        return cls(ordered, written, suggested, self_links, unknown)

    def __len__(self) -> int:
        return len(self.notes)

    @property
    def edge_count(self) -> int:
        """Pairs of notes with a link somebody wrote, by direction."""
        return len(self.written)

    @cached_property
    def weights(self) -> dict[Pair, float]:
        """All links, suggested ones as well."""
        total = dict(self.written)
        for pair, weight in self.suggested.items():
            total[pair] = total.get(pair, 0.0) + weight
        return dict(sorted(total.items()))

    @cached_property
    def undirected_weights(self) -> dict[Pair, float]:
        """Both directions summed, the smaller number first."""
        total: dict[Pair, float] = {}
        for (one, other), weight in self.weights.items():
            pair = (one, other) if one < other else (other, one)
            total[pair] = total.get(pair, 0.0) + weight
        return dict(sorted(total.items()))

    @cached_property
    def in_degrees(self) -> list[int]:
        """By number: how many other notes link there."""
        counts = [0] * len(self.notes)
        for _, target in self.written:
            counts[target] += 1
        return counts

    @cached_property
    def out_degrees(self) -> list[int]:
        counts = [0] * len(self.notes)
        for source, _ in self.written:
            counts[source] += 1
        return counts

    @cached_property
    def neighbours(self) -> dict[str, tuple[str, ...]]:
        """By path, undirected, written links only: what activation spreads over."""
        found: dict[int, set[int]] = {}
        for one, other in self.written:
            found.setdefault(one, set()).add(other)
            found.setdefault(other, set()).add(one)
        return {self.notes[n].path: tuple(self.notes[o].path for o in sorted(others)) for n, others in found.items()}

    @cached_property
    def directed(self) -> rustworkx.PyDiGraph[int, float]:
        """All links with their weights; the payload of a node is its number, which is also its index."""
        import rustworkx

        graph: rustworkx.PyDiGraph[int, float] = rustworkx.PyDiGraph(multigraph=False)
        graph.add_nodes_from(range(len(self.notes)))
        graph.add_edges_from([(one, other, weight) for (one, other), weight in self.weights.items()])
        return graph

    @cached_property
    def structure(self) -> rustworkx.PyGraph[int, None]:
        """Written links without direction, one edge a pair."""
        import rustworkx

        graph: rustworkx.PyGraph[int, None] = rustworkx.PyGraph(multigraph=False)
        graph.add_nodes_from(range(len(self.notes)))
        pairs = sorted({(min(pair), max(pair)) for pair in self.written})
        graph.add_edges_from([(one, other, None) for one, other in pairs])
        return graph
