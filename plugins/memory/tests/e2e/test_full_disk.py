"""A disk that takes no more: the limit of the system on the size of files stands for it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

resource = pytest.importorskip("resource")
KETTLE = "Kettle number 7 boils the water"


def run(vault: Path, most_bytes: int, *words: str) -> tuple[int, dict[str, Any]]:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, most_bytes))

    done = subprocess.run(
        [sys.executable, "-m", "ori_memory", "--vault", str(vault), *words, "--json"],
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        preexec_fn=limit,
        check=False,
    )
    assert "Traceback" not in done.stderr
    return done.returncode, json.loads(done.stdout)


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    folder = tmp_path / "vault"
    subprocess.run([sys.executable, "-m", "ori_memory", "init", str(folder)], check=True, timeout=60)
    config = folder / "ori.config.yaml"
    config.write_text(
        config.read_text(encoding="utf-8").replace('# embedder: "minilm"', "embedder: ''"), encoding="utf-8"
    )
    for number in range(40):
        text = " ".join(f"word{number}x{count}" for count in range(400))
        place = folder / "notes" / f"Kettle number {number} boils the water.md"
        place.write_text(f"Of steel, see [[{KETTLE}]]. {text}\n", encoding="utf-8")
    return folder


ROOM_FOR_TABLES = 200_000
"""An empty index fits, one of these notes does not."""


def test_an_index_that_cannot_be_written_is_no_empty_vault(vault: Path) -> None:
    for most in (0, ROOM_FOR_TABLES):
        code, answer = run(vault, most, "query", "ranked", "kettle number 7", "--fast")
        assert code == 0
        assert answer["data"]["results"][0]["title"] == KETTLE
        assert [one for one in answer["warnings"] if "temporary index" in one]
        assert run(vault, most, "read", KETTLE)[0] == 0
    code, answer = run(vault, ROOM_FOR_TABLES, "index", "build")
    assert (code, answer["success"], answer["data"]["added"]) == (1, False, 46)
    code, answer = run(vault, 100_000_000, "index", "build")
    assert (code, answer["data"]["added"]) == (0, 46)


def test_what_a_failed_write_left_beside_the_learned_store_keeps_nobody_waiting(vault: Path) -> None:
    run(vault, 100_000_000, "read", KETTLE)
    store = vault / ".ori" / "learned.db"
    store.with_name("learned.db-wal").write_bytes(b"")
    store.with_name("learned.db-shm").write_bytes(b"abc")
    code, answer = run(vault, 0, "read", KETTLE)
    assert (code, answer["data"]["title"]) == (0, KETTLE)


def test_a_purge_that_the_index_does_not_follow_says_so(vault: Path) -> None:
    run(vault, 100_000_000, "index", "build")
    size = (vault / ".ori" / "index.db").stat().st_size
    code, answer = run(vault, size // 2, "forget", KETTLE, "--purge", "--apply")
    assert (code, answer["success"]) == (1, False)
    assert [one for one in answer["data"]["failed"] if ".ori/index.db" in one[0]]


def test_a_file_that_cannot_be_written_is_named(vault: Path) -> None:
    run(vault, 100_000_000, "index", "build")
    code, answer = run(vault, 0, "mv", KETTLE, "Kettle seven")
    assert code == 1
    assert answer["error"].startswith(f"The system refuses: {vault / '.ori' / 'moving.json'}: ")
    assert (vault / "notes" / f"{KETTLE}.md").is_file()
