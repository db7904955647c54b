"""A purge leaves nothing of a note in any file of ours, and says what it could not do."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from pathlib import Path

import pytest

from ori_memory.memory import Memory
from ori_memory.operations.composing import NewNote
from ori_memory.operations.forgetting import forget
from ori_memory.operations.purging import purge_notes
from ori_memory.vault.making import init_vault

NOW = datetime.datetime(2026, 3, 1, 12, tzinfo=datetime.UTC)
SECRET = "The codeword is quuxfrobnicate9000, never tell it"


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory.open(init_vault(tmp_path / "vault").vault, now=lambda: NOW) as opened:
        yield opened


def holders(memory: Memory, text: str) -> list[str]:
    root = memory.vault.root
    files = (file for file in sorted(root.rglob("*")) if file.is_file())
    return [file.relative_to(root).as_posix() for file in files if text.encode() in file.read_bytes()]


def test_title_text_and_description_are_in_no_file_afterwards(memory: Memory) -> None:
    memory.add(NewNote("Plan zanzibar", SECRET))
    memory.add(NewNote("Kept as it is", "Other words."))
    report = forget(memory, "quuxfrobnicate9000", "purge", apply=True)
    assert holders(memory, "zanzibar") == holders(memory, "quuxfrobnicate9000") == []
    assert "1 lines of ops/promote.log" in report.removed and report.traces == () and report.mentions == ()
    assert "Kept as it is" in (memory.vault.root / "ops/promote.log").read_text(encoding="utf-8")


def test_indexes_that_were_set_aside_go_too(memory: Memory) -> None:
    memory.add(NewNote("Plan zanzibar", SECRET))
    memory.close()
    old = memory.vault.state_folder / "index.db.broken-20260101T000000-1"
    old.write_bytes(memory.vault.index_path.read_bytes())
    forget(memory, "Plan zanzibar", "purge", apply=True)
    assert not old.exists() and holders(memory, "zanzibar") == []


def test_a_file_of_ours_that_still_holds_its_text_is_named(memory: Memory) -> None:
    memory.add(NewNote("Plan zanzibar", SECRET))
    (memory.vault.state_folder / "strange.bin").write_bytes(b"\0" + SECRET.encode() + b"\0")
    assert forget(memory, "Plan zanzibar", "purge", apply=True).traces == ("strange.bin",)


def test_what_another_note_says_as_well_is_a_mention_and_no_trace(memory: Memory) -> None:
    memory.add(NewNote("Plan zanzibar", SECRET))
    (memory.vault.root / "notes/other.md").write_text(f"see [[Plan zanzibar]]\n{SECRET}\n", encoding="utf-8")
    memory.refresh()
    report = forget(memory, "Plan zanzibar", "purge", apply=True)
    assert [(one.path, one.line) for one in report.mentions] == [("notes/other.md", 1)] and report.traces == ()


def test_a_hidden_note_can_be_purged(memory: Memory) -> None:
    added = memory.add(NewNote("Plan zanzibar", SECRET))
    forget(memory, "Plan zanzibar", apply=True)
    assert forget(memory, "zanzibar").matches == ()
    assert [match.path for match in forget(memory, "zanzibar", "purge").matches] == [added.path]


def test_one_that_cannot_be_removed_is_told_and_the_rest_is_purged(memory: Memory) -> None:
    paths = [memory.add(NewNote(f"Plan {word}", f"{word} words")).path for word in ("zanzibar", "zimbabwe")]
    first, second = (memory.vault.root / path for path in paths)
    first.unlink()
    first.mkdir()  # A folder of that name: unlink refuses, for whichever user.
    purged = purge_notes(memory, paths)
    assert [path for path, _ in purged.failed] == paths[:1] and not second.exists()
    assert f"file {paths[1]}" in purged.removed and holders(memory, "zimbabwe") == []


def test_a_note_that_cannot_be_read_does_not_keep_others_from_being_found(memory: Memory) -> None:
    blocked, other = (memory.add(NewNote(f"Plan {word}", f"{word} words")).path for word in ("zanzibar", "zimbabwe"))
    assert memory.index.note(blocked).path == blocked
    (memory.vault.root / blocked).unlink()
    (memory.vault.root / blocked).mkdir()
    assert [match.path for match in forget(memory, "zimbabwe words").matches] == [other]
    assert any(blocked in warning for warning in memory.warnings)
