"""What is kept: whole after any damage, reclaimed, and overwritten where it must be forgotten."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ori_memory.index.opening import Unwritable
from ori_memory.memory import Memory
from ori_memory.operations.forgetting import forget
from ori_memory.vectors.coverage import coverage
from ori_memory.vectors.filling import Limits, fill
from ori_memory.vectors.forgetting import forget_vectors
from ori_memory.vectors.reading import Stretch, stretches
from ori_memory.vectors.rows import PATTERN

SECRET = "The codeword is quuxfrobnicate9000, never tell it"


def data_file(place: Any) -> Path:
    [file] = place.vault.state_folder.glob(PATTERN)
    return Path(file)


def database(place: Any) -> Path:
    return Path(place.vault.state_folder / "vectors.db")


def ask(place: Any, query: str) -> list[Any]:
    connection = sqlite3.connect(database(place))
    try:
        return connection.execute(query).fetchall()
    finally:
        connection.close()


@pytest.fixture
def filled(place: Any) -> Any:
    for number in range(30):
        place.write(f"notes/{number}.md", " ".join(f"Sentence {one} of {number}." for one in range(1 + 8 * number)))
    fill(place.vault, place.embedder)
    place.asked()
    return place


def test_before_anything_is_embedded_that_is_the_reason(place: Any) -> None:
    with Memory.open(place.vault) as memory:
        assert memory.index.counts().notes
    assert place.load() == "no note is embedded yet"
    assert stretches(place.vault.state_folder, [1]) == {}
    assert coverage(place.vault).missing > 0


def test_a_passage_tells_where_it_stands(filled: Any) -> None:
    filled.write("notes/tea.md", "Brewed at 80 degrees.")
    fill(filled.vault, filled.embedder)
    row = len(filled.load().owners) - 1
    assert stretches(filled.vault.state_folder, [row]) == {row: Stretch(0, len("Brewed at 80 degrees."))}


def test_reading_leaves_no_file_behind_and_writes_none(filled: Any) -> None:
    def state() -> list[tuple[str, int]]:
        return sorted((file.name, file.stat().st_mtime_ns) for file in filled.vault.state_folder.iterdir())

    before = state()
    assert filled.load().stale == 0
    assert state() == before


def _garbage(place: Any) -> None:
    database(place).write_bytes(b"no database at all" * 100)


def _stranger(place: Any) -> None:
    database(place).unlink()
    connection = sqlite3.connect(database(place))
    connection.execute("CREATE TABLE meta(key TEXT, value TEXT)")
    connection.close()


def _newer(place: Any) -> None:
    connection = sqlite3.connect(database(place))
    connection.execute("PRAGMA user_version = 99")
    connection.close()


def _no_data(place: Any) -> None:
    data_file(place).unlink()


def _other_data(place: Any) -> None:
    data_file(place).write_bytes(bytes(data_file(place).stat().st_size))


@pytest.mark.parametrize("damage", [_garbage, _stranger, _newer, _no_data, _other_data])
def test_damage_is_a_reason_for_a_question_and_mended_by_the_next_filling(
    filled: Any, damage: Callable[[Any], None]
) -> None:
    damage(filled)
    assert isinstance(filled.load(), str)
    report = fill(filled.vault, filled.embedder)
    assert report.notices and not report.left
    found = filled.load()
    assert found.covered == coverage(filled.vault).covered and found.stale == 0
    assert len(filled.asked()) == report.embedded > 30
    data_file(filled)


def test_a_data_file_that_was_cut_short_costs_what_is_missing(filled: Any) -> None:
    before = filled.vectors()
    rows = len(filled.load().owners)
    with data_file(filled).open("r+b") as file:
        file.truncate(64 + 64 * (rows - 5) + 7)
    assert len(filled.load().owners) == rows - 5
    report = fill(filled.vault, filled.embedder)
    assert len(filled.asked()) == 5 and "cut short" in report.notices[0]
    after = filled.vectors()
    assert {path: sorted(one) for path, one in after.items()} == {path: sorted(one) for path, one in before.items()}


def test_when_most_rows_are_dead_they_are_reclaimed(filled: Any) -> None:
    for number in range(30):
        filled.write(f"notes/{number}.md", f"Another {number}. " * (1 + 60 * number))
    fill(filled.vault, filled.embedder)
    old = data_file(filled)
    mapped = filled.load()
    for number in range(30):
        filled.write(f"notes/{number}.md", f"Short {number}.")
    fill(filled.vault, filled.embedder)
    new = data_file(filled)
    assert new != old and len(filled.load().owners) == len(ask(filled, "SELECT 1 FROM passage"))
    for number in range(30):
        text = f"{number}\nShort {number}."
        assert filled.vectors()[f"notes/{number}.md"] == [filled.embedder.embed_query(text)]
    assert any(bytes(mapped.rows)), "who has the old file mapped reads on"


def test_unfinished_work_is_not_served_and_not_lost(place: Any) -> None:
    place.write("notes/long.md", "\n\n".join(f"Paragraph {number} says {number * 7}. " * 9 for number in range(300)))
    fill(place.vault, place.embedder, limits=Limits(passages=40))
    assert place.load() == "no note is embedded yet"
    first = place.asked()
    fill(place.vault, place.embedder)
    assert not set(first) & set(place.asked())
    assert len(place.vectors()["notes/long.md"]) > 40


def test_a_purge_leaves_neither_rows_nor_names_nor_older_texts(filled: Any) -> None:
    file = filled.write("notes/plan.md", SECRET)
    fill(filled.vault, filled.embedder)
    file.write_text(SECRET + ". And more", encoding="utf-8")
    fill(filled.vault, filled.embedder)
    texts = [text for text in filled.asked() if "quux" in text]
    rows = [filled.embedder.embed_query(text) for text in texts]
    assert len(rows) == 2 and all(row in data_file(filled).read_bytes() for row in rows)
    with Memory.open(filled.vault) as memory:
        id = memory.index.note("notes/plan.md").id
        report = forget(memory, "quuxfrobnicate9000", "purge", apply=True)
    assert "vectors of 1 notes" in report.removed and not report.failed and not report.traces
    data = b"".join(file.read_bytes() for file in filled.vault.state_folder.rglob("*") if file.is_file())
    assert not any(row in data for row in rows) and id.encode() not in data
    assert filled.load().covered == len(filled.vectors())
    fill(filled.vault, filled.embedder)
    assert filled.asked() == []


def test_a_purge_takes_set_aside_files_too(filled: Any) -> None:
    _garbage(filled)
    fill(filled.vault, filled.embedder)
    [aside] = filled.vault.state_folder.glob("vectors.db.broken-*")
    assert forget_vectors(filled.vault.state_folder, ["none"]) == (f"file .ori/{aside.name}",)
    assert not aside.exists()


def test_a_purge_in_a_vault_without_vectors_makes_none(place: Any) -> None:
    place.write("notes/plan.md", SECRET)
    with Memory.open(place.vault) as memory:
        forget(memory, "notes/plan.md", "purge", apply=True)
    assert not database(place).exists()


def test_a_purge_that_a_reader_holds_up_is_told(filled: Any) -> None:
    filled.write("notes/plan.md", SECRET)
    reader = sqlite3.connect(database(filled))
    reader.execute("PRAGMA busy_timeout = 0")
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM owner").fetchone()
    fill(filled.vault, filled.embedder)
    with pytest.raises(Unwritable, match="in use"):
        forget_vectors(filled.vault.state_folder, ["none"], patience=0.0)
    reader.close()
    assert forget_vectors(filled.vault.state_folder, ["none"]) == ()
