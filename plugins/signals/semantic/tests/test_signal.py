"""The signal `semantic`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from attrs import define, evolve

from aries_kernel.contracts import Scores, SignalFactory, Skipped, Vectors
from aries_kernel.errors import UserError
from aries_kernel.testing.corpora import FakeCorpus, FakeNote
from aries_kernel.testing.rankings import RankingCase, ask, rank
from aries_kernel.testing.signal_suite import SignalSuite
from ori_signal_semantic.signal import Options, Semantic

QUESTION = "bread"
AWAY = (0.0, -1.0)
"""A passage that has nothing to do with the question: it keeps the mean similarity low."""


def vault(**passages: Sequence[Sequence[float]]) -> FakeCorpus:
    notes = tuple(FakeNote(title, vectors=tuple(map(tuple, rows))) for title, rows in passages.items())
    return FakeCorpus(notes, embedded={QUESTION: (1, 0)})


def said(corpus: Any, options: Options | None = None, **parts: Any) -> Scores:
    scores = Semantic(options or Options()).score(ask(QUESTION, **parts), corpus, {})
    assert isinstance(scores, Scores), scores
    return scores


def order(corpus: FakeCorpus, scores: Scores) -> list[str]:
    return corpus.titles(sorted(scores.scores, key=lambda note: -scores.scores[note]))


class TestSemantic(SignalSuite):
    @pytest.fixture
    def factory(self) -> SignalFactory:
        return Semantic

    @pytest.fixture
    def case(self) -> RankingCase:
        corpus = vault(Car=[AWAY] * 3, Loaf=[(1, 0.1)])
        return RankingCase(ask(QUESTION), corpus, rank(corpus, ["Car", "Loaf"]))


@define
class Known(FakeCorpus):
    """A vault some of whose vectors are of another state."""

    stale: int = 0
    covered: int = 0
    lost: tuple[int, ...] = ()
    """Rows whose note is gone."""

    def vectors(self) -> Vectors | str:
        found = FakeCorpus.vectors(self)
        assert isinstance(found, Vectors)
        owners = tuple(-1 if row in self.lost else owner for row, owner in enumerate(found.owners))
        return evolve(found, owners=owners, stale=self.stale, covered=self.covered)


class Broken(FakeCorpus):
    def embed(self, text: str) -> bytes:
        raise UserError("The model is not there. Install it.")


class TestPassages:
    def test_a_note_counts_by_its_best_passage(self) -> None:
        corpus = vault(Even=[(0.8, 0.6), (0.8, 0.6)], One=[AWAY, (1, 0), AWAY], Away=[AWAY])
        assert order(corpus, said(corpus)) == ["One", "Even", "Away"]

    def test_a_hundred_poor_passages_are_no_better_than_one(self) -> None:
        corpus = vault(Many=[(0.3, -0.9)] * 100, Few=[(0.5, -0.8)])
        assert order(corpus, said(corpus)) == ["Few", "Many"]

    def test_scores_keep_their_margins(self) -> None:
        corpus = vault(Best=[(1, 0)], Half=[(0.5, -(0.75**0.5))], Opposite=[(-1, 0)])
        scores = said(corpus).scores
        assert scores == pytest.approx(
            {corpus.number("Best"): 1.0, corpus.number("Half"): 0.75, corpus.number("Opposite"): 0.0}
        )

    def test_passages_of_notes_that_are_gone_do_not_count(self) -> None:
        corpus = vault(Gone=[(1, 0)], Here=[(0.2, -0.9)])
        known = Known(corpus.notes, embedded=corpus.embedded, covered=1, lost=(0,))
        assert order(corpus, said(known)) == ["Here"]

    def test_where_every_note_is_gone_it_says_so(self) -> None:
        corpus = vault(Gone=[(1, 0)])
        known = Known(corpus.notes, embedded=corpus.embedded, lost=(0,))
        assert Semantic(Options()).score(ask(QUESTION), known, {}) == Skipped("no note has a vector yet")


class TestConfidence:
    LIKENESS = pytest.mark.parametrize(("mean", "confidence"), [(0.0, 1.0), (0.05, 1.0), (0.25, 0.5), (0.35, 0.25)])

    @staticmethod
    def alike(mean: float, passages: int = 100, talks: int = 0) -> FakeCorpus:
        """Every passage has this similarity to the question; `talks` of the two notes are lines of a talk."""
        rows = ((mean, (1 - mean**2) ** 0.5),) * (passages // 2)
        notes = tuple(
            FakeNote(title, vectors=rows, thread="talk" if place < talks else "")
            for place, title in enumerate(("One", "Two"))
        )
        return FakeCorpus(notes, embedded={QUESTION: (1, 0)})

    @LIKENESS
    def test_in_another_language_it_falls_as_all_passages_look_alike(self, mean: float, confidence: float) -> None:
        assert said(self.alike(mean), is_english=False).confidence == pytest.approx(confidence, abs=1e-5)

    @LIKENESS
    def test_lines_of_a_talk_that_look_alike_are_told_apart_badly(self, mean: float, confidence: float) -> None:
        assert said(self.alike(mean, talks=2)).confidence == pytest.approx(confidence, abs=1e-5)
        assert said(self.alike(mean, talks=1)).confidence == pytest.approx((1 + confidence) / 2, abs=1e-5)

    def test_a_vault_of_one_subject_proves_nothing_against_a_question_in_english(self) -> None:
        assert said(self.alike(0.9)).confidence == 1.0

    @LIKENESS
    def test_but_its_similarities_say_less_of_whether_a_note_fits(self, mean: float, confidence: float) -> None:
        assert said(self.alike(mean)).telling == pytest.approx(confidence, abs=1e-5)
        assert said(self.alike(0.9)).telling == 0.0

    def test_a_model_that_cannot_tell_texts_apart_has_no_say(self) -> None:
        assert Semantic(Options()).score(ask(QUESTION, is_english=False), self.alike(0.9), {}) == Skipped(
            "the model does not understand the language of the question"
        )

    def test_a_small_vault_of_one_subject_proves_nothing_against_the_model(self) -> None:
        assert said(self.alike(0.9, passages=98), is_english=False).confidence == 1.0

    def test_in_another_script_a_small_vault_proves_it(self) -> None:
        corpus = self.alike(0.9, passages=98)
        asked = ask("хлеб", is_english=False)
        there = FakeCorpus(corpus.notes, embedded={"хлеб": (1, 0)})
        assert isinstance(Semantic(Options()).score(asked, there, {}), Skipped)

    @pytest.mark.parametrize(("covered", "stale", "confidence"), [(4, 0, 1.0), (1, 1, 0.5), (1, 0, 0.25)])
    def test_it_falls_with_the_share_of_notes_that_it_knows(self, covered: int, stale: int, confidence: float) -> None:
        corpus = vault(One=[(1, 0)], Two=[AWAY], Three=[AWAY], Four=[AWAY])
        known = Known(corpus.notes, embedded=corpus.embedded, covered=covered, stale=stale)
        assert said(known).confidence == pytest.approx(confidence)


class TestWhatIsCovered:
    @pytest.mark.parametrize(("stale", "notice"), [(0, ""), (2, "2 notes are known by an older text")])
    def test_it_says_how_many_it_knows_by_an_older_text(self, stale: int, notice: str) -> None:
        corpus = vault(One=[(1, 0)], Two=[AWAY], Three=[AWAY])
        known = Known(corpus.notes, embedded=corpus.embedded, covered=1, stale=stale)
        assert said(known).notice == notice

    def test_without_any_vectors_it_gives_the_reason(self) -> None:
        corpus = FakeCorpus((FakeNote("A", "bread"),), vectors_missing="no note is embedded yet")
        assert Semantic(Options()).score(ask(QUESTION), corpus, {}) == Skipped("no note is embedded yet")

    def test_a_model_that_is_missing_is_told_by_the_model(self) -> None:
        with pytest.raises(UserError, match="Install it"):
            Semantic(Options()).score(ask(QUESTION), Broken(vault(One=[(1, 0)]).notes), {})


class TestNeighbours:
    TALK = FakeCorpus(
        (
            FakeNote("Alone", vectors=((0.45, -0.9),)),
            FakeNote("Before", thread="talk", vectors=((1, 0),)),
            FakeNote("Between", thread="talk", vectors=((0.4, -0.9),)),
            FakeNote("After", thread="talk", vectors=((0.9, -0.4),)),
            FakeNote("Later", thread="talk", vectors=(AWAY,)),
            FakeNote("Last", thread="talk", vectors=(AWAY,)),
            FakeNote("Elsewhere", vectors=((-1, -0.1),)),
        ),
        embedded={QUESTION: (1, 0)},
    )

    def test_a_line_between_two_that_fit_fits_too(self) -> None:
        assert order(self.TALK, said(self.TALK)).index("Between") < order(self.TALK, said(self.TALK)).index("Alone")

    def test_without_a_share_for_neighbours_a_line_stands_for_itself(self) -> None:
        alone = order(self.TALK, said(self.TALK, Options(neighbour_share=0)))
        assert alone[:4] == ["Before", "After", "Alone", "Between"]
