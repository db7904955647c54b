"""A question is answered from the index: no note is read again (spec G.6-85, G.6-86)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

READS = """
import json, os, sys
from pathlib import Path
opened = []
def seen(event, arguments):
    if event == "open" and isinstance(arguments[0], (str, bytes, os.PathLike)):
        name = os.fsdecode(arguments[0])
        if name.endswith(".md"):
            opened.append(Path(name).name)
from ori_memory.app import run
sys.addaudithook(seen)
code = run(json.loads(sys.argv[1]))
print(json.dumps(sorted(opened)), file=sys.stderr)
sys.exit(code)
"""
QUESTIONS = (
    ("query", "ranked", "rye water"),
    ("query", "ranked", "rye water", "--fast", "--explain"),
    ("query", "similar", "rye water"),
    ("query", "backlinks", "Oven"),
    ("query", "orphans"),
    ("query", "dangling"),
    ("query", "important"),
    ("query", "fading"),
    ("query", "cross-project"),
    ("explore", "rye water"),
    ("status",),
)


@pytest.fixture
def vault(shelf: Any) -> Path:
    for number in range(30):
        shelf.write(f"note {number}.md", f"Rye {number} and water. See [[Oven]] and [[note {number // 2}]].")
    shelf.write("Oven.md", "Hot.")
    for file in shelf.root.rglob("*.md"):
        os.utime(file, (1_000_000_000, 1_000_000_000))  # One that has just been written is looked at again.
    shelf.memory().sync()
    root: Path = shelf.root
    return root


def reads(vault: Path, *command: str) -> list[str]:
    arguments = json.dumps(["--vault", str(vault), *command, "--json"])
    done = subprocess.run(
        [sys.executable, "-c", READS, arguments],
        capture_output=True, text=True, encoding="utf-8", timeout=60, env={**os.environ, "ORI_NO_BACKGROUND": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found: list[str] = json.loads(done.stderr.splitlines()[-1])
    return found


@pytest.mark.parametrize("command", QUESTIONS, ids=" ".join)
def test_an_unchanged_vault_is_asked_without_reading_a_note(vault: Path, command: tuple[str, ...]) -> None:
    assert reads(vault, *command) == []


def test_of_a_changed_vault_the_changed_note_alone_is_read_once(vault: Path) -> None:
    (vault / "note 3.md").write_text("Rye of another kind.", encoding="utf-8")
    os.utime(vault / "note 3.md", (1_000_000_500, 1_000_000_500))
    assert reads(vault, "query", "ranked", "rye water") == ["note 3.md"]
    assert reads(vault, "query", "ranked", "rye water") == []
