"""The five spaces and their formulas."""

from __future__ import annotations

import datetime

import pytest

from aries_kernel.contracts import Intent, NoteView, Period
from aries_kernel.testing.rankings import ask, bakery
from ori_signal_spaces.spaces import nearness, recency, space_values, tie_to_communities
from ori_signal_spaces.weights import TYPES, WEIGHTS, type_fit

TODAY = datetime.date(2024, 6, 1)


@pytest.mark.parametrize("intent", Intent)
def test_every_space_tells_notes_of_a_normal_vault_apart(intent: Intent) -> None:
    """G.5-62: a constant space is a placeholder."""
    corpus, question = bakery(), ask("rye bread oven", intent=intent)
    values = space_values(question, corpus, corpus.rank_words(question.words, 100))
    assert {space: len(set(known.values())) > 1 for space, known in values.items()} == dict.fromkeys(
        ("recency", "vitality", "importance", "type", "community"), True
    )


def test_weights_are_those_of_the_reference_and_leave_the_rest_to_the_text() -> None:
    shares = {intent: pytest.approx(1 - sum(weights.values())) for intent, weights in WEIGHTS.items()}
    assert shares == {Intent.EPISODIC: 0.40, Intent.PROCEDURAL: 0.30, Intent.SEMANTIC: 0.65, Intent.DECISION: 0.30}
    assert set(WEIGHTS) == set(TYPES) == set(Intent)


def test_recency_is_counted_from_the_notes_own_dates() -> None:
    """G.5-63: not from when it was indexed."""
    month_old, day_old = TODAY - datetime.timedelta(days=30), TODAY - datetime.timedelta(days=1)
    assert recency(NoteView("i", "p", "t", created=month_old), None, TODAY) == 1 / 2
    assert recency(NoteView("i", "p", "t", created=month_old, modified=day_old), None, TODAY) == pytest.approx(30 / 31)
    assert recency(NoteView("i", "p", "t", created=TODAY + datetime.timedelta(days=9)), None, TODAY) == 1
    assert recency(NoteView("i", "p", "t"), None, TODAY) is None


def test_recency_is_nearness_to_the_period_that_the_question_names() -> None:
    period = Period(datetime.date(2020, 1, 1), datetime.date(2020, 1, 31), "in January 2020")
    inside, after = datetime.date(2020, 1, 15), datetime.date(2020, 3, 1)
    assert recency(NoteView("i", "p", "t", created=inside, modified=TODAY), period, TODAY) == 1
    assert recency(NoteView("i", "p", "t", modified=after), period, TODAY) == 1 / 2


def test_years_later_there_still_is_a_difference() -> None:
    assert nearness(700) > 1.3 * nearness(1000) > 0.02


def test_a_type_fits_by_its_cosine() -> None:
    assert type_fit(Intent.DECISION, "Decision") == 1
    assert type_fit(Intent.PROCEDURAL, "learning") == pytest.approx(0.7 / 0.58**0.5)
    assert type_fit(Intent.SEMANTIC, "recipe") == 0


def test_a_community_weighs_the_squares_of_its_best_matches() -> None:
    matches = {note: float(score) for note, score in enumerate(range(12, 0, -1))}
    communities = {0: 1, 1: 2, 2: 2, 11: 3, 10: 1}
    # The eleventh has 2: above it 12, 11 and 10 stand by 10, 9 and 8.
    most = 9**2 + 8**2
    assert tie_to_communities(matches, communities) == {0: 100 / most, 1: 1, 2: 1, 11: 0, 10: 100 / most}
    assert tie_to_communities({}, {}) == tie_to_communities({1: 0.0}, {1: 1}) == {}
