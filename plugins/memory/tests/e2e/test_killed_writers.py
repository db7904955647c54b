"""Four processes add, promote and move notes and are killed at random: every note whole, once, or absent."""

from __future__ import annotations

import os
import random
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ori_memory.memory import Memory
from ori_memory.operations.composing import NewNote
from ori_memory.vault.making import init_vault

WORKER = """
import random, sys
from pathlib import Path
from ori_memory.memory import Memory
from ori_memory.operations.composing import NewNote
from ori_memory.operations.moving import move_note
from ori_memory.operations.promoting import promote_all
from ori_memory.vault.finding import open_vault
from aries_kernel.errors import UserError

folder, name, seed = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
chance = random.Random(seed)
with Memory.open(open_vault(folder)) as memory:
    for number in range(1000):
        token = f"{name}-{seed}-{number}"
        if chance.random() < 0.2:
            added = memory.add(NewNote(f"Idea {token}"))
        else:
            body = f"body of {token} begins\\n" + "filler\\n" * 200 + f"body of {token} ends"
            added = memory.add(NewNote(f"Note {token}", body))
        print("kept", token, flush=True)
        try:
            if chance.random() < 0.3:
                move_note(memory, added.path, f"Moved {token}")
                print("moved", token, flush=True)
            elif chance.random() < 0.1:
                promote_all(memory)
        except UserError as error:
            print("refused", error, flush=True)
"""

KILLS = 12
"""Rounds of four processes; each round keeps about ten notes."""


@pytest.mark.skipif(os.name != "posix", reason="kills with SIGKILL")
def test_killed_writers_leave_every_note_whole_and_once(tmp_path: Path) -> None:
    vault = init_vault(tmp_path / "vault").vault
    chance = random.Random(7)
    kept: set[str] = set()
    for round_ in range(KILLS):
        workers = [
            subprocess.Popen(
                [sys.executable, "-c", WORKER, str(vault.root), f"w{number}", str(round_)],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                encoding="utf-8",
            )
            for number in range(4)
        ]
        first = [worker.stdout.readline() for worker in workers if worker.stdout is not None]
        time.sleep(chance.uniform(0.0, 1.5))
        for worker in workers:
            worker.kill()
        for worker in workers:
            out, err = worker.communicate()
            assert "locked" not in err and "Traceback" not in err, err
            first += out.splitlines()
        kept |= {line.split()[1] for line in first if line.startswith("kept ") and len(line.split()) == 2}
    check(vault.root, kept)


def check(root: Path, kept: set[str]) -> None:
    files = [file for folder in ("inbox", "notes") for file in (root / folder).rglob("*.md") if file.name != "index.md"]
    ids: dict[str, Path] = {}
    for file in files:
        text = file.read_text(encoding="utf-8")
        assert text.startswith("---\n") and text.count("\n---\n") >= 1, file
        if "begins" in text:
            token = text.split("body of ")[1].split(" begins")[0]
            assert f"body of {token} ends" in text, f"{file} is not whole"
        id = next(line for line in text.splitlines() if line.startswith("id: "))
        assert id not in ids, f"{file} and {ids[id]} are one note"
        ids[id] = file
    names = " ".join(file.name for file in files)
    assert kept and all(f"{token}.md" in names for token in kept)
    from ori_memory.vault.finding import open_vault

    with Memory.open(open_vault(root)) as memory:
        memory.add(NewNote("The last word", "is kept"))
        assert len(memory.index.notes()) >= len(files) + 1
        assert memory.learned.status().soundness == "ok"
    connection = sqlite3.connect(root / ".ori" / "index.db")
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()
