"""What another machine learned finds its notes here, also those that have another id here."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from ori_memory.learned.store import LearnedStore
from ori_memory.memory import Memory
from ori_memory.operations.forgetting import forget
from ori_memory.operations.merging import merge_export
from ori_memory.vault.making import adopt_vault

Machine = Callable[[str], Memory]


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    """A copy of one vault of two notes, opened; its index is made when it is first asked."""
    with ExitStack() as stack:

        def one(name: str) -> Memory:
            root = tmp_path / name
            root.mkdir()
            for note in ("tea", "cups"):
                (root / f"{note}.md").write_text(f"About {note}.", encoding="utf-8")
            return stack.enter_context(Memory.open(adopt_vault(root).vault))

        yield one


def renamed(memory: Memory, old: str, new: str) -> str:
    """Rename a note outside of ori; gives its id."""
    id = memory.index.note(f"{old}.md").id
    (memory.vault.root / f"{old}.md").rename(memory.vault.root / f"{new}.md")
    memory.refresh()
    assert memory.index.note(f"{new}.md").id == id
    return id


def uses(memory: Memory) -> dict[str, int]:
    counts = memory.learned.accesses()
    return {note.path: counts[note.id].count for note in memory.index.notes() if note.id in counts}


def records(text: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in text.splitlines()[1:]]


def test_the_export_tells_the_ids_that_notes_do_not_tell(machine: Machine) -> None:
    one = machine("one")
    id = renamed(one, "tea", "green tea")
    assert records(one.learned.export()) == [{"_t": "identity", "path": "green tea.md", "id": id, "stated": ""}]


def test_a_note_that_is_not_indexed_yet_takes_the_id_it_has_elsewhere(machine: Machine) -> None:
    one, two = machine("one"), machine("two")
    id = renamed(one, "tea", "green tea")
    one.record_use({"green tea.md": 1.0})
    (two.vault.root / "tea.md").rename(two.vault.root / "green tea.md")
    assert merge_export(two, one.learned.export()).changed["access"] == 1
    assert two.index.note("green tea.md").id == id and uses(two) == {"green tea.md": 1}
    assert two.learned.export() == one.learned.export()


def test_a_note_that_has_another_id_here_keeps_it_and_gets_what_was_learned(machine: Machine) -> None:
    one, two = machine("one"), machine("two")
    renamed(one, "tea", "green tea")
    one.record_use({"green tea.md": 1.0})
    (two.vault.root / "tea.md").rename(two.vault.root / "green tea.md")
    two.record_use({"green tea.md": 1.0, "cups.md": 1.0})
    own = two.index.note("green tea.md").id
    for _ in range(2):
        merge_export(two, one.learned.export())
        merge_export(one, two.learned.export())
    assert two.index.note("green tea.md").id == own
    assert uses(one) == uses(two) == {"green tea.md": 2, "cups.md": 1}


def test_merging_again_changes_nothing(machine: Machine) -> None:
    one, two = machine("one"), machine("two")
    renamed(one, "tea", "green tea")
    one.record_use({"green tea.md": 1.0})
    text = one.learned.export()
    merge_export(two, text)
    before = two.learned.export()
    assert set(merge_export(two, text).changed.values()) == {0} and two.learned.export() == before


def test_two_machines_that_disagree_end_alike_in_any_order(tmp_path: Path) -> None:
    head = '{"_format":"ori-learned","version":1}\n'
    rows = [f'{{"_t":"identity","path":"x.md","id":"{id}","stated":""}}\n' for id in "ba"]
    with LearnedStore(tmp_path / "1.db") as one, LearnedStore(tmp_path / "2.db") as two:
        for row in rows:
            one.import_(head + row)
        two.import_(head + rows[1] + rows[0])
        assert one.export() == two.export() == head + rows[1]


def test_a_forgotten_note_gets_no_id_back(machine: Machine) -> None:
    one = machine("one")
    id = renamed(one, "tea", "green tea")
    text = one.learned.export()
    forget(one, "green tea", "purge", apply=True)
    assert id not in one.learned.export()
    merge_export(one, text)
    assert id not in one.learned.export()
