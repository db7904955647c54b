"""An answer does not depend on the numbers of notes, nor on what was asked before."""

from __future__ import annotations

import sqlite3
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ori_memory.retrieval.ordering import in_steady_order

NAMES = [f"{sign}{number}" for number in range(6) for sign in "cab"]


def answers(shelf: Any, *questions: str) -> list[list[tuple[str, float, str]]]:
    memory = shelf.memory()
    from ori_memory.retrieval.answer import Asked

    try:
        return [[(hit.path, hit.score, hit.snippet) for hit in memory.ask(Asked(text)).hits] for text in questions]
    finally:
        memory.close()


def test_notes_that_are_alike_come_by_their_paths_though_they_came_one_by_one(shelf: Any) -> None:
    for name in reversed(NAMES):
        shelf.write(f"{name}.md", "Rye and water. See [[Oven]].")
        shelf.memory().sync()
    shelf.write("Oven.md", "Hot.")
    one_by_one = answers(shelf, "rye water", "oven", "hot rye")
    for file in (shelf.root / ".ori").glob("index.db*"):
        file.unlink()
    assert answers(shelf, "rye water", "oven", "hot rye") == one_by_one
    notes = [path for path, *_ in one_by_one[0] if path != "Oven.md"]
    assert notes == sorted(f"{name}.md" for name in NAMES)[: len(notes)]


def test_what_was_asked_before_changes_no_answer(shelf: Any) -> None:
    for number in range(40):
        shelf.write(f"note {number}.md", f"Rye {number} of Clara Schumann. See [[note {number * 7 % 40}]], water.")
    questions = ["rye water", "note 7", "Clara Schumann", "rye 12", "see water"]
    together = answers(shelf, *questions)
    assert [answers(shelf, question)[0] for question in questions] == together
    assert answers(shelf, *reversed(questions)) == together[::-1]


def test_a_change_between_two_questions_is_seen(shelf: Any) -> None:
    from ori_memory.retrieval.answer import Asked

    shelf.fill({"Bread": "About rye. See [[Oven]].", "Oven": "Hot."})
    memory = shelf.memory()
    assert [hit.title for hit in memory.ask(Asked("rye")).hits] == ["Bread", "Oven"]
    shelf.write("Bread.md", "About rye.")
    shelf.write("Cellar.md", "Rye. Rye [[Bread]].")
    memory.sync()
    assert {hit.title for hit in memory.ask(Asked("rye")).hits} == {"Cellar", "Bread"}


def test_what_another_process_wrote_is_seen(shelf: Any) -> None:
    from ori_memory.retrieval.answer import Asked

    shelf.fill({"Bread": "About rye. See [[Oven]].", "Oven": "Hot."})
    memory, other = shelf.memory(), shelf.memory()
    assert [hit.title for hit in memory.ask(Asked("rye")).hits] == ["Bread", "Oven"]
    shelf.write("Bread.md", "About rye. See [[Cellar]].")
    shelf.write("Cellar.md", "Cold.")
    other.sync()
    assert [hit.title for hit in memory.ask(Asked("rye")).hits] == ["Bread", "Cellar"]


def test_a_question_sees_one_state_of_the_index(shelf: Any) -> None:
    shelf.fill({"Bread": "About rye."})
    memory, other = shelf.memory(), shelf.memory()

    def work(connection: sqlite3.Connection) -> tuple[int, int]:
        first = connection.execute("SELECT count(*) FROM note").fetchone()[0]
        shelf.write("Oven.md", "Hot.")
        other.sync()
        return first, connection.execute("SELECT count(*) FROM note").fetchone()[0]

    assert memory.index.read(work) == (1, 1)
    assert memory.index.counts().notes == 2


def test_a_question_that_fails_leaves_the_index_free(shelf: Any) -> None:
    shelf.fill({"Bread": "About rye."})
    memory = shelf.memory()

    def fail(connection: sqlite3.Connection) -> None:
        connection.execute("SELECT count(*) FROM note").fetchone()
        raise ValueError("halfway")

    with pytest.raises(ValueError, match="halfway"):
        memory.index.read(fail)
    shelf.write("Oven.md", "Hot.")
    memory.sync()
    assert memory.index.read(lambda connection: memory.index.counts().notes) == 2


@pytest.fixture(scope="module")
def paths() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:", check_same_thread=False)
    connection.execute("CREATE TABLE note(num INTEGER PRIMARY KEY, path TEXT)")
    connection.executemany("INSERT INTO note VALUES(?, ?)", [(num, f"{num * 7919 % 400:03}") for num in range(400)])
    return connection


@given(st.dictionaries(st.integers(0, 399), st.sampled_from([1.0, 0.75, 0.5, 0.5 + 1e-14, 0.0]), max_size=300))
def test_equal_scores_come_by_path_and_no_other_place_changes(
    paths: sqlite3.Connection, scores: dict[int, float]
) -> None:
    ranked = sorted(scores.items(), key=lambda item: -item[1])
    ordered = list(in_steady_order(paths, ranked, {}))
    assert sorted(ordered) == sorted(ranked)
    keys = [(-round(score, 12), f"{num * 7919 % 400:03}") for num, score in ordered]
    assert keys == sorted(keys)
