"""Places: repeatable, apart, neighbours near."""

from __future__ import annotations

import itertools
import math

from hypothesis import given, settings
from hypothesis import strategies as st

from ori_memory.graph.layout import laid_out


def test_no_notes_no_places_and_one_stands_in_the_middle() -> None:
    assert laid_out([], [], [], []) == []
    assert laid_out([], [], [-1], [3.0]) == [(0.0, 0.0)]


def test_linked_communities_stand_apart_and_lone_notes_around_them() -> None:
    pairs = [(a, b) for start in (0, 6) for a, b in itertools.combinations(range(start, start + 6), 2)] + [(0, 6)]
    groups = [0] * 6 + [1] * 6 + [-1] * 5
    places = laid_out(pairs, [1.0] * len(pairs), groups, [3.0] * 17)

    def mean(pairs: list[tuple[int, int]]) -> float:
        return sum(math.dist(places[a], places[b]) for a, b in pairs) / len(pairs)

    within = mean([pair for pair in pairs if pair != (0, 6)])
    across = mean([(a, b) for a in range(6) for b in range(6, 12)])
    assert across > 1.5 * within
    assert min(math.hypot(*place) for place in places[12:]) > max(math.hypot(*place) for place in places[:12])


@settings(deadline=None, max_examples=15)
@given(st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11)).filter(lambda pair: pair[0] < pair[1]), unique=True))
def test_any_graph_gets_finite_places_of_reasonable_size_twice_the_same(pairs: list[tuple[int, int]]) -> None:
    linked = {number for pair in pairs for number in pair}
    groups = [number % 2 if number in linked else -1 for number in range(12)]
    places = laid_out(pairs, [1.0] * len(pairs), groups, [4.0] * 12)
    assert all(math.isfinite(value) and abs(value) < 5_000 for place in places for value in place)
    assert all(math.dist(one, other) > 1 for one, other in itertools.combinations(places, 2))
    assert places == laid_out(pairs, [1.0] * len(pairs), groups, [4.0] * 12)
