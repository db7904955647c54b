"""Words that no note holds are read as those that notes hold."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ori_memory.retrieval.spelling import Reading, read_as


def reading(shelf: Any, text: str) -> Reading:
    return shelf.corpus(lambda corpus: read_as(text, corpus))  # type: ignore[no-any-return]


@pytest.fixture
def notes(shelf: Any) -> Any:
    shelf.fill(
        {
            "Postgres tuning": "Shared buffers of postgres. Python connects with a pool.",
            "Kubernetes": "How containers are scheduled. Accommodation of pods is the scheduler's work.",
            "Knowledge base": "A knowledge base holds what a team knows; authentication guards it.",
            "Кухня": "Рецепты борща и пельменей.",
            "Küche": "Die Küchenmaschine steht neben dem Herd.",
            "Maria": "Met Maria at the station, with Hannah. Had a hand in it.",
            "Trap": "They hate the veil, and what is decent. A vos in a trap. Raimondi wrote it.",
        }
    )
    return shelf


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("posgres", "postgres"),
        ("pyhton", "python"),
        ("pythonn", "python"),
        ("kuberntes", "kubernetes"),
        ("kuberentes", "kubernetes"),
        ("Accomodation", "accommodation"),
        ("authentacation", "authentication"),
        ("authenticaation", "authentication"),
        ("knowledgebase", "knowledge base"),
        ("contianers", "containers"),
        ("пелменей", "пельменей"),
        ("küchenmachine", "küchenmaschine"),
    ],
)
def test_a_mistyped_word_is_read_as_the_one_that_notes_hold(notes: Any, typed: str, meant: str) -> None:
    found = reading(notes, f"notes on {typed} please")
    assert found.text == f"notes on {meant} please"
    assert found.instead[0][0] == typed


@pytest.mark.parametrize(
    "text",
    [
        "shared buffers",
        "postgr",  # the beginning of a word, as it is typed
        "schedulers scheduling",  # forms of a word that is there
        '"posgres"',
        "the phrase “posgres tuning”",
        "posgres_pool and posgres.pool and posgres() and /etc/posgres",
        "@posgres #posgres",
        "POSGRES",
        "Marta",  # one letter of a short word: as likely another name
        "where whom whose",
        "zebra giraffe",
        "pods' hadn't hadn’t",
        "Posgres",  # of a name a letter may be another name
        "Wie viel hatte sie",  # short words of another language have a neighbour everywhere
        "Trapp and Voss",
        "o\u0308posgres posgres\u0301",  # accents apart from their letters, as files of a Mac name them
        "DECnet",
        "Arimondi",  # who types a capital knows the first letter
        "stations",  # the beginning is known, not the word
        "scheduled",
        "重跑部署 ภาษาไทย",
        "",
    ],
)
def test_what_is_no_slip_stays_as_it_was_typed(notes: Any, text: str) -> None:
    assert reading(notes, text) == Reading(text)


def test_a_question_about_something_else_is_left_alone(notes: Any) -> None:
    text = "posgres kuberntes contianers acomodation"
    assert reading(notes, text) == Reading(text)


def test_the_answer_is_that_of_the_right_word_and_tells_it(notes: Any) -> None:
    answer = notes.ask("posgres tunning")
    assert answer.hits[0].title == "Postgres tuning"
    assert answer.question == "posgres tunning"
    assert any('"posgres"' in notice and '"postgres"' in notice for notice in answer.notices)


def test_a_name_that_was_mistyped_still_names_its_note(notes: Any) -> None:
    assert notes.ask("kuberntes").hits[0].title == "Kubernetes"


def test_a_word_that_is_typed_twice_is_told_once(notes: Any) -> None:
    found = reading(notes, "Accomodation, accomodation and contianers")
    assert found.text == "accommodation, accommodation and containers"
    assert found.notice.count("read as") == 2
    assert found.notice.index("Accomodation") < found.notice.index("contianers")


def test_it_can_be_switched_off(notes: Any) -> None:
    notes.settings("retrieval:\n  spelling: false\n")
    answer = notes.ask("posgres")
    assert not any("posgres" in notice for notice in answer.notices)


@given(st.text(max_size=60))
def test_whatever_is_typed_everything_but_mistyped_words_stays(text: str) -> None:
    class Nothing:
        """A vault without words."""

        def count(self, word: str) -> int:
            return 0

        def hold_phrase(self, phrase: str, limit: int) -> list[int]:
            return []

        def words_beginning(self, start: str, at_most: int) -> list[str]:
            return []

    assert read_as(text, Nothing()) == Reading(text)  # type: ignore[arg-type]
