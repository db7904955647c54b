"""A folder that another program kept: its notes come, and what is none stays where it is."""

from __future__ import annotations

from pathlib import Path

from aries_kernel.contracts.importer import ImportedFile, Loss
from ori_memory.importers.obsidian import Obsidian


def test_templates_and_copies_of_pages_are_no_notes_and_are_told(tmp_path: Path) -> None:
    for name in (
        "logseq/config.edn",
        "logseq/bak/a.md",
        "Templates/day.md",
        "Forms/x.md",
        "a.md",
        "sub/templates/b.md",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x", encoding="utf-8")
    (tmp_path / ".obsidian").mkdir()
    (tmp_path / ".obsidian" / "templates.json").write_text('{"folder": "/Forms/"}', encoding="utf-8")
    found = list(Obsidian().read(tmp_path))
    assert [one.path for one in found if isinstance(one, ImportedFile)] == ["a.md", "sub/templates/b.md"]
    assert [one.where for one in found if isinstance(one, Loss)] == [".obsidian", "Forms", "Templates", "logseq"]
