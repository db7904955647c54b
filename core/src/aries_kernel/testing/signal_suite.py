"""The contract of a signal as tests: subclass `SignalSuite`, name the factory and a case where it speaks.

class TestLength(SignalSuite):
    @pytest.fixture
    def factory(self) -> SignalFactory:
        return Length

    @pytest.fixture
    def case(self) -> RankingCase:
        corpus = FakeCorpus((FakeNote("Short", "bread"), FakeNote("Long", "bread " * 50)))
        return RankingCase(ask("bread"), corpus, rank(corpus, ["Short", "Long"]))  # and Long is the better one
"""

from __future__ import annotations

import copy
import json
import math
import re
from collections.abc import Mapping

import pytest

from aries_kernel.contracts.corpus import Corpus
from aries_kernel.contracts.retrieval import Question, Scores, Signal, SignalFactory, Skipped
from aries_kernel.structuring import strict_converter
from aries_kernel.testing.corpora import FakeCorpus, FakeNote
from aries_kernel.testing.rankings import RankingCase, bakery, hard_questions

__all__ = ["SignalSuite"]

_NAME = re.compile(r"[a-z][a-z0-9-]{0,31}\Z")


class SignalSuite:
    """What every signal must keep; see the module for how to use it."""

    @pytest.fixture
    def factory(self) -> SignalFactory:
        """What the entry point names."""
        raise NotImplementedError("override the fixture `factory`")

    @pytest.fixture
    def case(self) -> RankingCase:
        """A list that is in another order once it is sorted by what the signal says."""
        raise NotImplementedError("override the fixture `case`")

    @pytest.fixture
    def signal(self, factory: SignalFactory) -> Signal:
        """A signal with the default options."""
        return factory(factory.options_type())

    @pytest.fixture(params=hard_questions())
    def question(self, request: pytest.FixtureRequest) -> Question:
        """Every question that is hard in some way."""
        return hard_questions()[request.param]

    @pytest.fixture
    def vaults(self) -> tuple[FakeCorpus, ...]:
        """An empty one, one of one note, and one in which everything occurs."""
        return FakeCorpus(), FakeCorpus((FakeNote("Bread", "rye"),)), bakery()

    def test_it_has_a_plain_name_a_description_and_a_role(self, signal: Signal) -> None:
        assert _NAME.match(signal.name)
        assert signal.description.strip() == signal.description != ""
        assert signal.role in ("vote", "ranker")

    def test_every_option_has_a_default_that_can_be_written_into_the_settings(self, factory: SignalFactory) -> None:
        options = factory.options_type()
        plain = json.loads(json.dumps(strict_converter().unstructure(options)))
        assert strict_converter().structure(plain, factory.options_type) == options

    def test_any_question_to_any_vault_gives_scores_or_a_reason(
        self, signal: Signal, question: Question, vaults: tuple[FakeCorpus, ...]
    ) -> None:
        for corpus in vaults:
            _check(_said(signal, question, corpus), corpus)

    def test_an_empty_question_finds_nothing(self, signal: Signal, vaults: tuple[FakeCorpus, ...]) -> None:
        for corpus in vaults:
            said = _said(signal, Question(" "), corpus)
            assert isinstance(said, Skipped) or not said.scores

    def test_the_same_question_gives_the_same_scores(
        self, factory: SignalFactory, signal: Signal, question: Question, vaults: tuple[FakeCorpus, ...]
    ) -> None:
        for corpus in vaults:
            first = _said(signal, question, corpus)
            assert _said(signal, question, corpus) == first
            assert _said(factory(factory.options_type()), question, corpus) == first

    def test_nothing_that_it_is_given_is_changed(
        self, signal: Signal, question: Question, vaults: tuple[FakeCorpus, ...]
    ) -> None:
        for corpus in vaults:
            given = question, _found(signal, question, corpus), corpus
            before = copy.deepcopy(given)
            signal.score(question, corpus, given[1])
            assert given == before

    def test_a_vote_does_not_look_at_what_was_found(self, signal: Signal, case: RankingCase) -> None:
        if signal.role == "vote":
            found = {one.note: one.score for one in case.ranked}
            assert signal.score(case.question, case.corpus, found) == signal.score(case.question, case.corpus, {})

    def test_it_changes_an_order(self, signal: Signal, case: RankingCase) -> None:
        said = _said(signal, case.question, case.corpus, {one.note: one.score for one in case.ranked})
        assert isinstance(said, Scores), f"it says nothing: {said.reason}"
        before = [one.note for one in case.ranked]
        after = sorted(before, key=lambda note: -said.scores.get(note, 0.0))
        assert case.corpus.titles(after) != case.corpus.titles(before)


def _said(
    signal: Signal, question: Question, corpus: Corpus, found: Mapping[int, float] | None = None
) -> Scores | Skipped:
    if found is None or signal.role == "vote":
        found = _found(signal, question, corpus)
    return signal.score(question, corpus, found)


def _found(signal: Signal, question: Question, corpus: Corpus) -> dict[int, float]:
    """What the votes gave: here the words alone."""
    if signal.role == "vote":
        return {}
    scores = corpus.rank_words(question.words, 50)
    return {note: score / max(scores.values()) for note, score in scores.items()}


def _check(said: Scores | Skipped, corpus: Corpus) -> None:
    if isinstance(said, Skipped):
        assert said.reason.strip() and "\n" not in said.reason
        return
    named = {*said.scores, *said.surest}
    assert set(corpus.describe(named)) == named, "only notes of this vault"
    assert len(set(said.surest)) == len(said.surest)
    assert all(math.isfinite(score) and 0 <= score <= 1 for score in [*said.scores.values(), said.confidence])
    assert "\n" not in said.notice
    json.dumps([list(said.scores.items()), said.confidence, said.notice, said.surest])
