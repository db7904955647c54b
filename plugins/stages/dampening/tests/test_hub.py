"""The stage `hub`."""

from __future__ import annotations

import pytest

from aries_kernel.contracts import Found, Skipped, StageFactory
from aries_kernel.testing.corpora import FakeCorpus, FakeNote
from aries_kernel.testing.rankings import RankingCase, ask, rank
from aries_kernel.testing.stage_suite import StageSuite
from ori_stage_dampening.hub import Hub, HubOptions, hub_factor

LEAVES = [f"leaf {number}" for number in range(20)]
CORPUS = FakeCorpus(
    (
        FakeNote("Index", links=tuple(LEAVES)),
        FakeNote("Map", links=tuple(LEAVES[:15])),
        *(FakeNote(leaf) for leaf in LEAVES),
    )
)
RANKED = rank(CORPUS, ["Index", "Map", *LEAVES])


class TestHub(StageSuite):
    @pytest.fixture
    def factory(self) -> StageFactory:
        return Hub

    @pytest.fixture
    def case(self) -> RankingCase:
        return RankingCase(ask("leaf"), CORPUS, RANKED)


def test_the_factor_falls_evenly_from_the_usual_degree_to_the_greatest() -> None:
    options = HubOptions()
    assert [hub_factor(degree, 10, 20, options) for degree in (10, 15, 20)] == pytest.approx([1.0, 0.7, 0.4])
    assert hub_factor(20, 10, 20, HubOptions(strength=1.0)) == 0.2


def test_hubs_step_back_by_how_far_they_are_above_the_others() -> None:
    given = Hub(HubOptions()).apply(ask("leaf"), RANKED, CORPUS)
    assert not isinstance(given, Skipped)
    scores = {one.note: one.score for one in given}
    # 22 notes: the one at index 19 of the sorted degrees has 2 ties, so 10, the least of a hub, is the bound.
    assert scores[CORPUS.number("Index")] == pytest.approx(1.0 * 0.4)
    assert scores[CORPUS.number("Map")] == pytest.approx(21 / 22 * 0.7)
    assert [one for one in given if one.note not in (RANKED[0].note, RANKED[1].note)] == list(RANKED[2:])


def test_a_hub_that_the_question_names_is_exempt() -> None:
    named = {CORPUS.number("Index"): 1.0, CORPUS.number("Map"): 1.0}
    assert Hub(HubOptions()).apply(ask("index map", named=named), RANKED, CORPUS) == Skipped(
        "no note of the list is a hub"
    )


def test_a_thinly_linked_vault_has_no_hubs() -> None:
    """G.5-83: half of the notes have no link; two links are no hub."""
    corpus = FakeCorpus(tuple(FakeNote(f"n{number}", links=("n0",) if 0 < number < 3 else ()) for number in range(12)))
    ranked = rank(corpus, [note.title for note in corpus.notes])
    assert Hub(HubOptions()).apply(ask("n"), ranked, corpus) == Skipped("no note of the list is a hub")


def test_a_short_list_has_no_hubs() -> None:
    assert Hub(HubOptions()).apply(ask("leaf"), RANKED[:9], CORPUS) == Skipped("the list has fewer than 10 notes")


def test_two_links_between_the_same_notes_count_once() -> None:
    twice = FakeCorpus(tuple(FakeNote(note.title, links=note.links, suggested=note.links) for note in CORPUS.notes))
    given, expected = (Hub(HubOptions()).apply(ask("leaf"), RANKED, corpus) for corpus in (twice, CORPUS))
    assert given == expected


def test_a_list_of_equal_scores_keeps_its_order_but_for_the_hubs() -> None:
    ranked = [Found(one.note, 0.5) for one in RANKED]
    given = Hub(HubOptions()).apply(ask("leaf"), ranked, CORPUS)
    assert not isinstance(given, Skipped)
    assert CORPUS.titles(one.note for one in given) == [*LEAVES, "Map", "Index"]
