"""The signal `warmth`."""

from __future__ import annotations

import pytest

from aries_kernel.contracts import Scores, SignalFactory, Skipped
from aries_kernel.testing.corpora import FakeCorpus, FakeNote
from aries_kernel.testing.rankings import RankingCase, ask, rank
from aries_kernel.testing.signal_suite import SignalSuite
from ori_signal_warmth.signal import Warmth, WarmthOptions

CORPUS = FakeCorpus(
    (
        FakeNote("Rye", "bread of rye"),
        FakeNote("Wheat", "bread of wheat", boost=0.3),
        FakeNote("Car", "not a word of it", boost=0.9),
    )
)


class TestWarmth(SignalSuite):
    @pytest.fixture
    def factory(self) -> SignalFactory:
        return Warmth

    @pytest.fixture
    def case(self) -> RankingCase:
        return RankingCase(ask("bread"), CORPUS, rank(CORPUS, ["Rye", "Wheat"]))


def said(corpus: FakeCorpus, text: str = "bread") -> Scores | Skipped:
    return Warmth(WarmthOptions()).score(ask(text), corpus, {})


def test_a_faint_warmth_stays_faint_and_cold_notes_are_left_out() -> None:
    faint = FakeCorpus((FakeNote("a", boost=0.02), FakeNote("b", boost=0.01), FakeNote("c")))
    assert said(faint) == Scores({faint.number("a"): 0.02, faint.number("b"): 0.01}, 0.25)


def test_where_nothing_is_warm_it_says_so() -> None:
    assert said(CORPUS.with_notes(boost=0.0)) == said(FakeCorpus()) == Skipped("no note is warm")


def test_a_warm_note_that_does_not_fit_stays_below_those_that_do() -> None:
    words, warmth = CORPUS.rank_words(["bread"], 9), said(CORPUS)
    assert isinstance(warmth, Scores)
    best = max(words.values())
    votes = {
        note: words.get(note, 0.0) / best + warmth.confidence * warmth.scores.get(note, 0.0)
        for note in words.keys() | warmth.scores.keys()
    }
    assert CORPUS.titles(sorted(votes, key=lambda note: -votes[note])) == ["Wheat", "Rye", "Car"]


def test_it_leaves_an_order_alone_whose_notes_are_cold() -> None:
    warmth = said(CORPUS)
    assert isinstance(warmth, Scores)
    assert CORPUS.number("Rye") not in warmth.scores


def test_the_status_of_a_note_decides_nothing() -> None:
    assert said(CORPUS.with_notes(status="archived")) == said(CORPUS)
