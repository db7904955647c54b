"""The stage `diversity`."""

from __future__ import annotations

import pytest
from attrs import evolve

from aries_kernel.contracts import Found, Skipped, StageFactory
from aries_kernel.testing.corpora import FakeCorpus, FakeNote
from aries_kernel.testing.rankings import RankingCase, ask, rank
from aries_kernel.testing.stage_suite import StageSuite
from ori_stage_diversity.likeness import likeness_by_vectors, likeness_by_words, word_sets
from ori_stage_diversity.stage import Diversity, DiversityOptions, marginal_order

RYE = "Rye bread keeps for a week when it is wrapped in linen and stored cool"
CORPUS = FakeCorpus(
    (
        FakeNote("Rye", RYE),
        FakeNote("Rye again", RYE),
        FakeNote("Rye once more", f"{RYE}!"),
        FakeNote("Oven", "The oven needs an hour to be hot"),
        FakeNote("Salt", "Two percent is enough"),
    )
)
RANKED = rank(CORPUS, {"Rye": 1.0, "Rye again": 0.98, "Rye once more": 0.97, "Oven": 0.4, "Salt": 0.3})


def order(corpus: FakeCorpus, ranked: tuple[Found, ...], limit: int = 10, **options: float) -> list[str]:
    given = Diversity(DiversityOptions(**options)).apply(ask("rye", limit=limit), ranked, corpus)
    assert not isinstance(given, Skipped)
    return corpus.titles(one.note for one in given)


class TestDiversity(StageSuite):
    @pytest.fixture
    def factory(self) -> StageFactory:
        return Diversity

    @pytest.fixture
    def case(self) -> RankingCase:
        return RankingCase(ask("rye"), CORPUS, RANKED)


def test_repetitions_come_after_all_others_and_the_first_stays() -> None:
    assert order(CORPUS, RANKED, duplicate=0.7) == ["Rye", "Oven", "Salt", "Rye again", "Rye once more"]


def test_a_text_with_another_number_is_no_repetition() -> None:
    texts = {"Old": f"{RYE}, 3 euros", "New": f"{RYE}, 4 euros", "Oven": "An hour", "Salt": "Two percent"}
    corpus = FakeCorpus(tuple(FakeNote(title, text) for title, text in texts.items()))
    ranked = rank(corpus, {"Old": 1.0, "New": 0.99, "Oven": 0.2, "Salt": 0.1})
    assert order(corpus, ranked, duplicate=0.7) == ["Old", "New", "Oven", "Salt"]


def test_marginal_relevance_by_hand() -> None:
    """First 0. Then 1: .7 x .9 - .3 x .8 = .39, 2: .7 x .6 - .3 x .1 = .39 and 3: .7 x .65 - .3 x .0 = .455.

    Then 1: .63 - .3 x .9 = .36 and 2: .42 - .3 x .1 = .39.
    """
    alike = {(0, 1): 0.8, (0, 2): 0.1, (0, 3): 0.0, (3, 1): 0.9, (3, 2): 0.0, (2, 1): 0.0}
    scores = {0: 1.0, 1: 0.9, 3: 0.65, 2: 0.6}
    given = marginal_order(scores, lambda one, other: alike[one, other], 0.7, lambda one, other: False)
    assert given == [0, 3, 2, 1]


def test_a_lambda_of_1_keeps_the_order() -> None:
    different = FakeCorpus(tuple(evolve(note, body=f"{note.body} {place}") for place, note in enumerate(CORPUS.notes)))
    assert order(different, RANKED, relevance=1.0) == different.titles(one.note for one in RANKED)


def test_notes_that_are_all_different_keep_their_order() -> None:
    texts = ("rye bread", "hot oven", "two percent", "linen bag")
    corpus = FakeCorpus(tuple(FakeNote(text.upper(), text) for text in texts))
    ranked = rank(corpus, [text.upper() for text in texts])
    assert order(corpus, ranked) == [text.upper() for text in texts]


def test_vectors_decide_where_all_notes_have_some_and_words_where_one_has_none() -> None:
    rows = {"a": ((1.0, 0.0), (0.8, 0.6)), "b": ((0.9, 0.3),), "c": ((0.0, 1.0),)}
    notes = tuple(FakeNote(title, f"text of {title} alone", vectors=vectors) for title, vectors in rows.items())
    ranked_scores = {"a": 1.0, "b": 0.9, "c": 0.75}
    corpus = FakeCorpus(notes)
    assert order(corpus, rank(corpus, ranked_scores)) == ["a", "c", "b"]
    half = FakeCorpus((*notes[:2], evolve(notes[2], vectors=())))
    assert order(half, rank(half, ranked_scores)) == ["a", "b", "c"]


def test_the_likeness_of_notes_is_the_cosine_of_their_mean_vectors() -> None:
    corpus = FakeCorpus((FakeNote("a", vectors=((1, 0), (0, 1))), FakeNote("b", vectors=((1, 0),)), FakeNote("c")))
    a, b, c = (corpus.number(title) for title in "abc")
    likeness = likeness_by_vectors([a, b], corpus)
    assert likeness is not None
    assert likeness(a, b) == pytest.approx(0.5**0.5)
    assert likeness_by_vectors([a, b, c], corpus) is None


def test_the_likeness_of_texts_is_the_share_of_words_that_both_have() -> None:
    likeness = likeness_by_words(word_sets({1: "Rye bread", 2: "rye oven", 3: "", 4: "", 5: "黑麦面包", 6: "黑麦"}))
    assert (likeness(1, 2), likeness(1, 3), likeness(3, 4), likeness(5, 6)) == (1 / 3, 0, 1, 1 / 4)


def test_what_will_not_be_shown_is_left_where_it_is() -> None:
    assert order(CORPUS, RANKED, limit=2, duplicate=0.7) == ["Rye", "Oven", "Rye again", "Rye once more", "Salt"]
    assert Diversity(DiversityOptions()).apply(ask("rye", limit=1), RANKED, CORPUS) == Skipped(
        "fewer than three notes have no other order that keeps the first"
    )


def test_scores_never_rise_down_the_list() -> None:
    given = Diversity(DiversityOptions(duplicate=0.7)).apply(ask("rye"), RANKED, CORPUS)
    assert not isinstance(given, Skipped)
    assert [one.score for one in given] == [1.0, 0.4, 0.3, 0.3, 0.3]
