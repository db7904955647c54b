"""Betweenness, exact and from a sample."""

from __future__ import annotations

import random
from typing import Any

import pytest

from ori_memory.graph.betweenness import betweenness
from ori_memory.graph.edges import Edge
from ori_memory.graph.graph import NoteGraph
from ori_memory.model import NoteRecord


def chance_graph(size: int, edges: int, seed: int) -> NoteGraph:
    chance = random.Random(seed)
    names = [f"n{number:03}" for number in range(size)]
    rows = [Edge(chance.choice(names), chance.choice(names), "wiki") for _ in range(edges)]
    return NoteGraph.build([NoteRecord(id=name, path=name, title=name) for name in names], rows)


def test_the_middle_of_a_path_lies_on_its_only_way(make: Any) -> None:
    found = betweenness(make("a>b b>c"))
    assert found.method == "exact"
    assert found.values == {"a": 0, "b": 0.5, "c": 0}


def test_two_equal_ways_share(make: Any) -> None:
    found = betweenness(make("a>b a>c b>d c>d")).values
    assert found == {"a": 0, "b": pytest.approx(0.5 / 6), "c": pytest.approx(0.5 / 6), "d": 0}


@pytest.mark.parametrize("seed", range(5))
def test_a_sample_of_all_notes_is_exact(seed: int) -> None:
    graph = chance_graph(60, 150, seed)
    sampled = betweenness(graph, exact_up_to=0, pivots=60)
    assert sampled.method == "sampled from 60 of 60 notes, seed 0"
    assert sampled.values == pytest.approx(betweenness(graph).values)


def test_a_sample_is_said_repeatable_and_depends_on_its_seed() -> None:
    graph = chance_graph(60, 150, 9)
    one, two, other = (betweenness(graph, exact_up_to=59, pivots=20, seed=seed) for seed in (3, 3, 4))
    assert one == two
    assert one.values != other.values
    assert one.method == "sampled from 20 of 60 notes, seed 3"


@pytest.mark.parametrize(
    ("text", "extra", "reason"),
    [("", "", "no notes"), ("", "a b", "no edges"), ("a>a", "", "no edges"), ("a~b", "", "no edges")],
)
def test_without_written_links_there_is_none(make: Any, text: str, extra: str, reason: str) -> None:
    assert betweenness(make(text, extra)).skipped == reason


def test_two_notes_have_nothing_between_them(make: Any) -> None:
    assert betweenness(make("a>b")).values == {"a": 0, "b": 0}
    assert betweenness(make("a>b"), exact_up_to=0).values == {"a": 0, "b": 0}
