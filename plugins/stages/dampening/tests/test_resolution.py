"""The stage `resolution`."""

from __future__ import annotations

import pytest

from aries_kernel.contracts import Found, Skipped, StageFactory
from aries_kernel.testing.corpora import FakeCorpus, FakeNote
from aries_kernel.testing.rankings import RankingCase, ask, rank
from aries_kernel.testing.stage_suite import StageSuite
from ori_stage_dampening.resolution import Resolution, ResolutionOptions

CORPUS = FakeCorpus((FakeNote("Talk", type="meeting"), FakeNote("Choice", type="Decision"), FakeNote("Plain")))
STAGE = Resolution(ResolutionOptions())


class TestResolution(StageSuite):
    @pytest.fixture
    def factory(self) -> StageFactory:
        return Resolution

    @pytest.fixture
    def case(self) -> RankingCase:
        return RankingCase(ask("rye"), CORPUS, rank(CORPUS, {"Talk": 0.5, "Choice": 0.45}))


def test_a_decision_gains_a_quarter() -> None:
    ranked = rank(CORPUS, {"Talk": 0.5, "Choice": 0.44, "Plain": 0.1})
    talk, choice, plain = (one.note for one in ranked)
    assert STAGE.apply(ask("rye"), ranked, CORPUS) == [Found(choice, 0.55), Found(talk, 0.5), Found(plain, 0.1)]


def test_no_score_exceeds_1() -> None:
    given = STAGE.apply(ask("rye"), rank(CORPUS, {"Choice": 1.0, "Talk": 0.5}), CORPUS)
    assert not isinstance(given, Skipped)
    assert [one.score for one in given] == [1.0, pytest.approx(0.4)]


def test_a_list_without_decisions_is_left_alone() -> None:
    ranked = rank(CORPUS, ["Talk", "Plain"])
    assert STAGE.apply(ask("rye"), ranked, CORPUS) == Skipped("no note of the list is of type decision or learning")


def test_the_types_can_be_chosen() -> None:
    stage = Resolution(ResolutionOptions(types=("meeting",)))
    given = stage.apply(ask("rye"), rank(CORPUS, {"Choice": 0.5, "Talk": 0.45}), CORPUS)
    assert not isinstance(given, Skipped)
    assert CORPUS.titles(one.note for one in given) == ["Talk", "Choice"]
