"""The signal `spaces`."""

from __future__ import annotations

import datetime

import pytest

from aries_kernel.contracts import Intent, Scores, SignalFactory, Skipped
from aries_kernel.testing.corpora import FakeCorpus, FakeNote
from aries_kernel.testing.rankings import RankingCase, ask, bakery, rank
from aries_kernel.testing.signal_suite import SignalSuite
from ori_signal_spaces.signal import Spaces, SpacesOptions

CORPUS = FakeCorpus(
    (
        FakeNote("Idea", "bread of rye", type="idea", vitality=0.2, importance=1.0),
        FakeNote("Decision", "bread of wheat", type="decision", vitality=0.6, importance=0.5),
        FakeNote("Unknown", "bread of oats"),
        FakeNote("Car", "another matter", type="decision", vitality=1.0, importance=1.0),
    )
)


class TestSpaces(SignalSuite):
    @pytest.fixture
    def factory(self) -> SignalFactory:
        return Spaces

    @pytest.fixture
    def case(self) -> RankingCase:
        question = ask("why bread", intent=Intent.DECISION)
        return RankingCase(question, CORPUS, rank(CORPUS, ["Idea", "Decision"]))


def said(corpus: FakeCorpus, intent: Intent = Intent.DECISION) -> Scores | Skipped:
    return Spaces(SpacesOptions()).score(ask("bread", intent=intent), corpus, {})


def test_scores_are_means_by_the_weights_of_the_question_and_an_unknown_note_is_an_average_one() -> None:
    given = said(CORPUS)
    assert isinstance(given, Scores)
    weights = 0.10 + 0.10 + 0.30  # vitality, importance, type
    assert given.scores == {
        CORPUS.number("Idea"): pytest.approx((0.10 * 0.2 + 0.10 * 1.0 + 0.30 * 0) / weights),
        CORPUS.number("Decision"): pytest.approx((0.10 * 0.6 + 0.10 * 0.5 + 0.30 * 1) / weights),
        CORPUS.number("Unknown"): pytest.approx((0.10 * 0.4 + 0.10 * 0.75 + 0.30 * 0.5) / weights),
    }
    assert given.confidence == pytest.approx(weights)


def test_spaces_that_tell_no_notes_apart_are_left_out_and_named() -> None:
    """G.5-69: a flat vitality does not take part."""
    given = said(CORPUS.with_notes(vitality=0.25))
    assert isinstance(given, Scores)
    assert given.notice == "tells no notes apart here: recency, vitality, community"
    assert given.confidence == pytest.approx(0.40)


def test_a_bare_vault_is_left_alone() -> None:
    bare = FakeCorpus((FakeNote("a", "bread"), FakeNote("b", "bread")))
    assert said(bare) == Skipped("the notes that match differ in nothing but their text")
    assert said(FakeCorpus()) == Skipped("no note holds a word of the question")


def test_the_text_keeps_the_greater_part_of_a_plain_question() -> None:
    given = Spaces(SpacesOptions()).score(ask("rye bread oven"), bakery(), {})
    assert isinstance(given, Scores) and given.notice == ""
    assert given.confidence == pytest.approx(0.35)


def test_the_newer_of_two_notes_scores_higher_when_it_is_asked_what_happened() -> None:
    day = datetime.date
    corpus = FakeCorpus(
        (FakeNote("Old", "bread", created=day(2020, 1, 1)), FakeNote("New", "bread", created=day(2024, 5, 1)))
    )
    given = said(corpus, Intent.EPISODIC)
    assert isinstance(given, Scores)
    assert given.scores[corpus.number("New")] > given.scores[corpus.number("Old")]


def test_the_status_of_a_note_decides_nothing() -> None:
    """G.5-70: nobody keeps it."""
    assert said(CORPUS.with_notes(status="archived")) == said(CORPUS)
