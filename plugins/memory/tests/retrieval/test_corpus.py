"""The index as signals see it, over a small vault."""

from __future__ import annotations

import datetime
import math
from typing import Any

import pytest
from attrs import evolve
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from aries_kernel.contracts import NoteView, Place, Tie, Vectors
from aries_kernel.errors import UserError
from ori_memory.index.entities import entity_keys
from ori_memory.retrieval.corpus import IndexCorpus

NOTES = {
    "Rye bread": (
        "---\nid: rye\naliases: [Roggenbrot]\ntype: learning\nstatus: active\nproject: [baking]\ncreated: 2024-05-03\n"
        "pinned: true\n---\nKneaded from rye, says Clara Schumann. It needs a [[Oven|hot oven]]. Model BX-42.\n"
    ),
    "Oven": "---\nid: oven\n---\nHeat it. Then bake. Clara Schumann did so.\n",
    "Shopping": "Butter for Rye bread and Oven. Rye.\n",
    "chat/1": "---\nsource: {session: s-1}\n---\nAnna: is it hot?\n",
    "chat/2": "---\nsource: {session: s-1}\n---\nBen: zebra.\n",
    "chat/10": "---\nsource: {session: s-1}\n---\nAnna: then eat.\n",
    "面包": "黑麦面包的做法很简单。\n",
    "Empty": "",
}


@pytest.fixture
def notes(shelf: Any) -> Any:
    return shelf.fill(NOTES)


def named(corpus: IndexCorpus, found: Any) -> Any:
    """Numbers as paths."""
    rows = dict(corpus.connection.execute("SELECT num, path FROM note"))
    if isinstance(found, dict):
        return {rows[num].removesuffix(".md"): value for num, value in found.items()}
    return [rows[num].removesuffix(".md") for num in found]


def number(corpus: IndexCorpus, path: str) -> int:
    return int(corpus.connection.execute("SELECT num FROM note WHERE path = ?", (f"{path}.md",)).fetchone()[0])


def every(corpus: IndexCorpus) -> list[int]:
    return [row[0] for row in corpus.connection.execute("SELECT num FROM note ORDER BY num")]


class TestNotes:
    def test_it_knows_how_many_there_are_and_the_day(self, notes: Any) -> None:
        assert notes.corpus(lambda corpus: (corpus.note_count, corpus.today)) == (8, datetime.date(2024, 6, 12))

    def test_a_note_has_its_properties(self, notes: Any) -> None:
        def work(corpus: IndexCorpus) -> NoteView:
            return corpus.describe([number(corpus, "Rye bread")])[number(corpus, "Rye bread")]

        view = notes.corpus(work)
        assert (view.id, view.path, view.title, view.aliases) == ("rye", "Rye bread.md", "Rye bread", ("Roggenbrot",))
        assert (view.type, view.status, view.projects) == ("learning", "active", ("baking",))
        assert (view.created, view.is_pinned) == (datetime.date(2024, 5, 3), True)
        assert view.words > 10

    def test_texts_are_bodies_and_what_is_no_note_is_left_out(self, notes: Any) -> None:
        def work(corpus: IndexCorpus) -> Any:
            return named(corpus, corpus.texts([number(corpus, "Oven"), number(corpus, "Empty"), 10_000])), [
                *corpus.describe([10_000])
            ]

        texts, described = notes.corpus(work)
        assert {path: text.strip() for path, text in texts.items()} == {
            "Oven": "Heat it. Then bake. Clara Schumann did so.",
            "Empty": "",
        }
        assert described == []


class TestWords:
    def rank(self, notes: Any, *words: str, limit: int = 9) -> list[str]:
        return notes.corpus(lambda corpus: named(corpus, list(corpus.rank_words(words, limit))))  # type: ignore[no-any-return]

    def test_the_best_note_comes_first_and_the_limit_is_kept(self, notes: Any) -> None:
        assert self.rank(notes, "rye", "kneaded") == ["Rye bread", "Shopping"]
        assert self.rank(notes, "rye", "kneaded", limit=1) == ["Rye bread"]

    def test_stems_aliases_and_beginnings_are_found(self, notes: Any) -> None:
        assert self.rank(notes, "kneading") == ["Rye bread"]
        assert self.rank(notes, "roggenbrot") == ["Rye bread"]
        assert self.rank(notes, "rogg*") == ["Rye bread"]
        assert self.rank(notes, "rogg") == []

    @pytest.mark.parametrize("words", [(), ("",), ("*",), ('"',), ("?!",), ("\0",), ("\ud800",), ("zyxwv\0",)])
    def test_what_is_no_word_finds_nothing(self, notes: Any, words: tuple[str, ...]) -> None:
        assert self.rank(notes, *words) == []

    def test_a_script_without_spaces_is_found_by_pairs_and_pieces(self, notes: Any) -> None:
        assert self.rank(notes, "黑麦", "麦面") == ["面包"]
        assert notes.corpus(lambda corpus: named(corpus, list(corpus.rank_pieces(["面包的做法"], 9)))) == ["面包"]

    def test_pieces_of_code_are_found_within_a_name(self, notes: Any) -> None:
        notes.write("Code.md", "parseHTMLFile")
        assert notes.corpus(lambda corpus: named(corpus, list(corpus.rank_pieces(["HTMLFi"], 9)))) == ["Code"]
        assert notes.corpus(lambda corpus: dict(corpus.rank_pieces(["ab"], 9))) == {}

    def test_a_line_of_a_talk_is_found_by_its_neighbours(self, notes: Any) -> None:
        found = notes.corpus(lambda corpus: named(corpus, dict(corpus.rank_windows(["zebra"], 9))))
        assert next(iter(found)) == "chat/2" and set(found) == {"chat/1", "chat/2", "chat/10"}

    def test_the_words_of_notes_are_counted(self, notes: Any) -> None:
        notes.write("Count.md", "# Count\n\nfour words are here 黑麦")

        def look(corpus: IndexCorpus) -> list[int]:
            return [corpus.lengths([num, -1])[num] for num in every(corpus) if "Count" in named(corpus, [num])]

        assert notes.corpus(look) == [9]

    def test_rarity_falls_with_the_notes_that_hold_a_word(self, notes: Any) -> None:
        rarity = notes.corpus(lambda corpus: dict(corpus.rarity(["rye", "kneaded", "zyxwv", "kneaded"])))
        assert rarity == pytest.approx({"rye": math.log(1 + 6.5 / 2.5), "kneaded": math.log(1 + 7.5 / 1.5)})

    def test_the_notes_that_hold_a_word_are_told_unless_they_are_too_many(self, notes: Any) -> None:
        def look(corpus: IndexCorpus) -> dict[str, list[str]]:
            held = corpus.holding(["rye", "kneading", "zyxwv", "oven"], 2)
            return {word: sorted(named(corpus, list(found))) for word, found in held.items()}

        assert notes.corpus(look) == {"rye": ["Rye bread", "Shopping"], "kneading": ["Rye bread"]}


class TestPhrases:
    def hold(self, notes: Any, phrase: str, limit: int = 9) -> list[str]:
        return sorted(notes.corpus(lambda corpus: named(corpus, list(corpus.hold_phrase(phrase, limit)))))

    @pytest.mark.parametrize(
        ("phrase", "held"),
        [
            ("Rye bread", ["Rye bread", "Shopping"]),
            ("rye BREAD", ["Rye bread", "Shopping"]),
            ("bread rye", []),
            ("BX-42", ["Rye bread"]),
            ("BX 42", []),
            ("knead", []),
            ("面包的做法", ["面包"]),
            ("", []),
            ("?", []),
        ],
    )
    def test_the_words_must_stand_one_after_the_other_as_written(
        self, notes: Any, phrase: str, held: list[str]
    ) -> None:
        assert self.hold(notes, phrase) == held

    def test_a_longer_word_or_name_is_another_one(self, notes: Any) -> None:
        notes.write("Long.md", "BX-420, XBX-42 and Rye breads")
        assert self.hold(notes, "BX-42") == ["Rye bread"]
        assert self.hold(notes, "Rye bread") == ["Rye bread", "Shopping"]

    def test_the_limit_is_kept(self, notes: Any) -> None:
        assert len(self.hold(notes, "Rye bread", 1)) == 1


class TestThreads:
    def test_places_members_and_speakers(self, notes: Any) -> None:
        def work(corpus: IndexCorpus) -> Any:
            places = corpus.places(every(corpus))
            threads = {place.thread for place in places.values()}
            members = [named(corpus, list(one)) for one in corpus.members(threads).values()]
            return {path: place[1:] for path, place in named(corpus, places).items()}, members, corpus.speakers()

        places, members, speakers = notes.corpus(work)
        assert places == {"chat/1": (0, "anna"), "chat/2": (1, "ben"), "chat/10": (2, "anna")}
        assert members == [["chat/1", "chat/2", "chat/10"]]
        assert speakers == {"anna"}, "who speaks once may be anything before a colon"

    def test_without_threads_there_is_nothing(self, shelf: Any) -> None:
        shelf.fill({"a": "Anna: hi", "b": "Ben: hi"})
        found = shelf.corpus(lambda corpus: (corpus.places(every(corpus)), corpus.rank_windows(["hi"], 9)))
        assert found == ({}, {})

    def test_a_place_is_a_place(self, notes: Any) -> None:
        found = notes.corpus(lambda corpus: next(iter(corpus.places(every(corpus)).values())))
        assert isinstance(found, Place)


class TestTies:
    def ties(self, shelf: Any, path: str) -> list[tuple[str, str, float, str]]:
        def work(corpus: IndexCorpus) -> list[tuple[str, str, float, str]]:
            found: list[Tie] = list(corpus.ties([number(corpus, path)]).get(number(corpus, path), ()))
            return [(named(corpus, [tie.note])[0], tie.kind, tie.weight, tie.context) for tie in found]

        return shelf.corpus(work)  # type: ignore[no-any-return]

    def test_a_link_and_a_mention_lead_both_ways_with_their_sentence(self, notes: Any) -> None:
        [oven, shopping] = self.ties(notes, "Rye bread")
        assert oven[:3] == ("Oven", "written", 1.0) and "hot oven" in oven[3]
        assert shopping == ("Shopping", "suggested", 1.0, "Butter for Rye bread and Oven")
        assert [tie[:3] for tie in self.ties(notes, "Oven")] == [
            ("Rye bread", "written", 1.0),
            ("Shopping", "suggested", 1.0),
        ]

    def test_a_note_without_any_has_none(self, notes: Any) -> None:
        assert self.ties(notes, "Empty") == []

    def test_a_plain_word_in_small_letters_counts_a_third(self, shelf: Any) -> None:
        shelf.fill({"sourdough": "", "a": "my sourdough", "b": "Sourdough"})
        weights = {path: weight for path, _, weight, _ in self.ties(shelf, "sourdough")}
        assert weights == {"a": 0.3, "b": 1.0}

    def test_a_name_of_several_notes_is_shared_between_them(self, shelf: Any) -> None:
        shelf.fill({"x/Weekly review": "", "y/Weekly review": "", "a": "The Weekly review was long."})
        assert [weight for _, _, weight, _ in self.ties(shelf, "a")] == [0.5, 0.5]

    def test_a_name_of_five_notes_ties_nobody(self, shelf: Any) -> None:
        shelf.fill({f"{place}/Weekly review": "" for place in range(5)} | {"a": "The Weekly review was long."})
        assert self.ties(shelf, "a") == []

    def test_the_words_around_two_links_to_one_note_are_both_known(self, shelf: Any) -> None:
        shelf.fill({"b": "", "a": "First the [[b]] of May.\n\nThen the [[b]] of June."})
        [tie] = self.ties(shelf, "a")
        assert "May" in tie[3] and "June" in tie[3]

    @pytest.mark.parametrize("end", ["。", "！", "？", ". ", "! ", "\n"])
    def test_a_sentence_ends_with_its_sign_blank_or_not(self, shelf: Any, end: str) -> None:
        shelf.fill({"Clara Schumann": "", "a": f"黑麦面包很好{end}Clara Schumann也吃{end}面包的做法很简单{end}"})
        [tie] = self.ties(shelf, "a")
        assert tie[3] == "Clara Schumann也吃"

    def test_of_a_note_that_hundreds_link_the_same_ties_are_known_whatever_their_numbers(self, shelf: Any) -> None:
        for number in (*range(300, 500), *range(300)):
            shelf.write(f"from {number:03}.md", "To the [[Hub]] of May.")
            if number in (499, 299):
                shelf.memory().sync()
        shelf.write("Hub.md", "Here.")
        ties = self.ties(shelf, "Hub")
        assert sorted(tie[0] for tie in ties) == [f"from {number:03}" for number in range(400)]
        assert all("of May" in tie[3] for tie in ties)

    def test_a_note_with_more_ties_than_are_asked_for_is_left_out(self, shelf: Any) -> None:
        shelf.fill({f"from {number}": "To the [[Hub]]. See [[Few]]." for number in range(8)})
        shelf.fill({"Hub": "", "Few": "Of [[Hub]]."})

        def work(corpus: IndexCorpus) -> Any:
            hub, few = number(corpus, "Hub"), number(corpus, "Few")
            known = [{num: len(ties) for num, ties in corpus.few_ties([hub, few], most).items()} for most in (8, 9, 3)]
            return hub, few, known, len(corpus.ties([hub])[hub])

        hub, few, [eight, nine, three], all_of_hub = shelf.corpus(work)
        assert (eight, nine, three, all_of_hub) == ({}, {hub: 9, few: 9}, {}, 9)


class TestEntities:
    def test_a_name_that_two_notes_hold_ties_them(self, notes: Any) -> None:
        [key] = entity_keys("Clara Schumann")

        def work(corpus: IndexCorpus) -> Any:
            held = corpus.holders([key])
            return [sorted(named(corpus, list(one))) for one in held.values()], key in corpus.entities_in(
                "of Clara Schumann!"
            )

        assert notes.corpus(work) == ([["Oven", "Rye bread"]], True)

    def test_a_name_that_one_note_or_more_than_thirty_hold_connects_nothing(self, shelf: Any) -> None:
        shelf.fill({f"n{place}": "by Robert Brown" for place in range(31)} | {"one": "by Clara Schumann"})
        keys = entity_keys("by Robert Brown"), entity_keys("by Clara Schumann")
        assert shelf.corpus(lambda corpus: corpus.holders([*keys[0], *keys[1]])) == {}


class TestFromOutside:
    def test_without_a_model_it_says_why(self, notes: Any) -> None:
        assert notes.corpus(lambda corpus: corpus.vectors()) == "no embedder here"
        with pytest.raises(UserError, match="no embedder here"):
            notes.corpus(lambda corpus: corpus.embed("rye"))

    def test_vectors_are_those_of_the_notes(self, notes: Any) -> None:
        notes.embed()

        def work(corpus: IndexCorpus) -> Any:
            found = corpus.vectors()
            assert isinstance(found, Vectors)
            rye = corpus.similarity("rye bread", number(corpus, "Rye bread"))
            corpus.embed("rye bread")
            return (
                set(found.owners) == set(every(corpus)),
                found.covered,
                rye,
                corpus.similarity("rye bread", number(corpus, "Rye bread")),
            )

        owned, covered, before, after = notes.corpus(work)
        assert (owned, covered, before) == (True, 8, None)
        assert 0 < after <= 1

    def test_warmth_is_by_number(self, notes: Any) -> None:
        memory = notes.memory()
        memory.learned.add_boosts({"rye": 0.5, "nobody": 0.9}, "s")
        boosts = notes.corpus(lambda corpus: named(corpus, dict(corpus.boosts())))
        assert list(boosts) == ["Rye bread"] and 0 < boosts["Rye bread"] <= 0.5

    def test_figures_are_of_every_note(self, notes: Any) -> None:
        figures = notes.corpus(lambda corpus: (corpus.figures(), every(corpus)))
        assert set(figures[0].importance) == set(figures[0].vitality) == set(figures[1])
        assert max(figures[0].importance.values()) == 1.0


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(st.text(), max_size=6), st.text())
def test_any_text_may_be_asked_and_only_notes_of_the_vault_come_back(notes: Any, words: list[str], text: str) -> None:
    def work(corpus: IndexCorpus) -> None:
        known = set(every(corpus))
        for found in (
            corpus.rank_words(words, 9),
            corpus.rank_windows(words, 9),
            corpus.rank_pieces(words, 9),
            corpus.hold_phrase(text, 9),
        ):
            assert set(found) <= known
        assert set(corpus.rarity(words)) <= set(words)
        assert {note for held in corpus.holders(corpus.entities_in(text)).values() for note in held} <= known

    notes.corpus(work)


class TestManyNotes:
    """Where the words of a question stand in more notes than can be looked at, the rarest are looked for."""

    def corpus(self, shelf: Any, work: Any, most: int) -> Any:
        for place in range(9):
            shelf.write(f"note {place}.md", "common words" + " usual" * (place < 4) + " rare" * (place < 2))
        return shelf.corpus(lambda corpus: work(evolve(corpus, most_matches=most)))

    @pytest.mark.parametrize(
        ("words", "most", "found"),
        [
            (["common", "rare"], 9, 9),
            (["common", "rare"], 8, 2),
            (["common", "usual", "rare"], 6, 4),
            (["common", "usual", "rare"], 5, 2),
            (["common"], 3, 9),
            (["common", "nowhere"], 3, 9),
            (["nowhere"], 3, 0),
            (["comm*", "rare"], 3, 2),
            ([], 3, 0),
        ],
    )
    def test_the_commonest_words_make_way_and_one_is_always_looked_for(
        self, shelf: Any, words: list[str], most: int, found: int
    ) -> None:
        assert self.corpus(shelf, lambda corpus: len(corpus.rank_words(words, 100)), most) == found

    def test_an_answer_still_says_how_rare_every_word_is(self, shelf: Any) -> None:
        rarity = self.corpus(shelf, lambda corpus: corpus.rarity(["common", "rare", "nowhere"]), 3)
        assert list(rarity) == ["common", "rare"] and rarity["rare"] > rarity["common"] > 0
