"""The suites pass a signal and a stage that keep the contract and catch those that do not."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal

import pytest
from attrs import frozen

from aries_kernel.contracts.corpus import Corpus
from aries_kernel.contracts.retrieval import Found, Question, Scores, SignalFactory, Skipped, StageFactory
from aries_kernel.testing.corpora import FakeCorpus, FakeNote
from aries_kernel.testing.rankings import RankingCase, ask, bakery, hard_questions, rank
from aries_kernel.testing.signal_suite import SignalSuite
from aries_kernel.testing.stage_suite import StageSuite


@frozen
class Options:
    words: int = 50


class Length:
    """A small honest signal: long notes first."""

    name: ClassVar[str] = "length"
    description: ClassVar[str] = "Long notes first."
    role: ClassVar[Literal["vote", "ranker"]] = "vote"
    options_type: ClassVar[type[Any]] = Options

    def __init__(self, options: Options) -> None:
        self.words = options.words

    def score(self, question: Question, corpus: Corpus, found: Mapping[int, float]) -> Scores | Skipped:
        views = corpus.describe(corpus.rank_words(question.words, 100))
        if not views:
            return Skipped("no note holds a word")
        return Scores({note: min(1.0, view.words / self.words) for note, view in views.items()})


class Pinned:
    """A small honest stage: pinned notes first."""

    name: ClassVar[str] = "pinned"
    description: ClassVar[str] = "Pinned notes first."
    options_type: ClassVar[type[Any]] = Options

    def __init__(self, options: Options) -> None:
        pass

    def apply(self, question: Question, ranked: Sequence[Found], corpus: Corpus) -> Sequence[Found] | Skipped:
        views = corpus.describe([one.note for one in ranked])
        order = sorted(ranked, key=lambda one: not views[one.note].is_pinned)
        scores = [one.score for one in ranked]
        return [Found(one.note, score, one.mark) for one, score in zip(order, scores, strict=True)]


LENGTHS = FakeCorpus((FakeNote("Short", "bread"), FakeNote("Long", "bread " * 50)))
PINS = FakeCorpus((FakeNote("A"), FakeNote("B", is_pinned=True)))


class TestAnHonestSignal(SignalSuite):
    @pytest.fixture
    def factory(self) -> SignalFactory:
        return Length

    @pytest.fixture
    def case(self) -> RankingCase:
        return RankingCase(ask("bread"), LENGTHS, rank(LENGTHS, ["Short", "Long"]))


class TestAnHonestStage(StageSuite):
    @pytest.fixture
    def factory(self) -> StageFactory:
        return Pinned

    @pytest.fixture
    def case(self) -> RankingCase:
        return RankingCase(ask("anything"), PINS, rank(PINS, ["A", "B"]))


class _Says(Length):
    """Says whatever it is told to."""

    said: ClassVar[Scores | Skipped]

    def score(self, question: Question, corpus: Corpus, found: Mapping[int, float]) -> Scores | Skipped:
        return self.said


@pytest.mark.parametrize(
    "said",
    [
        Scores({PINS.number("A"): 1.5}),
        Scores({PINS.number("A"): float("nan")}),
        Scores({1: 0.5}),
        Scores({}, confidence=-1),
        Scores({}, surest=(1,)),
        Skipped(" "),
    ],
    ids=str,
)
def test_scores_that_nobody_can_use_are_caught(said: Scores | Skipped) -> None:
    _Says.said = said
    with pytest.raises(AssertionError):
        SignalSuite().test_any_question_to_any_vault_gives_scores_or_a_reason(
            _Says(Options()), ask("bread"), (FakeCorpus(), PINS)
        )


class _Follower(Length):
    """A vote that looks at what was found."""

    def score(self, question: Question, corpus: Corpus, found: Mapping[int, float]) -> Scores | Skipped:
        return Scores(dict(found))


def test_a_vote_that_looks_at_what_was_found_is_caught() -> None:
    case = RankingCase(ask("bread"), LENGTHS, rank(LENGTHS, ["Short", "Long"]))
    with pytest.raises(AssertionError):
        SignalSuite().test_a_vote_does_not_look_at_what_was_found(_Follower(Options()), case)
    with pytest.raises(AssertionError):
        SignalSuite().test_it_changes_an_order(_Follower(Options()), case)


class _Gives(Pinned):
    """Gives whatever it is told to of a list."""

    wrong: ClassVar[str]

    def apply(self, question: Question, ranked: Sequence[Found], corpus: Corpus) -> Sequence[Found] | Skipped:
        pin = next(iter(corpus.describe(range(1000))))
        return {
            "loses one": ranked[1:],
            "adds one": [*ranked, Found(pin + 12, 0.0)] if len(ranked) == 1 else ranked,
            "twice": [*ranked, *ranked],
            "in a wrong order": list(reversed(ranked)),
            "too high": [Found(one.note, one.score + 1, one.mark) for one in ranked],
            "marks": [Found(one.note, one.score, "seen") for one in ranked],
        }[self.wrong]


@pytest.mark.parametrize("wrong", ["loses one", "adds one", "twice", "in a wrong order", "too high", "marks"])
def test_a_list_that_is_not_the_same_notes_best_first_is_caught(wrong: str) -> None:
    _Gives.wrong = wrong
    with pytest.raises(AssertionError):
        StageSuite().test_any_list_gives_a_list_of_the_same_notes_best_first(_Gives(Options()), ask("bread"))


def test_a_stage_that_sorts_the_list_it_is_given_is_caught() -> None:
    class Sorting(Pinned):
        def apply(self, question: Question, ranked: Sequence[Found], corpus: Corpus) -> Sequence[Found] | Skipped:
            if isinstance(ranked, list):
                ranked.reverse()
            return ranked

    with pytest.raises(AssertionError):
        StageSuite().test_nothing_that_it_is_given_is_changed(Sorting(Options()), ask("bread"))


def test_the_vault_of_the_suites_has_everything_for_some_notes_and_lacks_it_for_others() -> None:
    corpus = bakery()
    numbers = [corpus.number(note.title) for note in corpus.notes]
    figures = corpus.figures()
    for known in (
        corpus.boosts(), figures.importance, figures.vitality, figures.community, corpus.ties(numbers),
        corpus.places(numbers), corpus.entities(numbers), {n for n, v in corpus.describe(numbers).items() if v.created},
    ):  # fmt: skip
        assert 0 < len(known) < len(numbers)
    assert {type(question.period) for question in hard_questions().values()} >= {type(None)}
    assert max(note.created or datetime.date.min for note in corpus.notes) < corpus.today
