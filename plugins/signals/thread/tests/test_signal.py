"""The signal `thread`."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from aries_kernel.contracts import Scores, SignalFactory, Skipped
from aries_kernel.testing.corpora import FakeCorpus, FakeNote
from aries_kernel.testing.rankings import RankingCase, ask, rank
from aries_kernel.testing.signal_suite import SignalSuite
from ori_signal_thread.signal import Options, Thread

CORPUS = FakeCorpus(
    (
        FakeNote("a1", "Anna: I bake bread.", thread="a"),
        FakeNote("a2", "Ben: I eat bread.", thread="a"),
        FakeNote("a3", "Anna: and cake.", thread="a"),
        FakeNote("b1", "Anna: the bread is out.", thread="b"),
        FakeNote("b2", "Anna: rain again.", thread="b"),
        FakeNote("Alone", "Bread: a history."),
    )
)


class TestThread(SignalSuite):
    @pytest.fixture
    def factory(self) -> SignalFactory:
        return Thread

    @pytest.fixture
    def case(self) -> RankingCase:
        return RankingCase(ask("what does ben eat"), CORPUS, rank(CORPUS, {"a1": 1.0, "a2": 0.95}))


def said(found: Mapping[str, float], text: str = "bread", options: Options | None = None) -> dict[str, float]:
    numbers = {CORPUS.number(title): value for title, value in found.items()}
    scores = Thread(options or Options()).score(ask(text), CORPUS, numbers)
    assert isinstance(scores, Scores), scores
    assert scores.confidence == 1.0 and scores.surest == ()
    return {CORPUS.titles([note])[0]: value for note, value in scores.scores.items()}


ONLY_SPEAKERS = Options(session=0.0)
ONLY_SESSIONS = Options(speaker=0.0, speaker_share=0.0)


class TestSpeakers:
    def test_lines_of_the_one_who_is_named_gain(self) -> None:
        scores = said({"a1": 1.0, "a2": 0.9}, "what does ben eat", ONLY_SPEAKERS)
        assert scores == pytest.approx({"a2": 1.0, "a1": 1.0 / (0.9 * 1.4 + 0.1)})

    def test_a_line_that_fits_gains_more_by_who_says_it_than_one_that_hardly_does(self) -> None:
        scores = said({"a1": 1.0, "a2": 0.62}, "what does ben eat", ONLY_SPEAKERS)
        assert scores["a1"] > scores["a2"]
        scores = said({"a1": 1.0, "a2": 0.66}, "what does ben eat", ONLY_SPEAKERS)
        assert scores["a2"] > scores["a1"]
        by_share_only = said({"a1": 0.0, "a2": 0.0, "b1": 1.0}, "ben", Options(0.0, 0.4, 0.0))
        assert by_share_only["a2"] == by_share_only["a1"]

    def test_where_two_are_named_neither_gains(self) -> None:
        assert said({"a1": 1.0, "a2": 0.9}, "what do anna and ben eat", ONLY_SPEAKERS) == {"a1": 1.0, "a2": 0.9}

    def test_where_nobody_is_named_nobody_gains(self) -> None:
        assert said({"a1": 1.0, "a2": 0.9}, "bread", ONLY_SPEAKERS) == {"a1": 1.0, "a2": 0.9}

    def test_a_colon_outside_a_talk_makes_no_speaker(self) -> None:
        assert said({"Alone": 0.9, "a1": 1.0}, "bread", ONLY_SPEAKERS) == {"Alone": 0.9, "a1": 1.0}


class TestSessions:
    def test_a_line_gains_from_a_session_that_fits_as_a_whole(self) -> None:
        # Session a: (0.8 + 0.8 + 0.8) / 3, session b: 0.8 / 3.
        scores = said({"b1": 0.8, "a1": 0.8, "a2": 0.8, "a3": 0.8}, options=ONLY_SESSIONS)
        assert scores == pytest.approx({"a1": 1.0, "a2": 1.0, "a3": 1.0, "b1": 0.9 / 1.1})

    def test_a_note_of_no_session_gains_nothing(self) -> None:
        assert said({"Alone": 1.0, "a1": 1.0}, options=ONLY_SESSIONS) == pytest.approx({"a1": 1.0, "Alone": 1 / 1.3})

    def test_many_poor_lines_do_not_make_a_session(self) -> None:
        scores = said({"b1": 0.9, "b2": 0.0, "a1": 0.1, "a2": 0.1, "a3": 0.1}, options=ONLY_SESSIONS)
        assert scores["b1"] == 1.0 and scores["a1"] < 0.3


def test_every_note_that_was_found_is_kept_and_no_other_comes_in() -> None:
    assert said({"Alone": 0.1, "a1": 0.2}).keys() == {"Alone", "a1"}


def test_where_nothing_found_belongs_to_a_talk_it_says_so() -> None:
    said = Thread(Options()).score(ask("bread"), CORPUS, {CORPUS.number("Alone"): 1.0})
    assert said == Skipped("no note found belongs to a talk or a session")


def test_finds_without_a_score_fit_nothing() -> None:
    said = Thread(Options(speaker=0.0)).score(ask("bread"), CORPUS, {CORPUS.number("a1"): 0.0})
    assert said == Skipped("nothing fits")


@pytest.mark.parametrize("value", [-0.1, float("inf"), float("nan")])
def test_a_setting_that_would_turn_the_order_round_is_refused(value: float) -> None:
    with pytest.raises(ValueError, match="speaker_share"):
        Options(speaker_share=value)
