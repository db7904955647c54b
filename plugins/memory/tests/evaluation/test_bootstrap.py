"""Intervals: repeatable, paired, and as wide as the data are uncertain."""

from __future__ import annotations

import pytest

from ori_memory.evaluation.bootstrap import Estimate, estimate

ROWS = [(float(number % 2), number / 40) for number in range(40)]


def test_the_same_seed_gives_the_same_interval_and_another_one_another() -> None:
    assert estimate(ROWS, 7) == estimate(ROWS, 7)
    assert estimate(ROWS, 7) != estimate(ROWS, 8)


def test_the_mean_is_that_of_the_rows_and_lies_inside() -> None:
    first, second = estimate(ROWS, 0)
    assert (first.mean, second.mean) == (0.5, 0.4875)
    assert first.low < 0.5 < first.high
    # The standard error of 40 coins is .079; a percentile interval is about twice that on each side.
    assert first.low == pytest.approx(0.5 - 1.96 * 0.079, abs=0.03)
    assert first.high == pytest.approx(0.5 + 1.96 * 0.079, abs=0.03)


def test_no_difference_between_questions_means_no_width() -> None:
    assert estimate([(0.25,)] * 9, 0) == (Estimate(0.25, 0.25, 0.25),)


def test_a_column_does_not_depend_on_its_neighbours() -> None:
    assert estimate([row[:1] for row in ROWS], 3)[0] == estimate(ROWS, 3)[0]


def test_no_rows_are_an_error() -> None:
    with pytest.raises(ValueError, match="nothing"):
        estimate([], 0)
