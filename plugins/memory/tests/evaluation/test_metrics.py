"""Metrics against figures worked out by hand."""

from __future__ import annotations

import math

import pytest

from ori_memory.evaluation.metrics import METRICS, measure


def named(ranked: list[str], gold: list[str]) -> dict[str, float]:
    return dict(zip(METRICS, measure(ranked, gold), strict=True))


def test_one_gold_in_third_place() -> None:
    assert named(["a", "b", "g"], ["g"]) == pytest.approx(
        {"recall@1": 0, "recall@5": 1, "recall@10": 1, "all@5": 1, "mrr@10": 1 / 3, "ndcg@10": 1 / math.log2(4)}
    )


def test_two_gold_one_within_five_and_one_within_ten() -> None:
    ranked = ["g1", "a", "b", "c", "d", "e", "g2"]
    ideal = 1 + 1 / math.log2(3)
    assert named(ranked, ["g1", "g2"]) == pytest.approx(
        {
            "recall@1": 0.5,
            "recall@5": 0.5,
            "recall@10": 1,
            "all@5": 0,
            "mrr@10": 1,
            "ndcg@10": (1 + 1 / math.log2(8)) / ideal,
        }
    )


def test_an_eleventh_place_counts_for_nothing() -> None:
    assert measure([*"0123456789", "g"], ["g"]) == (0, 0, 0, 0, 0, 0)


def test_nothing_found_is_nothing() -> None:
    assert measure([], ["g"]) == (0, 0, 0, 0, 0, 0)


def test_more_gold_than_places_can_still_be_perfect_in_gain() -> None:
    gold = [f"g{number}" for number in range(12)]
    found = named(gold, gold)
    assert (found["ndcg@10"], found["mrr@10"], found["all@5"]) == (1, 1, 0)
    assert found["recall@5"] == pytest.approx(5 / 12)


def test_a_note_that_is_ranked_twice_counts_once_and_takes_one_place() -> None:
    assert measure(["g1", "g1", "g1", "g1", "g1", "g2"], ["g1", "g2"]) == measure(["g1", "g2"], ["g1", "g2"])
