"""Four processes add, promote and move notes and are killed at random: every note whole, once, or absent."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from ori_memory.index.index import open_index
from ori_memory.memory import Memory
from ori_memory.operations.caring import mend
from ori_memory.operations.composing import NewNote
from ori_memory.vault.finding import open_vault
from ori_memory.vault.making import init_vault

OPERATIONS = 500
WRITERS = Path(__file__).with_name("killed_writers.py")


@pytest.mark.skipif(os.name != "posix", reason="forks, and kills with SIGKILL")
def test_killed_writers_leave_every_note_whole_and_once(tmp_path: Path) -> None:
    root = init_vault(tmp_path / "vault").vault.root
    command = [sys.executable, str(WRITERS), str(root), str(OPERATIONS)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=600)
    assert done.returncode == 0 and not done.stderr, done.stderr
    lines = [line.split(maxsplit=1) for line in done.stdout.splitlines()]
    told = {kind: [rest for found, rest in lines if found == kind] for kind in dict(lines)}
    assert not told.get("failed") and not [one for one in told.get("refused", ()) if "lock" in one], told
    operations = [line for kind in ("added", "promoted", "moved") for line in told[kind]]
    kills = int(told["killed"][0])
    with Memory.open(open_vault(root)) as memory:
        mend(memory)
        check_notes(root, dict(line.split() for line in told["added"]), dict(line.split() for line in told["moved"]))
        check_counts(memory, Counter(line.split()[1] for line in (*told["promoted"], *told["used"])), kills)
        memory.add(NewNote("The last word", "is kept"))
        assert memory.index.note("The last word").path == "notes/The last word.md"
        assert not memory.warnings
    check_index(root)
    assert len(operations) + len(told["used"]) >= OPERATIONS and kills >= 80


def check_notes(root: Path, added: dict[str, str], moved: dict[str, str]) -> None:
    """Whole and once is every note; there is every one that was acknowledged, under the name it was given last."""
    assert not (root / ".ori" / "moving.json").exists()
    ids: dict[str, Path] = {}
    for file in (*(root / "inbox").rglob("*"), *(root / "notes").rglob("*")):
        if file.name == "index.md" or file.is_dir() or file.name.startswith(".aries-"):
            continue  # What a killed process was writing beside a note goes with the next write in that folder.
        text = file.read_text(encoding="utf-8")
        assert file.suffix == ".md" and text.startswith("---\n") and text.count("\n---\n") == 1, file
        if "begins" in text:
            token = text.split("body of ")[1].split(" begins")[0]
            assert f"body of {token} ends" in text, f"{file} is not whole"
        id = next(line for line in text.splitlines() if line.startswith("id: ")).removeprefix("id: ").strip('"')
        assert id not in ids, f"{file} and {ids[id]} are one note"
        ids[id] = file
    assert added and {id for id in added.values() if id not in ids} == set()
    assert {token for token, id in moved.items() if ids[id].name != f"Moved {token}.md"} == set()


def check_counts(memory: Memory, acknowledged: Counter[str], kills: int) -> None:
    """No count that was acknowledged is lost, and a killed process has added at most the one it was at."""
    counts = {id: access.count for id, access in memory.learned.accesses().items()}
    assert {id for id, count in acknowledged.items() if counts.get(id, 0) < count} == set()
    assert acknowledged.total() <= sum(counts.values()) <= acknowledged.total() + kills
    assert memory.learned.status().soundness == "ok" and memory.learned.status().recoveries == ()


def check_index(root: Path) -> None:
    """It opens, is sound, and says what one says that is built from nothing."""
    with open_index(open_vault(root)) as index:
        notes = {note.path: note.id for note in index.notes()}
    connection = sqlite3.connect(root / ".ori" / "index.db")
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()
    for file in (root / ".ori").glob("index.db*"):
        file.unlink()
    with open_index(open_vault(root)) as index:
        assert {note.path: note.id for note in index.notes()} == notes
