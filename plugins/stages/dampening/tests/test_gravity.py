"""The stage `gravity`."""

from __future__ import annotations

import pytest

from aries_kernel.contracts import Found, Skipped, StageFactory
from aries_kernel.testing.corpora import FakeCorpus, FakeNote
from aries_kernel.testing.rankings import RankingCase, ask, rank
from aries_kernel.testing.stage_suite import StageSuite
from ori_stage_dampening.gravity import Gravity, GravityOptions

CORPUS = FakeCorpus(
    (FakeNote("Diary"), FakeNote("How we bake"), FakeNote("Shopping"), FakeNote("Old", aliases=("Bakery",)))
)
STAGE = Gravity(GravityOptions())


class TestGravity(StageSuite):
    @pytest.fixture
    def factory(self) -> StageFactory:
        return Gravity

    @pytest.fixture
    def case(self) -> RankingCase:
        # At the scale of rank fusion, where the reference's stage never fired (G.5-61).
        return RankingCase(ask("baking bread"), CORPUS, rank(CORPUS, {"Diary": 0.030, "How we bake": 0.025}))


def test_heavy_notes_of_another_title_are_halved_and_light_ones_left_alone() -> None:
    ranked = rank(CORPUS, {"Diary": 1.0, "How we bake": 0.6, "Old": 0.55, "Shopping": 0.3})
    numbers = [found.note for found in ranked]
    assert STAGE.apply(ask("baking"), ranked, CORPUS) == [
        Found(numbers[1], 0.6),
        Found(numbers[2], 0.55),
        Found(numbers[0], 0.5),
        Found(numbers[3], 0.3),
    ]


def test_a_list_whose_titles_all_fit_is_left_alone() -> None:
    ranked = rank(CORPUS, {"How we bake": 0.9, "Old": 0.4})
    assert STAGE.apply(ask("bake"), ranked, CORPUS) == list(ranked)


def test_a_note_named_in_the_question_is_exempt() -> None:
    ranked = rank(CORPUS, {"Diary": 0.9, "How we bake": 0.6})
    question = ask("baking", named={CORPUS.number("Diary"): 1.0})
    assert STAGE.apply(question, ranked, CORPUS) == list(ranked)


def test_where_titles_say_nothing_it_is_skipped() -> None:
    ranked = rank(CORPUS, ["Diary", "Shopping"])
    assert STAGE.apply(ask("baking"), ranked, CORPUS) == Skipped("no title holds a word of the question")
    assert STAGE.apply(ask(""), ranked, CORPUS) == Skipped("the question has no words")


def test_words_of_a_script_without_spaces_are_found_in_titles() -> None:
    corpus = FakeCorpus((FakeNote("别的"), FakeNote("黑麦面包")))
    given = STAGE.apply(ask("面包", words=("面包",)), rank(corpus, {"别的": 0.8, "黑麦面包": 0.7}), corpus)
    assert not isinstance(given, Skipped)
    assert corpus.titles(one.note for one in given) == ["黑麦面包", "别的"]


@pytest.mark.parametrize(
    ("word", "title"),
    [("baking", "How we bake"), ("bake", "Baking day"), ("rye", "Rye bread"), ("parties", "Party"), ("Broten", "Brot")],
)
def test_a_title_holds_a_word_in_another_form(word: str, title: str) -> None:
    corpus = FakeCorpus((FakeNote(title), FakeNote("Else")))
    ranked = rank(corpus, [title, "Else"])
    given = STAGE.apply(ask(word), ranked, corpus)
    assert not isinstance(given, Skipped)
    assert given[0] == ranked[0]


def test_a_word_within_another_word_is_not_held() -> None:
    corpus = FakeCorpus((FakeNote("Education"), FakeNote("Cat")))
    given = STAGE.apply(ask("cat"), rank(corpus, ["Education", "Cat"]), corpus)
    assert not isinstance(given, Skipped)
    assert [one.score for one in given] == [0.5, 0.5]
