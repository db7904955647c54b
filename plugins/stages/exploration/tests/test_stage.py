"""The stage `exploration`."""

from __future__ import annotations

import datetime
from collections import Counter

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from aries_kernel.contracts import Found, Question, Skipped, StageFactory
from aries_kernel.testing.corpora import FakeCorpus, FakeNote
from aries_kernel.testing.rankings import RankingCase, ask, rank
from aries_kernel.testing.stage_suite import StageSuite
from ori_stage_exploration.bonus import NEVER_SHOWN, bonus
from ori_stage_exploration.stage import Exploration, ExplorationOptions

HITS = [f"hit {number}" for number in range(12)]
CORPUS = FakeCorpus(
    (
        *(FakeNote(hit, links=("hit 0",) if hit != "hit 0" else ()) for hit in HITS),
        FakeNote("Tied", links=("hit 1",)),
        FakeNote("Tied too", links=("hit 2",)),
        FakeNote("Tied to the eleventh", links=("hit 10",)),
        FakeNote("Apart"),
    )
)
RANKED = rank(CORPUS, HITS)
STAGE = Exploration(ExplorationOptions())


def added(question: Question, corpus: FakeCorpus = CORPUS, share: float = 0.1) -> str:
    """The title of the note that was added, empty where there is none."""
    given = Exploration(ExplorationOptions(share)).apply(question, RANKED, corpus)
    return "" if isinstance(given, Skipped) else corpus.titles([given[-1].note])[0]


class TestExploration(StageSuite):
    @pytest.fixture
    def factory(self) -> StageFactory:
        return Exploration

    @pytest.fixture
    def case(self) -> RankingCase:
        return RankingCase(ask("hit"), CORPUS, RANKED)


def test_all_hits_stay_and_one_marked_note_follows_them() -> None:
    """G.5-73: never a hit less, never a note that looks like one."""
    given = STAGE.apply(ask("hit"), RANKED, CORPUS)
    assert not isinstance(given, Skipped)
    assert given[:-1] == list(RANKED)
    assert given[-1] in [Found(CORPUS.number(title), 0.0, "exploration") for title in ("Tied", "Tied too")]


def test_every_note_tied_to_a_hit_has_its_turn_and_no_other() -> None:
    assert {added(ask(f"hit {number}")) for number in range(60)} == {"Tied", "Tied too"}


def test_the_day_changes_the_note_and_nothing_else_does() -> None:
    days = [evolve(CORPUS, today=datetime.date(2024, 1, day)) for day in range(1, 30)]
    assert {added(ask("hit"), corpus) for corpus in days} == {"Tied", "Tied too"}
    turned = FakeCorpus(tuple(reversed(CORPUS.notes)))
    for number in range(9):
        question = ask(f"hit {number}")
        other = STAGE.apply(question, rank(turned, HITS), turned)
        assert not isinstance(other, Skipped)
        assert turned.titles([other[-1].note]) == [added(question)]


def test_a_note_that_was_often_shown_is_drawn_less_often_than_one_that_never_was() -> None:
    """G.4-50: the bonus is not the same for everybody; and G.4-59: nothing is out of reach for good."""
    notes = tuple(evolve(note, shown=50) if note.title == "Tied" else note for note in CORPUS.notes)
    seldom = tuple(evolve(note, links=("hit 1",)) if note.title == "Tied too" else note for note in notes)
    counts = Counter(added(ask(f"hit {number}"), evolve(CORPUS, notes=seldom)) for number in range(300))
    assert counts["Tied too"] > 2 * counts["Tied"] > 0


@given(st.integers(0, 500), st.integers(0, 500), st.integers(1, 2_000))
def test_each_time_that_a_note_is_shown_leaves_less_to_learn(shown: int, more: int, others: int) -> None:
    total = shown + more + others
    assert NEVER_SHOWN >= bonus(shown, total) >= bonus(shown + more, total) > 0


@pytest.mark.parametrize("count", [0, 1, 5, 9])
def test_a_short_list_gets_none(count: int) -> None:
    """G.5-72: one in five is a fifth."""
    short = Skipped("the list has fewer than 10 notes")
    assert STAGE.apply(ask("hit"), RANKED[:count], CORPUS) == short
    assert STAGE.apply(ask("hit", limit=count), RANKED, CORPUS) == short


def test_less_than_a_note_is_a_note_for_some_questions() -> None:
    """G.5-72: on the average the share is kept; half a note of ten at a twentieth."""
    count = sum(bool(added(ask(f"hit {number}"), share=0.05)) for number in range(400))
    assert 160 <= count <= 240
    assert not any(added(ask(f"hit {number}"), share=0.0) for number in range(20))


def test_there_is_never_more_than_one() -> None:
    given = Exploration(ExplorationOptions(1.0)).apply(ask("hit"), RANKED, CORPUS)
    assert not isinstance(given, Skipped)
    assert len(given) == len(RANKED) + 1


def test_hits_without_other_links_are_left_alone() -> None:
    assert STAGE.apply(ask("hit"), RANKED, CORPUS.with_notes(links=())) == Skipped(
        "the hits are linked with no note that was not found"
    )
