"""The vault in memory answers as the contract of a corpus says."""

from __future__ import annotations

import datetime
import math

import pytest

from aries_kernel.contracts.corpus import Corpus, Credit, Earlier, Experience, NoteView, Place, Tie, Vectors
from aries_kernel.testing.corpora import FakeCorpus, FakeNote
from aries_kernel.testing.rankings import bakery

CHAT = FakeCorpus(
    (
        FakeNote("One", "Anna: apples", thread="t"),
        FakeNote("Two", "Ben: pears", thread="t"),
        FakeNote("Three", "Anna: plums", thread="t"),
        FakeNote("Four", "cherries", thread="t"),
        FakeNote("Apart", "apples and pears"),
    )
)


def test_it_is_a_corpus() -> None:
    corpus: Corpus = bakery()
    assert (corpus.note_count, corpus.today) == (13, datetime.date(2024, 6, 1))


def test_notes_are_described_and_strange_numbers_left_out() -> None:
    corpus = FakeCorpus((FakeNote("Old Mill", "two words", type="idea", aliases=("mill",)),))
    number = corpus.number("Old Mill")
    view = NoteView("id-old-mill", "notes/old-mill.md", "Old Mill", ("mill",), "idea", words=2)
    assert corpus.describe([number, 0, -1]) == {number: view}
    assert corpus.texts([number, 0]) == {number: "two words"}
    assert corpus.lengths([number, 0]) == {number: 2}


def test_words_are_ranked_by_bm25_with_the_title_counted_twice() -> None:
    corpus = FakeCorpus((FakeNote("a", "rye rye"), FakeNote("rye", "a"), FakeNote("c", "d")))
    idf, mean = math.log(1.5 / 2.5 + 1), (4 + 3 + 3) / 3
    expected = idf * 2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * 4 / mean))
    assert corpus.rank_words(["RYE", "rye"], 5)[corpus.number("a")] == pytest.approx(expected)
    assert corpus.titles(corpus.rank_words(["rye"], 1)) == ["rye"]
    assert corpus.rank_words([], 5) == FakeCorpus().rank_words(["rye"], 5) == {}


def test_windows_reach_two_neighbours_of_the_same_thread() -> None:
    assert CHAT.titles(sorted(CHAT.rank_windows(["apples"], 9))) == ["One", "Two", "Three"]
    assert bakery().with_notes(thread="").rank_windows(["rye"], 9) == {}


def test_pieces_find_words_within_words() -> None:
    corpus = bakery()
    assert corpus.titles(corpus.rank_pieces(["黑麦面包"], 1)) == ["黑麦面包"]
    assert corpus.number("Sourdough starter") in corpus.rank_pieces(["dough"], 9)


def test_a_phrase_is_held_as_written_but_for_case() -> None:
    corpus = bakery()
    assert corpus.titles(corpus.hold_phrase("old mill", 2)) == ["Rye bread", "2024-05-28"]
    assert corpus.hold_phrase("mill old", 9) == corpus.hold_phrase("ld mill", 9) == corpus.hold_phrase(" ", 9) == []


def test_threads_have_places_members_and_speakers() -> None:
    numbers = [CHAT.number(title) for title in ("One", "Two", "Three", "Four")]
    assert CHAT.places([numbers[1], CHAT.number("Apart")]) == {numbers[1]: Place(1, 1, "ben")}
    assert CHAT.members([1, 2]) == {1: tuple(numbers)}
    assert CHAT.speakers() == {"anna", "ben"}


def test_ties_lead_both_ways() -> None:
    corpus = FakeCorpus((FakeNote("a", links=("b",)), FakeNote("b", suggested=("c",)), FakeNote("c"), FakeNote("d")))
    a, b, c = (corpus.number(title) for title in "abc")
    assert corpus.ties([b, corpus.number("d")]) == {b: (Tie(a, "written", 1.0, "b"), Tie(c, "suggested", 0.3, "c"))}


def test_a_word_is_held_by_the_notes_that_have_it_unless_they_are_too_many() -> None:
    corpus = FakeCorpus((FakeNote("Rye", "bread"), FakeNote("Wheat", "bread of wheat")))
    wheat = corpus.number("Wheat")
    assert corpus.holding(["wheat", "bread", "cake"], 1) == {"wheat": [wheat]}


def test_names_in_two_notes_are_entities() -> None:
    corpus = bakery()
    (mill,) = corpus.entities_in("Where is the Old Mill?")
    holders = corpus.holders([mill])[mill]
    assert corpus.titles(holders) == ["Rye bread", "2024-05-28", "Rye loaf"]
    assert all(mill in names for names in corpus.entities(holders).values())


def test_vectors_are_of_length_one_and_belong_to_their_notes() -> None:
    corpus = FakeCorpus((FakeNote("a", vectors=((3, 4), (0, 2))), FakeNote("b")), embedded={"q": (5, 0)})
    vectors = corpus.vectors()
    assert isinstance(vectors, Vectors)
    assert list(vectors.rows) == pytest.approx([0.6, 0.8, 0, 1])
    assert (vectors.dimensions, list(vectors.owners), vectors.covered) == (2, [corpus.number("a")] * 2, 1)
    assert list(memoryview(corpus.embed("q")).cast("f")) == [1, 0]
    assert list(memoryview(corpus.embed("another")).cast("f")) == [0, 0]
    assert FakeCorpus().vectors() == "no note has a vector"


def test_boosts_and_figures_are_what_notes_were_given() -> None:
    corpus = FakeCorpus((FakeNote("a", boost=0.5, importance=1.0), FakeNote("b", vitality=0.2, community=3)))
    a, b = corpus.number("a"), corpus.number("b")
    figures = corpus.figures()
    assert corpus.boosts() == {a: 0.5}
    assert (figures.importance, figures.vitality, figures.community) == ({a: 1.0}, {b: 0.2}, {b: 3})


def test_what_use_has_taught_is_given_by_question_and_by_note() -> None:
    corpus = FakeCorpus(
        (
            FakeNote("a", useful_for=("rye bread", "rye bread"), shown=3, used_with={"b": 0.5}),
            FakeNote("b", useful_for=("Rye bread",)),
            FakeNote("c"),
        ),
        experienced=Experience(2.0, 1.0),
    )
    a, b = corpus.number("a"), corpus.number("b")
    assert corpus.earlier(["bread"]) == [
        Earlier(("rye", "bread"), (Credit(b, 1.0, 1, corpus.today),)),
        Earlier(("rye", "bread"), (Credit(a, 2.0, 2, corpus.today),)),
    ]
    assert corpus.earlier(["oven"]) == []
    assert corpus.uses([a, b, corpus.number("c")]) == {
        a: [Credit(a, 2.0, 2, corpus.today)],
        b: [Credit(b, 1.0, 1, corpus.today)],
    }
    assert corpus.experience() == Experience(2.0, 1.0)
    assert corpus.exposures([a, b]) == {a: 3}
    assert corpus.companions([b]) == {b: {a: 0.5}}
    assert corpus.companions([corpus.number("c")]) == {}
