"""What use tells of questions that name a note: whether they seek it, or another."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from ori_memory.learned.crediting import Credit
from ori_memory.retrieval.answer import Asked
from ori_memory.retrieval.question import content_words

PEOPLE = ("Anna Weber", "Bruno Kahn", "Clara Holm", "Dora Lind")
WORKS = {
    "Mill": "The wheel was repaired by Anna Weber in spring.",
    "Bridge": "The arch was painted by Bruno Kahn in summer.",
    "Tower": "The clock was wound by Clara Holm in autumn.",
    "The War of the Roses": "A play about a garden.",
}
NOTES = {**{name: f"{name} is a craftsman." for name in PEOPLE}, **WORKS, "Gate": "The lock was oiled by Dora Lind."}
ASKED = {
    "wheel repaired Anna Weber": "Mill",
    "arch painted Bruno Kahn": "Bridge",
    "clock wound Clara Holm": "Tower",
}
NEW = "lock oiled Dora Lind"


@pytest.fixture
def town(shelf: Any) -> Any:
    shelf.fill(NOTES)
    # With this weight of a name both notes fit about equally well.
    shelf.uses("keyword", stages='["qvalue"]', more="  named: 0.45\n")
    return shelf


def teach(town: Any, uses: Mapping[str, str]) -> tuple[float, float]:
    """Use of notes for questions; what it tells: notes that the questions name, and others."""
    with town.memory() as memory:
        memory.learned.record_credits(
            Credit(memory.index.note(title).id, content_words(text), 1.0, "citation") for text, title in uses.items()
        )
        memory.taught.keep_experience()
        told = memory.learned.experience()
        return told.named, told.unnamed


def test_it_is_told_whether_useful_notes_are_those_that_are_named(town: Any) -> None:
    assert teach(town, ASKED) == (0.0, 3.0)
    assert teach(town, {"what does Dora Lind do": "Dora Lind"}) == (1.0, 3.0)


def test_a_name_is_known_again_without_its_small_words(town: Any) -> None:
    assert teach(town, {"The War of the Roses and Anna Weber": "The War of the Roses"}) == (1.0, 0.0)


def test_questions_that_name_nobody_tell_nothing(town: Any) -> None:
    assert teach(town, {"which wheel was repaired": "Mill"}) == (0.0, 0.0)


def test_a_note_that_is_named_stands_back_where_use_was_of_others(town: Any) -> None:
    assert town.titles(NEW)[0] == "Dora Lind"
    teach(town, ASKED)
    assert town.titles(NEW)[0] == "Gate"
    assert town.titles(NEW, without=("qvalue",))[0] == "Dora Lind"


def test_the_explanation_says_so(town: Any) -> None:
    teach(town, ASKED)
    first = town.ask(NEW).hits[0]
    assert any("questions here that name a note are often about another" in line for line in first.why)


def test_a_question_that_is_a_name_brings_the_note_of_that_name(town: Any) -> None:
    teach(town, ASKED)
    assert town.titles("Dora Lind")[0] == "Dora Lind"


def test_what_was_reset_counts_no_more_and_comes_back_when_it_is_taken_back(town: Any) -> None:
    teach(town, ASKED)
    with town.memory() as memory:
        memory.learned.reset()
        memory.taught.keep_experience()
    assert town.titles(NEW)[0] == "Dora Lind"
    with town.memory() as memory:
        memory.learned.undo_reset()
        memory.taught.keep_experience()
        assert memory.ask(Asked(NEW)).hits[0].title == "Gate"


def test_another_machine_learns_it_from_the_export(town: Any) -> None:
    told = teach(town, ASKED)
    with town.memory() as memory:
        exported = memory.learned.export()
        memory.learned.reset()
    for file in (town.root / ".ori").glob("learned*"):
        file.unlink()
    with town.memory() as memory:
        memory.learned.import_(exported)
        memory.taught.keep_experience()
        assert (memory.learned.experience().named, memory.learned.experience().unnamed) == told
