"""The signal `time`."""

from __future__ import annotations

import datetime

import pytest

from aries_kernel.contracts import Period, Scores, SignalFactory, Skipped
from aries_kernel.testing.corpora import FakeCorpus, FakeNote
from aries_kernel.testing.rankings import RankingCase, ask, rank
from aries_kernel.testing.signal_suite import SignalSuite
from ori_signal_time.signal import Time, TimeOptions

MAY = Period(datetime.date(2024, 5, 1), datetime.date(2024, 5, 31), "in May")
CORPUS = FakeCorpus(
    (
        FakeNote("March", "walked with Anna", created=datetime.date(2024, 3, 1), importance=0.5),
        FakeNote("2024-05-03", "walked with Ben", importance=0.5),
        FakeNote("Last", "walked alone", created=datetime.date(2024, 6, 7), importance=0.5),
        FakeNote("Undated", "walked with Anna", importance=0.5),
        FakeNote("Tax", "paid", created=datetime.date(2024, 5, 4), importance=0.5),
    )
)


class TestTime(SignalSuite):
    @pytest.fixture
    def factory(self) -> SignalFactory:
        return Time

    @pytest.fixture
    def case(self) -> RankingCase:
        return RankingCase(ask("walked in May", period=MAY), CORPUS, rank(CORPUS, ["March", "2024-05-03"]))


def said(text: str, period: Period | None = MAY, **options: float) -> Scores | Skipped:
    return Time(TimeOptions(**options)).score(ask(text, period=period), CORPUS, {})


def test_a_question_that_names_no_time_is_left_alone() -> None:
    assert said("walked", period=None) == Skipped("the question names no time")


def test_notes_of_the_period_score_1_near_ones_less_and_undated_ones_nothing() -> None:
    last = CORPUS.number("Last")
    scores = {CORPUS.number("2024-05-03"): 1.0, last: 0.5, CORPUS.number("Tax"): 1.0}
    found, sharper = said("walked in May"), said("walked in May", half_life_days=3.5)
    assert isinstance(found, Scores) and found.scores == scores
    assert isinstance(sharper, Scores) and sharper.scores == scores | {last: 0.25}


def test_a_note_that_was_only_changed_then_counts_less_than_one_of_then() -> None:
    day = datetime.date(2024, 5, 3)
    notes = (FakeNote("Said", "walked", created=day), FakeNote("Changed", "walked", modified=day))
    corpus = FakeCorpus(notes)
    given = Time(TimeOptions()).score(ask("walked then", period=Period(day, day, "then")), corpus, {})
    assert isinstance(given, Scores)
    assert given.scores == {corpus.number("Said"): 1.0, corpus.number("Changed"): 0.5}


def test_of_other_days_only_notes_that_match_what_else_is_asked_are_scored() -> None:
    given = said("paid in May")
    assert isinstance(given, Scores)
    assert CORPUS.titles(given.scores) == ["Tax"]


def test_the_notes_of_a_day_that_is_named_need_no_word_of_the_question_and_the_next_days_count_less() -> None:
    day = datetime.date
    notes = [FakeNote(f"Talk {n}", "we talked of cake", created=day(2024, 5, n)) for n in (3, 5)]
    corpus = FakeCorpus((*notes, FakeNote("Walk", "along the river", created=day(2024, 5, 4))))
    asked = ask("which cake on May 4", period=Period(day(2024, 5, 4), day(2024, 5, 4), "May 4"))
    given = Time(TimeOptions()).score(asked, corpus, {})
    assert isinstance(given, Scores)
    assert given.scores == {corpus.number("Walk"): 1.0, corpus.number("Talk 3"): 0.5, corpus.number("Talk 5"): 0.5}


def test_words_that_may_mean_no_days_are_trusted_less() -> None:
    day = datetime.date(2024, 5, 3)
    sure, loose = (
        Time(TimeOptions()).score(ask("walked", period=one), CORPUS, {})
        for one in (Period(day, day, "then"), Period(day, day, "then", is_loose=True))
    )
    assert isinstance(sure, Scores) and isinstance(loose, Scores)
    assert loose.scores == sure.scores and 0 < loose.confidence < sure.confidence


def test_a_day_is_trusted_more_than_a_week_and_a_week_more_than_a_month() -> None:
    def trust(first: int, last: int) -> float:
        found = said("walked then", Period(datetime.date(2024, 5, first), datetime.date(2024, 5, last), "then"))
        assert isinstance(found, Scores)
        return found.confidence

    assert trust(3, 3) > trust(1, 7) > trust(1, 31) > 0


def test_where_nothing_but_the_time_is_asked_all_its_notes_are_found() -> None:
    given = said("what in May?")
    assert isinstance(given, Scores)
    assert sorted(CORPUS.titles(given.scores)) == ["2024-05-03", "Last", "Tax"]


def test_a_period_without_notes_is_told_with_its_days() -> None:
    long_ago = Period(datetime.date(1999, 1, 1), datetime.date(1999, 12, 31), "in 1999")
    assert said("walked in 1999", long_ago) == Skipped("no note that matches is of 1999-01-01..1999-12-31, or near it")
    before = Period(datetime.date.min, datetime.date(1999, 12, 31), "before 2000")
    assert said("walked before 2000", before) == Skipped("no note that matches is of ..1999-12-31, or near it")


def test_the_status_of_a_note_decides_nothing() -> None:
    question = ask("walked in May", period=MAY)
    assert Time(TimeOptions()).score(question, CORPUS.with_notes(status="archived"), {}) == said("walked in May")


def test_a_half_life_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="half_life_days"):
        TimeOptions(half_life_days=0)


def test_what_is_asked_of_any_days_needs_no_word_in_a_note() -> None:
    found = said("what did we decide in May")
    assert isinstance(found, Scores)
    assert {CORPUS.number("2024-05-03"), CORPUS.number("Tax")} <= {n for n, s in found.scores.items() if s == 1.0}
    beside = said("walked in May")
    assert isinstance(beside, Scores) and found.confidence > beside.confidence


def newest(text: str, said: str, corpus: FakeCorpus = CORPUS) -> Scores | Skipped:
    return Time(TimeOptions()).score(ask(text, newest=said), corpus, {})


def test_asked_for_the_newest_the_newer_of_the_notes_that_fit_score_more() -> None:
    scores = {"Last": 1.0, "2024-05-03": 0.5, "March": 0.25}
    given = newest("walked", "latest")
    assert isinstance(given, Scores)
    assert given.scores == {CORPUS.number(title): score for title, score in scores.items()}


def test_a_newer_note_that_fits_badly_does_not_count_as_the_newest() -> None:
    day = datetime.date
    notes = (
        FakeNote("Tea", "green tea is brewed at eighty degrees", created=day(2024, 1, 1)),
        FakeNote("Tea again", "green tea is brewed at seventy degrees", created=day(2025, 1, 1)),
        FakeNote("Party", "there was tea", created=day(2026, 1, 1)),
    )
    given = newest("green tea brewed degrees", "latest", FakeCorpus(notes))
    assert isinstance(given, Scores)
    numbers = FakeCorpus(notes).number
    assert given.scores == {numbers("Tea again"): 1.0, numbers("Tea"): 0.5}


@pytest.mark.parametrize("text", ["tax", "nonsense"])
def test_without_two_days_to_choose_from_nothing_is_said(text: str) -> None:
    assert newest(text, "latest") == Skipped("no two notes that match are of different days")
