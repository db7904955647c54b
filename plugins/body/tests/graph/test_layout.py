"""Where files stand in the picture."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from aries_body.graph.layout import laid_out

GROUPS = st.lists(st.integers(-1, 4), min_size=1, max_size=40)


@given(GROUPS)
def test_every_file_has_a_place_of_its_own_and_the_same_each_time(groups: list[int]) -> None:
    count = len(groups)
    weights = {(n, m): 1.0 for n in range(count) for m in range(n + 1, count) if (n * 7 + m) % 5 == 0}
    weights = {pair: weight for pair, weight in weights.items() if groups[pair[0]] >= 0 <= groups[pair[1]]}
    places = laid_out(weights, groups)
    assert places == laid_out(weights, groups)
    assert all(math.isfinite(x) and math.isfinite(y) for x, y in places)
    assert len({(round(x, 3), round(y, 3)) for x, y in places}) == count


def test_groups_are_discs_that_do_not_overlap_and_what_is_alone_stands_around_them() -> None:
    groups = [0] * 30 + [1] * 12 + [-1] * 5
    weights = {(n, n + 1): 1.0 for n in range(41) if n != 29} | {(3, 33): 2.0}
    places = laid_out(weights, groups)

    def middle(group: int) -> tuple[float, float]:
        mine = [place for place, own in zip(places, groups, strict=True) if own == group]
        return sum(x for x, _ in mine) / len(mine), sum(y for _, y in mine) / len(mine)

    for number, place in enumerate(places[:42]):
        own, other = middle(groups[number]), middle(1 - groups[number])
        assert math.dist(place, own) < math.dist(place, other)
    farthest = max(math.hypot(*place) for place in places[:42])
    assert all(math.hypot(*place) > farthest for place in places[42:])


def test_nothing_needs_no_place() -> None:
    assert laid_out({}, []) == []
