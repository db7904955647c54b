"""The graph is built from rows, in any order, over existing notes only."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable

import pytest

from ori_memory.graph.edges import Edge
from ori_memory.graph.graph import LinkWeights, NoteGraph
from ori_memory.graph.structure import orphans
from ori_memory.model import NoteRecord


def note(name: str) -> NoteRecord:
    return NoteRecord(id=name, path=name, title=name)


class Rows:
    """What an index hands over."""

    def notes(self) -> Iterable[NoteRecord]:
        return [note("b"), note("a"), note("c")]

    def edges(self) -> Iterable[Edge]:
        return [
            Edge("a", "b", "wiki", 3),
            Edge("a", "b", "markdown_embed"),
            Edge("b", "b", "wiki"),
            Edge("a", "gone", "wiki"),
            Edge("a", "c", "suggested", 1),
        ]


def test_nodes_are_existing_notes_and_edges_carry_weights_by_kind() -> None:
    graph = NoteGraph.of(Rows(), LinkWeights(written=1, embed=2, suggested=0.25))
    assert [one.path for one in graph.notes] == ["a", "b", "c"]
    assert graph.written == {(0, 1): pytest.approx(1 + math.log(3) + 2)}
    assert graph.suggested == {(0, 2): 0.25}
    assert (graph.self_links, graph.unknown, graph.edge_count) == (1, 1, 1)
    assert graph.in_degrees == [0, 1, 0]
    assert graph.neighbours == {"a": ("b",), "b": ("a",)}
    assert orphans(graph) == ("a", "c")


def test_a_kind_of_weight_0_is_left_out() -> None:
    assert NoteGraph.of(Rows(), LinkWeights(suggested=0)).suggested == {}


def test_the_order_of_rows_changes_nothing() -> None:
    chance = random.Random(1)
    notes = [note(f"n{number}") for number in range(50)]
    kinds = ["wiki", "embed", "suggested", "markdown"]
    edges = [
        Edge(f"n{chance.randrange(50)}", f"n{chance.randrange(50)}", chance.choice(kinds), chance.randrange(1, 5))
        for _ in range(300)
    ]
    first = NoteGraph.build(notes, edges)
    chance.shuffle(notes)
    chance.shuffle(edges)
    second = NoteGraph.build(notes, edges)
    assert (first.weights, first.undirected_weights) == (second.weights, second.undirected_weights)
