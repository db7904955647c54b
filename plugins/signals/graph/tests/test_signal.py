"""The signal `graph`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from aries_kernel.contracts import Scores, SignalFactory, Skipped
from aries_kernel.testing.corpora import FakeCorpus, FakeNote
from aries_kernel.testing.rankings import RankingCase, ask, rank
from aries_kernel.testing.signal_suite import SignalSuite
from ori_signal_graph.signal import Graph, Options

CORPUS = FakeCorpus(
    (
        FakeNote("Film", "It was directed by [[Director]].", links=("Director",)),
        FakeNote("Director", "Born in 1950."),
        FakeNote("Other film", "Nothing of it."),
    )
)


class TestGraph(SignalSuite):
    @pytest.fixture
    def factory(self) -> SignalFactory:
        return Graph

    @pytest.fixture
    def case(self) -> RankingCase:
        ranked = rank(CORPUS, {"Film": 1.0, "Other film": 0.5, "Director": 0.1})
        return RankingCase(ask("who made the film"), CORPUS, ranked)


def score(
    corpus: FakeCorpus, found: Mapping[str, float], text: str = "anything", options: Options | None = None, **parts: Any
) -> Scores | Skipped:
    numbers = {corpus.number(title): value for title, value in found.items()}
    return Graph(options or Options()).score(ask(text, **parts), corpus, numbers)


def said(corpus: FakeCorpus, found: Mapping[str, float], text: str = "anything", **parts: Any) -> dict[str, float]:
    scores = score(corpus, found, text, **parts)
    assert isinstance(scores, Scores), scores
    return {corpus.titles([note])[0]: value for note, value in scores.scores.items()}


def linked(*notes: FakeNote) -> FakeCorpus:
    """A vault of these notes and of what they link to."""
    titles = {note.title for note in notes}
    others = dict.fromkeys(title for note in notes for title in (*note.links, *note.suggested) if title not in titles)
    return FakeCorpus((*notes, *(FakeNote(title) for title in others)))


class TestReach:
    def test_what_only_a_link_leads_to_is_found(self) -> None:
        scores = said(CORPUS, {"Film": 1.0})
        assert scores["Film"] == 1.0 and 0 < scores["Director"] < 1 and "Other film" not in scores

    def test_links_lead_both_ways(self) -> None:
        assert "Film" in said(CORPUS, {"Director": 1.0})

    def test_two_links_away_is_reached_and_counts_less(self) -> None:
        scores = said(linked(FakeNote("A", links=("B",)), FakeNote("B", links=("C",))), {"A": 1.0})
        assert scores["B"] > scores["C"] > 0

    @pytest.mark.parametrize(("leaves", "is_followed"), [(10, True), (200, False)])
    def test_a_note_on_the_way_that_is_linked_with_everything_is_reached_and_not_followed(
        self, leaves: int, is_followed: bool
    ) -> None:
        everything = tuple(f"Leaf {number}" for number in range(leaves))
        corpus = linked(FakeNote("A", links=("Hub",)), FakeNote("Hub", links=everything))
        scores = said(corpus, {"A": 1.0})
        assert "Hub" in scores and ("Leaf 3" in scores) is is_followed

    def test_a_note_that_two_finds_link_to_beats_a_note_that_one_does(self) -> None:
        corpus = linked(FakeNote("A", links=("Both", "Own")), FakeNote("B", links=("Both",)))
        scores = said(corpus, {"A": 1.0, "B": 1.0})
        assert scores["Both"] > scores["Own"]

    def test_the_weight_of_a_find_decides_whose_links_count(self) -> None:
        corpus = linked(FakeNote("A", links=("Of a",)), FakeNote("B", links=("Of b",)))
        strong, weak = said(corpus, {"A": 1.0, "B": 0.3}), said(corpus, {"A": 0.3, "B": 1.0})
        assert strong["Of a"] > strong["Of b"] and weak["Of a"] < weak["Of b"]

    def test_a_link_of_a_note_that_links_to_everything_counts_less(self) -> None:
        hub = FakeNote("Hub", links=("Of the hub", *(f"n{place}" for place in range(20))))
        scores = said(linked(hub, FakeNote("Plain", links=("Of the plain",))), {"Hub": 1.0, "Plain": 1.0})
        assert scores["Of the plain"] > scores["Of the hub"]

    def test_a_note_that_everything_links_to_does_not_win_by_that(self) -> None:
        notes = [FakeNote(f"n{place}", links=("Index",)) for place in range(30)]
        corpus = linked(FakeNote("A", links=("B",)), FakeNote("B", links=("A", "Index")), *notes)
        scores = said(corpus, {"A": 1.0})
        assert scores["B"] > scores["Index"]


class TestWeights:
    def test_a_mention_counts_less_than_a_link(self) -> None:
        scores = said(linked(FakeNote("A", links=("Written",), suggested=("Mentioned",))), {"A": 1.0})
        assert scores["Written"] > scores["Mentioned"] > 0

    def test_a_link_whose_sentence_holds_words_of_the_question_counts_more(self) -> None:
        corpus = linked(FakeNote("A", "oven, gas", links=("Gas bill", "Oven")))
        for asked, better, worse in (("oven", "Oven", "Gas bill"), ("gas", "Gas bill", "Oven")):
            scores = said(corpus, {"A": 1.0}, asked)
            assert scores[better] > scores[worse]
        equal = said(corpus, {"A": 1.0}, "oven", options=Options(context=0.0))
        assert equal["Oven"] == pytest.approx(equal["Gas bill"])

    def test_notes_that_share_a_name_are_tied_a_little(self) -> None:
        corpus = FakeCorpus(
            (
                FakeNote("a", "She met Clara Schumann.", links=("c",)),
                FakeNote("b", "the song of Clara Schumann."),
                FakeNote("c", "a concert"),
            )
        )
        scores = said(corpus, {"a": 1.0})
        assert scores["c"] > scores["b"] > 0
        assert said(corpus, {"a": 1.0}, options=Options(entity=0.0)).get("b", 0.0) == 0.0

    def test_a_name_of_the_question_pulls_the_notes_that_hold_it(self) -> None:
        corpus = FakeCorpus(
            (
                FakeNote("a", "nothing", links=("c",)),
                FakeNote("b", "the song of Clara Schumann.", links=("d",)),
                FakeNote("c", "a concert"),
                FakeNote("d", "of Clara Schumann again"),
            )
        )
        assert "b" not in said(corpus, {"a": 1.0}, "song")
        assert said(corpus, {"a": 1.0}, "song of Clara Schumann")["b"] > 0

    def test_a_note_that_the_question_names_is_a_beginning_though_nothing_found_it(self) -> None:
        corpus = linked(FakeNote("A", links=("B",)), FakeNote("Named", links=("Beside",)))
        assert "Beside" not in said(corpus, {"A": 1.0})
        scores = said(corpus, {"A": 1.0}, named={corpus.number("Named"): 1.0})
        assert scores["Named"] > scores["Beside"] > 0


class TestHowSureItIs:
    def test_the_note_that_was_found_best_stays_first(self) -> None:
        corpus = linked(FakeNote("Winner", "alone"), FakeNote("A", links=("B",)), FakeNote("C", links=("B", "A")))
        scores = score(corpus, {"Winner": 1.0, "A": 0.99, "C": 0.99, "B": 0.98})
        assert isinstance(scores, Scores)
        assert corpus.titles(scores.surest) == ["Winner"]

    @pytest.mark.parametrize(
        ("found", "confidence"),
        [
            ({"A": 1.0}, 1.0),
            ({"A": 1.0, "Alone": 1.0}, 1.0),
            ({"A": 0.5, "Alone": 1.0}, 0.4),  # 2 * 0.25 / 1.25
            ({"A": 0.1, "Alone": 1.0}, 0.02 / 1.01),
        ],
    )
    def test_the_confidence_is_twice_the_linked_share_of_what_was_found(
        self, found: dict[str, float], confidence: float
    ) -> None:
        scores = score(linked(FakeNote("A", links=("B",)), FakeNote("Alone")), found)
        assert isinstance(scores, Scores) and scores.confidence == pytest.approx(confidence)

    def test_without_links_it_says_so(self) -> None:
        assert score(FakeCorpus((FakeNote("A"), FakeNote("B"))), {"A": 1.0}) == Skipped("the best notes have no links")

    def test_links_of_notes_that_were_not_found_are_none(self) -> None:
        corpus = linked(FakeNote("A"), FakeNote("B", links=("C",)))
        assert score(corpus, {"A": 1.0}) == Skipped("the best notes have no links")

    @pytest.mark.parametrize("found", [{}, {"A": 0.0}])
    def test_where_nothing_was_found_it_says_so(self, found: dict[str, float]) -> None:
        assert score(linked(FakeNote("A", links=("B",))), found) == Skipped("nothing was found to start from")

    def test_the_order_of_equals_does_not_depend_on_the_order_of_what_was_found(self) -> None:
        corpus = linked(FakeNote("A", links=("C",)), FakeNote("B", links=("C",)))
        one, other = said(corpus, {"A": 1.0, "B": 1.0}), said(corpus, {"B": 1.0, "A": 1.0})
        assert one == pytest.approx(other)
