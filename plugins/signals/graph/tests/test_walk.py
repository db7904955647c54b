"""The walk against graphs solved by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ori_signal_graph.walk import walk

LONG = 200
Graph = dict[int, dict[int, float]]


def both_ways(*edges: tuple[int, int, float]) -> Graph:
    graph: Graph = {}
    for one, other, weight in edges:
        graph.setdefault(one, {})[other] = weight
        graph.setdefault(other, {})[one] = weight
    return graph


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
