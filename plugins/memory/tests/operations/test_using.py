"""When notes were linked anew: seen by a sync, kept with what was learned, felt in vitality (spec C.1, step 4)."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ori_memory.memory import Memory
from ori_memory.vault.making import adopt_vault

DAY = datetime.datetime(2026, 3, 1, 12, tzinfo=datetime.UTC)
Write = Callable[..., None]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path


@pytest.fixture
def write(root: Path) -> Write:
    def one(name: str, text: str = "") -> None:
        (root / f"{name}.md").write_text(f"---\nid: {name}\ncreated: 2020-01-01\n---\n{text}", encoding="utf-8")

    return one


@pytest.fixture
def memory(root: Path, write: Write) -> Iterator[Memory]:
    for name in "abcde":
        write(name)
    write("a", "[[b]]")
    with Memory.open(adopt_vault(root).vault, now=lambda: DAY) as opened:
        assert len(opened.index.notes()) == 5
        yield opened


def test_a_first_build_revives_nothing(memory: Memory) -> None:
    memory.refresh()
    assert memory.learned.connections() == {} and not memory.vault.learned_path.exists()


def test_both_ends_of_a_new_link_are_remembered_and_revived(memory: Memory, write: Write) -> None:
    write("c", "[[d]]")
    memory.refresh()
    assert memory.learned.connections() == {"c": DAY, "d": DAY}
    steps = {path: note.steps["revival"] - note.steps["saturation"] for path, note in memory.vitality.items()}
    assert {path for path, gain in steps.items() if gain > 0.1} == {"c.md", "d.md"}


def test_an_edit_that_brings_no_link_is_no_connection(memory: Memory, write: Write) -> None:
    write("a", "[[b]] said again: [[b|the same]], [[nowhere]], [[a]]")
    memory.refresh()
    assert memory.learned.connections() == {}


def test_a_new_note_connects_what_it_links_and_what_waited_for_it(memory: Memory, write: Write) -> None:
    write("a", "[[b]] [[new]]")
    memory.refresh()
    assert memory.learned.connections() == {}
    write("new", "[[c]]")
    memory.refresh()
    assert set(memory.learned.connections()) == {"a", "c", "new"}


def test_notes_that_come_together_are_not_connected_by_their_own_links(memory: Memory, write: Write) -> None:
    write("x", "[[y]]")
    write("y", "[[x]]")
    memory.refresh()
    assert memory.learned.connections() == {}


def test_a_renamed_note_keeps_its_links(memory: Memory, root: Path) -> None:
    (root / "a.md").rename(root / "z.md")
    memory.refresh()
    assert memory.index.note("z").id == "a" and memory.learned.connections() == {}


def test_another_state_of_the_whole_vault_connects_nothing(memory: Memory, write: Write) -> None:
    for number in range(21):
        write(f"n{number}", "[[b]]")
    memory.refresh()
    assert memory.learned.connections() == {}


def test_an_index_that_is_built_anew_revives_nothing(memory: Memory) -> None:
    memory.close()
    memory.vault.index_path.unlink()
    memory.refresh()
    assert memory.learned.connections() == {}


def test_a_question_makes_no_store_and_fills_one_that_is_there(memory: Memory, write: Write) -> None:
    memory.close()
    write("c", "[[d]]")
    assert memory.index.report.connected == ("c", "d") and not memory.vault.learned_path.exists()
    memory.record_use({"e.md": 1.0})
    memory.close()
    write("c", "[[d]] [[e]]")
    assert memory.index.report.connected == ("c", "e") and set(memory.learned.connections()) == {"c", "e"}
