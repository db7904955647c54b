"""Spreading activation and its decay, computed by hand (spec C.3)."""

from __future__ import annotations

import datetime
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ori_memory.graph.activation import Boost, combined_boost, decay_rate, decayed_boost, merged_boost, spread
from ori_memory.vault.config import Activation

NOW = datetime.datetime(2026, 3, 1, tzinfo=datetime.UTC)
LINE = {"a": ["b"], "b": ["a", "c"], "c": ["b", "d"], "d": ["c"]}


def test_two_hops_each_weaker_and_the_source_gets_nothing() -> None:
    assert spread(LINE, {"a": 1.0}) == {"b": pytest.approx(0.6), "c": pytest.approx(0.36)}


def test_several_sources_add_up_and_warm_each_other() -> None:
    found = spread(LINE, {"a": 1.0, "b": 0.5})
    assert found == {
        "a": pytest.approx(0.3),
        "b": pytest.approx(0.6),
        "c": pytest.approx(0.66),
        "d": pytest.approx(0.18),
    }


def test_a_note_is_reached_by_the_shortest_way_once() -> None:
    ring = {"a": ["b", "c"], "b": ["a", "c"], "c": ["a", "b"]}
    assert spread(ring, {"a": 1.0}) == {"b": pytest.approx(0.6), "c": pytest.approx(0.6)}


@pytest.mark.parametrize(("links", "warm"), [(60, 60), (61, 0)])
def test_a_hub_passes_nothing_on(links: int, warm: int) -> None:
    around = [f"n{number}" for number in range(links)]
    star = {"hub": around, **{note: ["hub", "a"] if note == "n0" else ["hub"] for note in around}, "a": ["n0"]}
    assert len(spread(star, {"hub": 1.0}).keys() - {"a"}) == warm
    # Through it: n0 and the hub are two hops away, what is behind the hub would be three.
    assert spread(star, {"n0": 1.0}).keys() == {"hub", "a", *(around[1:] if warm else ())}


def test_boosts_below_a_hundredth_are_dropped() -> None:
    assert spread(LINE, {"a": 0.02}) == {"b": pytest.approx(0.012)}
    assert spread(LINE, {"a": 0.016}) == {}


def test_no_sources_unknown_sources_and_no_links_spread_nothing() -> None:
    assert spread(LINE, {}) == spread(LINE, {"nobody": 1.0}) == spread({}, {"a": 1.0}) == {}


def test_settings_are_used() -> None:
    settings = Activation(damping=0.5, max_hops=3, min_boost=0.2)
    assert spread(LINE, {"a": 1.0}, settings) == {"b": 0.5, "c": 0.25}


def test_use_slows_decay_from_a_week_to_a_month() -> None:
    assert decay_rate(0, 0) == 0.1
    assert decay_rate(5, 3) == pytest.approx(0.1 / (1 + 0.2 * math.log(6) + 0.3 * math.log(4)))
    assert math.log(2) / decay_rate(0, 0) == pytest.approx(6.93, abs=0.01)


def test_first_decay_then_merge() -> None:
    first = merged_boost(None, 0.5, "s1", NOW)
    assert first == Boost(0.05, NOW, 1, ("s1",))
    later = NOW + datetime.timedelta(days=7)
    second = merged_boost(first, 0.02, "s2", later)
    left = 0.05 * math.exp(-7 * decay_rate(1, 1))
    assert second == Boost(pytest.approx(1 - (1 - left) * 0.98), later, 2, ("s1", "s2"))


def test_the_last_twenty_sessions_are_kept_and_a_session_counts_once() -> None:
    boost = merged_boost(None, 0.05, "s0", NOW)
    for number in range(1, 30):
        boost = merged_boost(boost, 0.05, f"s{number}", NOW)
    assert boost.sessions == tuple(f"s{number}" for number in range(10, 30))
    assert merged_boost(boost, 0.05, "s15", NOW).sessions[-1] == "s15"
    assert len(merged_boost(boost, 0.05, "s15", NOW).sessions) == 20


def test_what_has_gone_cold_is_0_and_a_clock_that_went_back_adds_nothing() -> None:
    boost = Boost(0.05, NOW)
    assert decayed_boost(boost, NOW + datetime.timedelta(days=40)) == 0
    assert decayed_boost(boost, NOW - datetime.timedelta(days=40)) == 0.05


def test_parts_from_two_machines_merge_like_contributions() -> None:
    assert combined_boost([(0.05, NOW, 0, 0), (0.04, NOW, 0, 0)], NOW) == pytest.approx(1 - 0.95 * 0.96)
    assert combined_boost([], NOW) == 0


@given(st.lists(st.tuples(st.floats(-1, 2), st.integers(0, 400)), max_size=60))
def test_a_boost_stays_within_0_and_1(steps: list[tuple[float, int]]) -> None:
    boost, now = None, NOW
    for contribution, hours in steps:
        now += datetime.timedelta(hours=hours)
        boost = merged_boost(boost, contribution, "s", now)
        assert 0 <= boost.value <= 1
