"""The signal `keyword`."""

from __future__ import annotations

from typing import Any

import pytest

from aries_kernel.contracts import Scores, SignalFactory, Skipped
from aries_kernel.testing.corpora import FakeCorpus, FakeNote
from aries_kernel.testing.rankings import RankingCase, ask, rank
from aries_kernel.testing.signal_suite import SignalSuite
from ori_signal_keyword.signal import Keyword, Options

BREADS = FakeCorpus(
    (
        FakeNote("Wheat", "A loaf of wheat."),
        FakeNote("Rye", "Bread of rye, sour bread of rye."),
        FakeNote("Oven", "Heat it."),
    )
)
TALK = FakeCorpus(
    (
        FakeNote("1", "Anna: what did the oven cost?", thread="talk"),
        FakeNote("2", "Ben: eighty euros.", thread="talk"),
        FakeNote("3", "Anna: that is a lot.", thread="talk"),
        FakeNote("4", "Ben: see you on Monday.", thread="talk"),
        FakeNote("Alone", "Eighty sheep."),
    )
)


class TestKeyword(SignalSuite):
    @pytest.fixture
    def factory(self) -> SignalFactory:
        return Keyword

    @pytest.fixture
    def case(self) -> RankingCase:
        return RankingCase(ask("rye bread"), BREADS, rank(BREADS, ["Wheat", "Rye"]))


def said(corpus: FakeCorpus, text: str, options: Options | None = None, **parts: Any) -> Scores:
    scores = Keyword(options or Options()).score(ask(text, **parts), corpus, {})
    assert isinstance(scores, Scores), scores
    return scores


def first(corpus: FakeCorpus, text: str, **parts: Any) -> list[str]:
    return corpus.titles(said(corpus, text, **parts).surest)


def order(corpus: FakeCorpus, scores: Scores) -> list[str]:
    return corpus.titles(sorted(scores.scores, key=lambda note: -scores.scores[note]))


class TestWords:
    def test_the_best_note_has_one_and_notes_without_a_word_are_left_out(self) -> None:
        scores = said(BREADS, "rye bread")
        assert order(BREADS, scores) == ["Rye"] and max(scores.scores.values()) == 1.0
        assert scores.confidence == 1.0 and scores.surest == ()

    def test_margins_are_kept(self) -> None:
        raw, scores = BREADS.rank_words(["rye", "wheat"], 9), said(BREADS, "rye wheat").scores
        rye, wheat = BREADS.number("Rye"), BREADS.number("Wheat")
        assert scores[wheat] / scores[rye] == pytest.approx(raw[wheat] / raw[rye])

    @pytest.mark.parametrize(
        ("text", "reason"),
        [
            ("what is the", "the question has no words"),
            ("zebra", "no note holds a word of the question"),
        ],
    )
    def test_where_there_is_nothing_to_look_for_it_says_so(self, text: str, reason: str) -> None:
        assert Keyword(Options()).score(ask(text), BREADS, {}) == Skipped(reason)

    def test_a_word_that_no_note_holds_is_the_beginning_of_a_longer_one(self) -> None:
        corpus = FakeCorpus((FakeNote("Setup", "configuration of the oven"), FakeNote("Other", "where we are")))
        assert order(corpus, said(corpus, "where is the config", words=("config",))) == ["Setup"]

    def test_of_a_word_that_notes_hold_longer_ones_are_not_meant(self) -> None:
        corpus = FakeCorpus((FakeNote("Long", "configuration of the oven"), FakeNote("Short", "config of the mill")))
        assert order(corpus, said(corpus, "where is the config", words=("config",))) == ["Short"]


class TestLiterally:
    @pytest.mark.parametrize(
        ("name", "parts"),
        [
            ("ABC-123", "abc 123"),
            ("v0.7.0", "v0 7 0"),
            ("snake_case", "snake case"),
            ("Resume J", "resume of j"),
            ("3.11.4", "3 11 4"),
        ],
    )
    def test_a_name_that_was_typed_comes_first_whatever_the_words_say(self, name: str, parts: str) -> None:
        corpus = FakeCorpus(
            (
                FakeNote(f"All about {parts}", f"{parts} and {parts} again. " * 3),
                FakeNote("Log of Monday", f"Long day. In the end {name.lower()} was there, nothing else to tell."),
                FakeNote("Other", "where we are"),
            )
        )
        scores = said(corpus, f"where is {name}", words=tuple(parts.split()), identifiers=(name,))
        assert order(corpus, scores)[0] == f"All about {parts}"
        assert corpus.titles(scores.surest) == ["Log of Monday"]

    def test_a_longer_name_is_another_one(self) -> None:
        corpus = FakeCorpus((FakeNote("Other", "ABC-1234 and XABC-123"), FakeNote("None", "abc 123")))
        assert first(corpus, "ABC-123", identifiers=("ABC-123",)) == []

    def test_a_quoted_phrase_comes_first(self) -> None:
        corpus = FakeCorpus((FakeNote("Mill old", "old old mill mill"), FakeNote("Walk", "To the Old Mill and back")))
        assert first(corpus, 'the "old mill" walk', phrases=("old mill",)) == ["Walk"]

    def test_of_a_longer_question_it_is_one_note_that_must_not_be_lost(self) -> None:
        corpus = FakeCorpus(tuple(FakeNote(f"n{place}", "uses AB-1" + " yes" * place) for place in range(4)))
        assert len(first(corpus, "who uses AB-1 at home", identifiers=("AB-1",))) == 1

    def test_a_question_that_is_only_a_name_asks_for_all_notes_that_hold_it(self) -> None:
        corpus = FakeCorpus(tuple(FakeNote(f"n{place}", "AB-1" + " yes" * place) for place in range(4)))
        assert first(corpus, "AB-1", identifiers=("AB-1",)) == ["n0", "n1", "n2", "n3"]
        assert first(corpus, "AB-1", identifiers=("AB-1",), limit=2) == ["n0", "n1"]

    def test_a_note_that_holds_two_of_the_names_comes_before_one_that_holds_one(self) -> None:
        corpus = FakeCorpus((FakeNote("AB-1", "AB-1 AB-1"), FakeNote("Both", "from AB-1 to CD-2, among much else")))
        assert first(corpus, "AB-1 CD-2", identifiers=("AB-1", "CD-2")) == ["Both", "AB-1"]

    def test_few_words_that_stand_so_in_a_long_note_find_it(self) -> None:
        short = tuple(FakeNote(f"n{place}", "explain exploring explainable") for place in range(3))
        corpus = FakeCorpus((*short, FakeNote("Essay", "long " * 300 + "an explorable explanation of it")))
        assert order(corpus, said(corpus, "explorable explanation"))[0] == "Essay"
        assert said(corpus, "explorable explanation").surest == ()

    def test_words_that_stand_so_in_many_notes_say_no_more_than_others(self) -> None:
        notes = (FakeNote("Best", "old mills, mill mill old"), *(FakeNote(f"n{i}", "an old mill") for i in range(21)))
        corpus = FakeCorpus(notes)
        assert said(corpus, "old mill").scores == said(corpus, "old ... mill").scores
        assert said(FakeCorpus(notes[:9]), "old mill").scores != said(FakeCorpus(notes[:9]), "old ... mill").scores

    def test_a_name_within_a_long_question_is_one_word_among_others(self) -> None:
        corpus = FakeCorpus(
            (FakeNote("Log", "AB-1"), FakeNote("Fix", "the rare word of a long question and its answer"))
        )
        asked = {"words": ("rare", "word", "long", "answer", "ab", "1"), "identifiers": ("AB-1",)}
        assert first(corpus, "what rare word is the answer of a long AB-1", **asked) == []

    def test_a_name_that_stands_in_more_than_twenty_notes_is_a_word_like_others(self) -> None:
        notes = tuple(FakeNote(f"n{place}", "uses AB-1") for place in range(21))
        assert first(FakeCorpus(notes), "AB-1", identifiers=("AB-1",)) == []
        assert len(first(FakeCorpus(notes[:20]), "AB-1", identifiers=("AB-1",), limit=30)) == 20


class TestOtherLanguages:
    def test_a_script_without_spaces_is_found_by_its_pieces(self) -> None:
        corpus = FakeCorpus((FakeNote("一", "面包的做法很简单"), FakeNote("二", "天气很好")))
        scores = said(corpus, "面包的做法", words=("面包的做法",), is_english=False)
        assert order(corpus, scores) == ["一"]

    @pytest.mark.parametrize("word", ["Zugverbindung", "ДОКУМЕНТ"])
    def test_the_beginning_of_a_long_word_stands_for_its_forms(self, word: str) -> None:
        word = word.lower()
        corpus = FakeCorpus((FakeNote("Formen", f"Alle {word}en heute"), FakeNote("Nichts", "alles andere")))
        assert order(corpus, said(corpus, word, is_english=False)) == ["Formen"]

    def test_a_letter_with_dots_may_be_spelled_out(self) -> None:
        corpus = FakeCorpus((FakeNote("Mit", "die konvexe hulle"), FakeNote("Ohne", "eine frauenkirche")))
        assert order(corpus, said(corpus, "huelle", is_english=False)) == ["Mit"]
        assert order(corpus, said(corpus, "frauenkirche", is_english=False)) == ["Ohne"]

    def test_english_words_have_stems_and_need_no_beginnings(self) -> None:
        corpus = FakeCorpus((FakeNote("Other", "connecticut"),))
        assert Keyword(Options()).score(ask("connection"), corpus, {}) == Skipped(
            "no note holds a word of the question"
        )

    def test_a_short_word_stands_for_itself(self) -> None:
        corpus = FakeCorpus((FakeNote("Haus", "haus"), FakeNote("Hausboot", "hausboote")))
        assert order(corpus, said(corpus, "haus", is_english=False)) == ["Haus"]


class TestNeighbours:
    def test_a_line_of_a_talk_is_found_by_what_was_said_beside_it(self) -> None:
        assert "2" in order(TALK, said(TALK, "oven cost"))
        assert order(TALK, said(TALK, "oven cost", Options(window_share=0.0)))[0] == "1"

    def test_the_line_that_holds_the_words_itself_stays_before_its_neighbours(self) -> None:
        assert order(TALK, said(TALK, "oven cost"))[0] == "1"

    def test_an_answer_beside_its_question_beats_a_note_that_holds_the_same_word_of_it(self) -> None:
        assert order(TALK, said(TALK, "oven cost eighty"))[:3] == ["1", "2", "Alone"]
        assert order(TALK, said(TALK, "oven cost eighty", Options(window_share=0.0)))[:3] == ["1", "Alone", "2"]

    def test_where_there_are_no_threads_nothing_changes(self) -> None:
        alone = TALK.with_notes(thread="")
        assert said(alone, "oven eighty") == said(alone, "oven eighty", Options(window_share=0.0))


class TestLongNotes:
    TOGETHER = "Anna: well, well." + " so it goes." * 210 + " Ben: we took rye bread from the oven."

    def test_one_that_holds_the_words_in_one_place_comes_before_one_that_has_them_here_and_there(self) -> None:
        apart = FakeNote(
            "Apart", "rye, rye." + " so it goes." * 150 + " bread, bread." + " so it goes." * 150 + " oven"
        )
        corpus = FakeCorpus((apart, FakeNote("Together", self.TOGETHER)))
        assert order(corpus, said(corpus, "rye bread oven")) == ["Together", "Apart"]
        assert order(corpus, said(corpus, "rye bread oven", Options(nearness=0))) == ["Apart", "Together"]

    def test_the_distance_of_words_in_a_short_note_says_nothing(self) -> None:
        apart = FakeNote("Apart", "rye, rye." + " so it goes." * 60 + " bread, bread." + " so it goes." * 60 + " oven")
        corpus = FakeCorpus((apart, FakeNote("Short", "rye bread")))
        assert said(corpus, "rye bread oven") == said(corpus, "rye bread oven", Options(nearness=0))

    def test_in_other_languages_the_words_of_a_long_note_may_stand_anywhere(self) -> None:
        corpus = FakeCorpus((FakeNote("Apart", f"roggen {'und so fort ' * 150} ofen"), FakeNote("Kurz", "roggen")))
        asked = {"is_english": False}
        assert said(corpus, "roggen ofen", **asked) == said(corpus, "roggen ofen", Options(nearness=0), **asked)

    def test_a_long_note_that_was_not_looked_at_does_not_overtake_those_that_were(self) -> None:
        filler = " so it goes." * 150
        notes = [FakeNote(f"n{place}", f"{'rye ' * 9}{filler}{'bread ' * 9}{filler}") for place in range(15)]
        corpus = FakeCorpus((*notes, FakeNote("Late", f"rye{filler}{filler} bread so")))
        assert order(corpus, said(corpus, "rye bread"))[-1] == "Late"

    def test_of_books_only_the_first_are_looked_into(self) -> None:
        filler = " so it goes." * 7_000
        notes = [FakeNote(f"n{place}", f"{'rye ' * 9}bread{filler}") for place in range(4)]
        apart = FakeNote("Apart", f"{'rye ' * 8}{filler} bread {'so ' * 20_000}")
        ranked = order(FakeCorpus((*notes, apart)), said(FakeCorpus((*notes, apart)), "rye bread"))
        assert ranked[-1] == "Apart" and len(ranked) == 5

    def test_a_long_note_whose_words_are_only_in_its_title_counts_as_the_worst(self) -> None:
        corpus = FakeCorpus((FakeNote("Rye bread oven", "so it goes. " * 150), FakeNote("Together", self.TOGETHER)))
        assert set(order(corpus, said(corpus, "rye bread oven"))) == {"Rye bread oven", "Together"}


@pytest.mark.parametrize("value", [-0.1, 7.0, float("nan")])
def test_a_setting_that_would_turn_the_order_round_is_refused(value: float) -> None:
    with pytest.raises(ValueError, match="nearness"):
        Options(nearness=value)
