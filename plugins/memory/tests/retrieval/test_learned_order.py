"""What use taught, in the order of an answer: from the learned store to the explanation."""

from __future__ import annotations

import datetime
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ori_memory.learned.crediting import Credit
from ori_memory.retrieval.answer import Asked, PartState
from ori_memory.retrieval.earlier import AskedBefore
from ori_memory.retrieval.question import content_words
from ori_memory.retrieval.telling import answer_data, answer_text

ASKED = "which flour for the oven loaf"
NOTES = {
    "Flour": "The flour for the oven loaf is wheat flour, says the miller. Flour of the oven loaf.",
    "Dark loaf": "For the loaf in the oven we took rye flour.",
    "Gas": "The oven takes gas.",
    "Anna": "Anna lives at the mill.",
}


@pytest.fixture
def bakery(shelf: Any) -> Any:
    shelf.fill(NOTES)
    shelf.uses("keyword", stages='["qvalue"]')
    return shelf


def credit(bakery: Any, title: str, question: str = ASKED, times: int = 1) -> None:
    with bakery.memory() as memory:
        note = memory.index.note(title).id
        memory.learned.record_credits([Credit(note, content_words(question), 1.0, "citation")] * times)


def test_before_any_use_the_order_is_that_of_relevance(bakery: Any) -> None:
    with_stage = bakery.ask(ASKED)
    assert with_stage.hits == bakery.ask(ASKED, without=("qvalue",)).hits
    assert [part.state for part in with_stage.stages] == [PartState.SKIPPED]
    assert not (bakery.root / ".ori" / "learned.db").exists()


def test_a_note_that_was_of_use_comes_first_for_a_question_like_it(bakery: Any) -> None:
    assert bakery.titles(ASKED)[0] == "Flour"
    credit(bakery, "Dark loaf", times=3)
    assert bakery.titles("the flour of a loaf from the oven")[0] == "Dark loaf"
    assert bakery.titles(ASKED, without=("qvalue",))[0] == "Flour"


def test_a_question_about_something_else_has_the_same_answer_as_before(bakery: Any) -> None:
    """G.4-59."""
    before = bakery.ask("where Anna lives").hits
    credit(bakery, "Dark loaf", times=500)
    assert bakery.ask("where Anna lives").hits == before


class TestConfidence:
    def test_the_more_often_a_note_was_of_use_for_a_question_the_surer_is_its_answer(self, bakery: Any) -> None:
        unlearned = bakery.ask(ASKED).confidence
        sure = []
        for _ in range(3):
            credit(bakery, "Flour")
            sure.append(bakery.ask(ASKED).confidence)
        assert unlearned < sure[0] < sure[1] < sure[2] < 1

    def test_a_note_that_use_put_first_is_surer_than_its_words_make_it(self, bakery: Any) -> None:
        credit(bakery, "Dark loaf", times=3)
        bakery.write("Flour.md", "Gone.")
        alone = bakery.ask(ASKED, without=("qvalue",))
        learned = bakery.ask(ASKED)
        assert alone.hits[0].title == learned.hits[0].title == "Dark loaf"
        assert learned.confidence > max(0.9, alone.confidence)

    def test_what_was_learned_of_other_questions_changes_it_not_by_a_digit(self, bakery: Any) -> None:
        questions = ("where Anna lives", "mill", "what gas costs", "zqxv")
        before = [bakery.ask(text).confidence for text in questions]
        credit(bakery, "Dark loaf", times=9)
        assert [bakery.ask(text).confidence for text in questions] == before
        assert bakery.ask(ASKED, without=("qvalue",)).confidence < bakery.ask(ASKED).confidence

    def test_another_note_that_was_of_use_does_not_make_the_first_one_surer(self, bakery: Any) -> None:
        first = bakery.ask("flour says the miller")
        credit(bakery, "Gas", "flour says the miller")
        learned = bakery.ask("flour says the miller")
        assert learned.hits[0].title == first.hits[0].title == "Flour"
        assert learned.confidence <= first.confidence


def test_the_explanation_says_what_a_note_gained_and_from_which_question(bakery: Any) -> None:
    credit(bakery, "Dark loaf", times=3)
    answer = bakery.ask(ASKED)
    told = answer_data(answer, explain=True)["results"][0]
    assert told["title"] == "Dark loaf"
    assert [line.split(": ")[1] for line in told["why"]] == ["of use for 'flour oven loaf', alike 1.00"]
    assert told["why"][0] in answer_text(answer, explain=True)
    assert "why" not in answer_data(answer)["results"][0]


def test_what_was_learned_does_not_depend_on_the_index(bakery: Any) -> None:
    credit(bakery, "Dark loaf", times=3)
    before = bakery.titles(ASKED)
    for file in (bakery.root / ".ori").glob("index.db*"):
        file.unlink()
    assert bakery.titles(ASKED) == before == ["Dark loaf", "Flour", "Gas"]


def test_what_is_learned_while_a_memory_is_open_counts_at_once(bakery: Any) -> None:
    with bakery.memory() as memory:
        note = memory.index.note("Dark loaf").id
        assert memory.ask(Asked(ASKED)).hits[0].title == "Flour"
        memory.learned.record_credits([Credit(note, content_words(ASKED), 1.0, "citation")] * 3)
        assert memory.ask(Asked(ASKED)).hits[0].title == "Dark loaf"


def test_a_note_that_is_not_there_any_more_is_no_hit(bakery: Any) -> None:
    """G.4-53."""
    credit(bakery, "Dark loaf", times=3)
    (bakery.root / "Dark loaf.md").unlink()
    assert bakery.titles(ASKED) == ["Flour", "Gas"]


def test_what_was_asked_for_literally_stays_first(bakery: Any) -> None:
    credit(bakery, "Dark loaf", '"wheat flour" for the oven loaf', times=50)
    assert bakery.titles('"wheat flour" for the oven loaf')[0] == "Flour"


def test_a_store_that_cannot_be_read_is_told_and_the_answer_stands(bakery: Any) -> None:
    credit(bakery, "Dark loaf", times=3)
    for file in (bakery.root / ".ori").glob("learned*"):
        file.unlink()
    (bakery.root / ".ori" / "learned.db").write_bytes(b"no database at all" * 100)
    memory = bakery.memory()
    assert memory.ask(Asked(ASKED)).hits[0].title == "Flour"
    assert any("learned" in warning for warning in memory.warnings)


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["Flour", "Dark loaf", "Gas"]),
            st.lists(
                st.sampled_from(["flour", "floury", "loaf", "oven", "ovens", "gas", "te", "tea"]),
                min_size=1,
                max_size=4,
            ),
        ),
        max_size=12,
    )
)
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_command_and_a_server_answer_alike(bakery: Any, learned: list[tuple[str, list[str]]]) -> None:
    """The first question of a process reads only what it needs, later ones all."""
    for file in (bakery.root / ".ori").glob("learned*"):
        file.unlink()
    with bakery.memory() as memory:
        for title, words in learned:
            memory.learned.record_credits([Credit(memory.index.note(title).id, tuple(words), 1.0, "citation")])
    with bakery.memory() as memory:
        first, second, third = (memory.ask(Asked("flour of the ovens loaf")).hits for _ in range(3))
    assert first == second == third


class TestAskedBefore:
    def before(self, *rows: tuple[str, str]) -> AskedBefore:
        """Notes and the questions they were of use for."""
        from ori_memory.learned.crediting import Credited, topic_of

        at = datetime.datetime(2024, 6, 1, tzinfo=datetime.UTC)
        return AskedBefore(
            tuple(
                Credited(note, topic_of(words := tuple(asked.split())), words, 1.0, 1, at, at) for note, asked in rows
            )
        )

    def test_forms_of_a_word_are_one_word(self) -> None:
        found = self.before(("a", "brewing tea"), ("b", "coffee"), ("c", "painted fence"))
        assert [one.words for one in found.sharing(["brewingly", "x"])] == [("brewing", "tea")]
        assert [one.words for one in found.sharing(["paints"])] == [("painted", "fence")]

    def test_rare_words_come_first(self) -> None:
        rows = [(f"n{n}", f"tea question{n}") for n in range(300)]
        found = self.before(*rows, ("it", "tea samovar")).sharing(["tea", "samovar"])
        assert len(found) == 100
        assert found[0].words == ("tea", "samovar")

    def test_like_questions_with_a_note_in_common_agree(self) -> None:
        found = self.before(("a", "green tea water"), ("a", "green tea heat"), ("b", "x y")).experience
        assert found.agreed > 0 == found.differed

    def test_like_questions_without_one_differ(self) -> None:
        found = self.before(("a", "green tea water"), ("b", "green tea heat"), ("b", "x y")).experience
        assert found.differed > 0 == found.agreed

    def test_notes_of_use_are_counted_by_whether_the_question_names_them_or_others(self) -> None:
        asked = {"anna mill": {"anna"}, "anna loaf": {"anna"}, "loaf oven": set[str](), "gas oven": {"gas", "oven"}}
        rows = (("anna", "anna mill"), ("dark", "anna loaf"), ("dark", "loaf oven"), ("gas", "gas oven"))
        before = self.before(*rows, ("bill", "gas oven"))
        # Of several notes of use for one question the others are no argument against what it names.
        assert before.naming(lambda one: asked[" ".join(one.words)]) == (2.0, 1.0)

    def test_a_note_that_is_cited_for_everything_has_one_vote(self) -> None:
        before = self.before(*(("spam", f"anna question{n}") for n in range(50)), ("anna", "anna mill"))
        assert before.naming(lambda one: {"anna"}) == (1.0, 1.0)

    def test_use_without_a_question_says_nothing(self) -> None:
        from ori_memory.learned.crediting import Credited

        at = datetime.datetime(2024, 6, 1, tzinfo=datetime.UTC)
        assert AskedBefore((Credited("a", "t", (), 1.0, 1, at, at),)).sharing([""]) == []


def test_exposures_are_those_of_the_notes_asked_for(bakery: Any) -> None:
    with bakery.memory() as memory:
        memory.learned.record_shown({memory.index.note("Gas").id: 3, memory.index.note("Anna").id: 1})

    def work(corpus: Any) -> tuple[Any, Any]:
        numbers = dict(corpus.connection.execute("SELECT title, num FROM note").fetchall())
        return corpus.exposures([numbers["Gas"], numbers["Flour"]]), {numbers["Gas"]: 3}

    found, expected = bakery.corpus(work)
    assert found == expected


def test_a_note_outside_the_scope_gets_no_credit(shelf: Any) -> None:
    shelf.write("work/Flour.md", NOTES["Flour"])
    shelf.write("home/Dark loaf.md", NOTES["Dark loaf"])
    shelf.uses("keyword", stages='["qvalue"]', more="  options: {qvalue: {pulled: 3, pull_from: 0}}\n")
    credit(shelf, "Dark loaf", times=3)
    assert shelf.titles(ASKED, folder="work") == ["Flour"]
    assert shelf.titles(ASKED)[0] == "Dark loaf"
