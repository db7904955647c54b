"""Betweenness of graphs that are too large for all ways between all files."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aries_body.graph.files import FileGraph, Tie
from aries_body.graph.ranking import betweenness, ranked
from aries_body.graph.sampling import estimated_betweenness

PAIRS = st.tuples(st.integers(0, 9), st.integers(0, 9)).filter(lambda pair: pair[0] != pair[1])


def graph_of(pairs: set[tuple[int, int]], count: int) -> FileGraph:
    ties = {pair: Tie({"import": 1}, {}, 1.0) for pair in sorted(pairs)}
    return FileGraph.from_ties(tuple(f"f{number:05}" for number in range(count)), ties, frozenset())


@given(pairs=st.sets(PAIRS, min_size=1, max_size=40))
def test_ways_from_every_file_give_the_exact_figures(pairs: set[tuple[int, int]]) -> None:
    graph = graph_of(pairs, 10)
    assert estimated_betweenness(10, graph.outgoing, 10).values == pytest.approx(list(betweenness(graph).values))


def test_of_a_large_graph_the_files_between_are_found_and_the_error_is_told() -> None:
    # Half of 21,000 files use one that uses another, which uses the other half.
    users = {(number, 0) for number in range(2, 10_500)}
    used = {(1, number) for number in range(10_500, 21_000)}
    graph = graph_of({(0, 1)} | users | used, 21_000)
    ranks = betweenness(graph)
    assert {number for number, _ in ranked(graph, ranks, demoted=False)[:2]} == {0, 1}
    exact = 10_498 * 10_500 / (20_999 * 20_998)
    error = float(ranks.note.rpartition(" ")[2])
    assert "estimated from ways that begin in 200 of 21,000 files" in ranks.note
    assert abs(ranks.values[1] - exact) < 4 * error
    assert betweenness(graph).values == ranks.values
