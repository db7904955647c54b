"""The contract of a stage as tests: subclass `StageSuite`, name the factory and a case where it acts.

class TestPinned(StageSuite):
    @pytest.fixture
    def factory(self) -> StageFactory:
        return Pinned

    @pytest.fixture
    def case(self) -> RankingCase:
        corpus = FakeCorpus((FakeNote("A"), FakeNote("B", is_pinned=True)))
        return RankingCase(ask("anything"), corpus, rank(corpus, ["A", "B"]))  # and B comes first afterwards
"""

from __future__ import annotations

import copy
import json
import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence

import pytest

from aries_kernel.contracts.retrieval import Found, Question, Skipped, Stage, StageFactory
from aries_kernel.structuring import strict_converter
from aries_kernel.testing.corpora import FakeCorpus
from aries_kernel.testing.rankings import RankingCase, bakery, hard_questions

__all__ = ["StageSuite"]

_NAME = re.compile(r"[a-z][a-z0-9-]{0,31}\Z")


def _lists(corpus: FakeCorpus) -> Iterator[list[Found]]:
    """Ranked lists as a pipeline may hand them over, best first."""
    numbers = [corpus.number(note.title) for note in corpus.notes]
    count = len(numbers)
    yield []
    yield [Found(numbers[0], 0.8)]
    yield [Found(numbers[3], 0.9), Found(numbers[0], 0.1)]
    yield [Found(number, 1 - place / count) for place, number in enumerate(numbers)]
    yield [Found(number, 0.5) for number in reversed(numbers)]
    yield [Found(number, 0.0) for number in numbers]
    yield [Found(number, 0.03 / (place + 61)) for place, number in enumerate(numbers)]  # the scale of rank fusion
    yield [Found(numbers[1], 1.0), Found(numbers[2], 0.5), Found(numbers[4], 0.0, "exploration")]


_VAULT = bakery()


class StageSuite:
    """What every stage must keep; see the module for how to use it."""

    @pytest.fixture
    def factory(self) -> StageFactory:
        """What the entry point names."""
        raise NotImplementedError("override the fixture `factory`")

    @pytest.fixture
    def case(self) -> RankingCase:
        """A list whose notes the stage puts into another order, or adds to."""
        raise NotImplementedError("override the fixture `case`")

    @pytest.fixture
    def stage(self, factory: StageFactory) -> Stage:
        """A stage with the default options."""
        return factory(factory.options_type())

    @pytest.fixture(params=hard_questions())
    def question(self, request: pytest.FixtureRequest) -> Question:
        """Every question that is hard in some way."""
        return hard_questions()[request.param]

    def test_it_has_a_plain_name_and_a_description(self, stage: Stage) -> None:
        assert _NAME.match(stage.name)
        assert stage.description.strip() == stage.description != ""

    def test_every_option_has_a_default_that_can_be_written_into_the_settings(self, factory: StageFactory) -> None:
        options = factory.options_type()
        plain = json.loads(json.dumps(strict_converter().unstructure(options)))
        assert strict_converter().structure(plain, factory.options_type) == options

    def test_any_list_gives_a_list_of_the_same_notes_best_first(self, stage: Stage, question: Question) -> None:
        for ranked in _lists(_VAULT):
            _check(stage.apply(question, ranked, _VAULT), ranked)

    def test_the_same_list_gives_the_same_order(self, factory: StageFactory, stage: Stage, question: Question) -> None:
        for ranked in _lists(_VAULT):
            first = _plain(stage.apply(question, ranked, _VAULT))
            assert _plain(stage.apply(question, tuple(ranked), _VAULT)) == first
            assert _plain(factory(factory.options_type()).apply(question, ranked, _VAULT)) == first

    def test_nothing_that_it_is_given_is_changed(self, stage: Stage, question: Question) -> None:
        for ranked in _lists(_VAULT):
            before = copy.deepcopy((question, ranked, _VAULT))
            stage.apply(question, ranked, _VAULT)
            assert (question, ranked, _VAULT) == before

    def test_a_list_of_an_empty_vault_stays_empty(self, stage: Stage) -> None:
        given = stage.apply(Question("bread", words=("bread",)), [], FakeCorpus())
        assert isinstance(given, Skipped) or list(given) == []

    def test_it_changes_an_order(self, stage: Stage, case: RankingCase) -> None:
        given = stage.apply(case.question, case.ranked, case.corpus)
        assert not isinstance(given, Skipped), f"it does nothing: {given.reason}"
        _check(given, case.ranked)
        before, after = ([one.note for one in found] for found in (case.ranked, given))
        assert case.corpus.titles(after) != case.corpus.titles(before)


def _check(given: Sequence[Found] | Skipped, ranked: Sequence[Found]) -> None:
    if isinstance(given, Skipped):
        assert given.reason.strip() and "\n" not in given.reason
        return
    scores = [one.score for one in given]
    assert scores == sorted(scores, reverse=True)
    assert all(math.isfinite(score) and 0 <= score <= 1 for score in scores)
    assert all(0 <= one.proven <= 1 for one in given)
    assert set(Counter(one.note for one in given).values()) <= {1}
    marks = {one.note: one.mark for one in ranked}
    assert {one.note: one.mark for one in given if one.note in marks} == marks, "no note is lost or gets a mark"
    assert all(one.mark for one in given if one.note not in marks), "what is added is marked"
    json.dumps([[one.note, one.score, one.mark] for one in given])


def _plain(given: Sequence[Found] | Skipped) -> Skipped | list[Found]:
    return given if isinstance(given, Skipped) else list(given)
