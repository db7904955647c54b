"""Links to a note, and to one heading or block of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from aries_kernel.errors import UnknownName
from ori_memory.memory import Memory
from ori_memory.operations.backlinks import backlinks_of
from ori_memory.vault.making import init_vault


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    vault = init_vault(tmp_path / "vault").vault
    target = "---\naliases: [Brew]\n---\n# Tea\n\n## How hot\n\n80 degrees. ^hot\n"
    (vault.root / "notes/Tea.md").write_text(target, encoding="utf-8")
    links = "[[Tea]]\n[[Tea#How hot]]\n[[Brew#^hot|x]]\n[t](Tea.md#How%20hot)\n![[Tea#Tea#How hot]]\n"
    (vault.root / "notes/links.md").write_text(links, encoding="utf-8")
    with Memory.open(vault) as opened:
        yield opened


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("Tea", [1, 2, 3, 4, 5]),
        ("Brew", [1, 2, 3, 4, 5]),
        ("notes/Tea.md", [1, 2, 3, 4, 5]),
        ("Tea#How hot", [2, 4, 5]),
        ("[[tea#how  HOT]]", [2, 4, 5]),
        ("Brew#^hot", [3]),
        ("Tea#Tea", []),
    ],
)
def test_links_to_a_note_or_a_part_of_it(memory: Memory, name: str, lines: list[int]) -> None:
    note, found = backlinks_of(memory, name)
    assert (note.path, [one.link.line for one in found]) == ("notes/Tea.md", lines)


def test_a_part_that_is_not_there_is_told_with_those_that_are(memory: Memory) -> None:
    with pytest.raises(UnknownName, match=r"part of notes/Tea\.md 'How cold'.*How hot, Tea"):
        backlinks_of(memory, "Tea#How cold")
    with pytest.raises(UnknownName, match=r"\^hot"):
        backlinks_of(memory, "Tea#^cold")


def test_a_title_with_a_hash_is_a_title_first(memory: Memory) -> None:
    (memory.vault.root / "notes/x.md").write_text('---\ntitle: "Plan #1"\n---\n', encoding="utf-8")
    memory.refresh()
    assert backlinks_of(memory, "Plan #1")[0].path == "notes/x.md"
