"""Reading a note on purpose: it is found by any of its names, counted once, and never written."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from pathlib import Path

import pytest

from aries_kernel.errors import UnknownName, UserError
from ori_memory.index.lookup import AmbiguousNote
from ori_memory.memory import Memory
from ori_memory.vault.making import adopt_vault

NOW = datetime.datetime(2026, 3, 1, 12, tzinfo=datetime.UTC)
TEA = "---\nid: tea1\naliases: [Brewing]\nstatus: active\n---\n# Green tea\n80 degrees\n"


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes/tea.md").write_text(TEA, encoding="utf-8")
    (tmp_path / "notes/cups.md").write_text("For [[tea]] and [[tea|more]].", encoding="utf-8")
    with Memory.open(adopt_vault(tmp_path).vault, now=lambda: NOW) as opened:
        yield opened


@pytest.mark.parametrize("name", ["tea1", "notes/tea.md", "tea", "Brewing", "./notes/tea.md", "notes/../notes/tea.md"])
def test_a_note_answers_to_each_of_its_names(memory: Memory, name: str) -> None:
    found = memory.read(name)
    assert (found.note.path, found.accesses, found.backlinks) == ("notes/tea.md", 1, ("notes/cups.md",))
    assert found.text == TEA


def test_each_reading_counts_once_and_warms_the_notes_around(memory: Memory) -> None:
    memory.read("tea")
    assert memory.read("tea").accesses == 2
    assert {id: use.count for id, use in memory.learned.accesses().items()} == {"tea1": 2}
    assert memory.index.note("cups").id in memory.learned.boosts(NOW)


def test_being_listed_or_linked_counts_nothing(memory: Memory) -> None:
    memory.index.note("tea")
    memory.index.backlinks("notes/tea.md")
    _ = memory.vitality
    assert not memory.learned.accesses() and not memory.vault.learned_path.exists()


def test_the_note_is_not_written(memory: Memory) -> None:
    file = memory.vault.root / "notes/tea.md"
    before = (file.read_bytes(), file.stat().st_mtime_ns, file.stat().st_ino)
    memory.read("tea")
    assert (file.read_bytes(), file.stat().st_mtime_ns, file.stat().st_ino) == before


def test_a_name_of_several_notes_lists_them_and_counts_none(memory: Memory) -> None:
    for folder in ("a", "b"):
        (memory.vault.root / folder).mkdir()
        (memory.vault.root / folder / "README.md").write_text("x", encoding="utf-8")
    memory.refresh()
    with pytest.raises(AmbiguousNote, match=r"a/README\.md, b/README\.md"):
        memory.read("README")
    assert not memory.learned.accesses()


def test_an_unknown_name_and_one_that_leads_out_are_told(memory: Memory) -> None:
    with pytest.raises(UnknownName, match="There is no note 'coffee'"):
        memory.read("coffee")
    with pytest.raises(UserError, match="leads out of the vault"):
        memory.read("../coffee.md")


def test_a_file_that_the_index_leaves_out_is_told_with_its_reason(memory: Memory) -> None:
    (memory.vault.root / "ori.config.yaml").write_text("index: {max_bytes: 100}\n", encoding="utf-8")
    (memory.vault.root / "notes/large.md").write_text("x" * 101, encoding="utf-8")
    from ori_memory.vault.finding import open_vault

    with Memory.open(open_vault(memory.vault.root)) as small, pytest.raises(UserError, match="is left out: it has 101"):
        small.read("notes/large.md")


def test_a_note_whose_place_was_taken_is_given_and_told(memory: Memory) -> None:
    (memory.vault.root / "notes/old.md").write_text("---\nstatus: superseded\n---\nold", encoding="utf-8")
    memory.refresh()
    assert memory.read("old").text.endswith("old")
    assert "notes/old.md has the status superseded. Another note took its place." in memory.warnings


def test_a_count_that_cannot_be_kept_is_told_and_the_note_is_given(memory: Memory) -> None:
    memory.learned.record_access(["other"])
    memory.learned.close()
    # SQLite cannot write beside it, as on a full disk.
    memory.vault.learned_path.with_name("learned.db-shm").mkdir()
    assert memory.read("tea").text == TEA
    assert any("was not counted" in warning for warning in memory.warnings)
