"""The walk against graphs solved by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ori_signal_graph import walk as walking

LONG = 200
Graph = dict[int, dict[int, float]]


def both_ways(*edges: tuple[int, int, float]) -> Graph:
    graph: Graph = {}
    for one, other, weight in edges:
        graph.setdefault(one, {})[other] = weight
        graph.setdefault(other, {})[one] = weight
    return graph


def walk(graph: Graph, begin: dict[int, float], *, restart: float, steps: int, least: float = 0.0) -> dict[int, float]:
    return walking.walk(lambda node: graph.get(node, {}), begin, restart=restart, steps=steps, least=least)


def by_powers(graph: Graph, begin: dict[int, float], restart: float, steps: int) -> dict[int, float]:
    """The same as it stands in books: p' = (1 - restart) (W p + what has no way, at the beginning) + restart begin."""
    at = dict(begin)
    for _ in range(steps):
        after = dict.fromkeys({*graph, *begin}, 0.0)
        for node, share in at.items():
            total = sum(graph.get(node, {}).values())
            ways = {other: weight / total for other, weight in graph[node].items()} if total else begin
            for other, part in ways.items():
                after[other] += (1 - restart) * share * part
        for node, weight in begin.items():
            after[node] += restart * weight
        at = after
    return at


def test_a_star_has_the_shares_of_its_weights() -> None:
    # p1 = 1/2 + (p2 + p3)/2, p2 = p1/8, p3 = 3 p1/8
    graph = both_ways((1, 2, 1.0), (1, 3, 3.0))
    assert walk(graph, {1: 1.0}, restart=0.5, steps=LONG) == pytest.approx({1: 2 / 3, 2: 1 / 12, 3: 1 / 4})


def test_the_weights_of_the_beginning_are_kept() -> None:
    # p1 = a/2 + p2/2, p2 = b/2 + p1/2: p1 = (2a + b)/3
    graph = both_ways((1, 2, 1.0))
    assert walk(graph, {1: 0.9, 2: 0.1}, restart=0.5, steps=LONG) == pytest.approx({1: 1.9 / 3, 2: 1.1 / 3})
    assert walk(graph, {1: 0.1, 2: 0.9}, restart=0.5, steps=LONG) == pytest.approx({1: 1.1 / 3, 2: 1.9 / 3})


def test_what_stands_on_a_node_without_links_goes_back_to_the_beginning() -> None:
    # p9 = 1/4 + p9/4; p1 = 1/4 + p2/2 + p9/4; p2 = p1/2
    graph = both_ways((1, 2, 1.0))
    assert walk(graph, {1: 0.5, 9: 0.5}, restart=0.5, steps=LONG) == pytest.approx({9: 1 / 3, 1: 4 / 9, 2: 2 / 9})


def test_one_step_moves_what_does_not_go_back() -> None:
    graph = both_ways((1, 2, 1.0), (1, 3, 1.0))
    assert walk(graph, {1: 1.0}, restart=0.2, steps=1) == pytest.approx({1: 0.2, 2: 0.4, 3: 0.4})


def test_without_a_step_it_stays_where_it_begins() -> None:
    assert walk(both_ways((1, 2, 1.0)), {1: 0.25, 2: 0.75}, restart=0.5, steps=0) == {1: 0.25, 2: 0.75}


def test_an_end_of_a_chain_does_not_outrank_its_middle() -> None:
    graph = both_ways((1, 2, 1.0), (2, 3, 1.0))
    reached = walk(graph, {1: 1 / 3, 2: 1 / 3, 3: 1 / 3}, restart=0.3, steps=LONG)
    assert reached[2] > reached[1] == pytest.approx(reached[3])


NODES = st.integers(0, 7)
EDGES = st.lists(st.tuples(NODES, NODES, st.floats(0.01, 100)), max_size=20)


@given(EDGES, st.dictionaries(NODES, st.floats(0.01, 1), min_size=1), st.floats(0, 1), st.integers(0, 12))
def test_nothing_is_lost_on_any_graph_after_any_number_of_steps(
    edges: list[tuple[int, int, float]], weights: dict[int, float], restart: float, steps: int
) -> None:
    total = sum(weights.values())
    begin = {node: weight / total for node, weight in weights.items()}
    reached = walk(both_ways(*edges), begin, restart=restart, steps=steps)
    assert sum(reached.values()) == pytest.approx(1.0)
    assert all(share >= 0 for share in reached.values())
    wanted = by_powers(both_ways(*edges), begin, restart, steps)
    assert reached == pytest.approx({node: wanted[node] for node in reached}, abs=1e-12)


@given(EDGES, st.dictionaries(NODES, st.floats(0.01, 1), min_size=1), st.floats(0, 1), st.integers(0, 12))
def test_what_is_too_little_to_be_followed_stays_and_is_not_lost(
    edges: list[tuple[int, int, float]], weights: dict[int, float], restart: float, steps: int
) -> None:
    total, least = sum(weights.values()), 0.01
    begin = {node: weight / total for node, weight in weights.items()}
    reached = walk(both_ways(*edges), begin, restart=restart, steps=steps, least=least)
    assert sum(reached.values()) == pytest.approx(1.0)
    exact = walk(both_ways(*edges), begin, restart=restart, steps=steps)
    # Less than `least` stays behind on each of eight nodes, at each step.
    moved = sum(abs(reached.get(node, 0.0) - exact.get(node, 0.0)) for node in {*reached, *exact})
    assert moved <= 2 * least * 8 * max(1, steps)


def test_a_node_that_the_walk_does_not_come_to_is_not_looked_at() -> None:
    graph, seen = both_ways((1, 2, 1.0), (2, 3, 1.0), (3, 4, 1.0)), []

    def ways(node: int) -> dict[int, float]:
        seen.append(node)
        return graph[node]

    walking.walk(ways, {1: 1.0}, restart=0.5, steps=2, least=0.0)
    assert seen == [1, 2]
