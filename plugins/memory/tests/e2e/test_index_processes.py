"""Many processes at one index: killed, at once, without the right to write."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from ori_memory.index.index import open_index
from ori_memory.vault.making import adopt_vault
from ori_memory.vault.vault import Vault

SYNC = """
import sys
from pathlib import Path
from ori_memory.index.index import open_index
from ori_memory.vault.finding import open_vault
print("ready", flush=True)
with open_index(open_vault(Path(sys.argv[1])), wait=True) as index:
    print(index.counts().notes, *index.report.notices)
"""
ADD = """
import sys
from pathlib import Path
from ori_memory.index.index import open_index
from ori_memory.vault.finding import open_vault
root, me = Path(sys.argv[1]), sys.argv[2]
for number in range(25):
    (root / f"{me}-{number}.md").write_text(f"word{me}x{number} [[{me}-{number + 1}]]", encoding="utf-8")
    with open_index(open_vault(root), wait=True) as index:
        hits = [hit.note.path for hit in index.search_words(f"word{me}x{number}")]
        assert not index.report.is_stale, index.report
        assert hits and hits[0] == f"{me}-{number}.md", (hits, index.report)
        assert not index.report.notices, index.report
"""
QUERY = """
import sys
from pathlib import Path
from ori_memory.index.index import open_index
from ori_memory.vault.finding import open_vault
for _ in range(60):
    with open_index(open_vault(Path(sys.argv[1]))) as index:
        index.search_words("word"); index.counts(); index.dangling()
"""


@pytest.fixture
def vault(tmp_path: Path) -> Vault:
    root = tmp_path / "vault"
    root.mkdir()
    return adopt_vault(root).vault


def fill(vault: Vault, count: int) -> None:
    for number in range(count):
        text = f"# Note {number}\n[[note {number + 1}]] mentions Note {number - 1} " + "word " * 50
        (vault.root / f"note {number}.md").write_text(text, encoding="utf-8")


def start(code: str, *arguments: str, **options: object) -> subprocess.Popen[str]:
    pipe = subprocess.PIPE
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, encoding="utf-8", **options)  # type: ignore[call-overload,no-any-return]


def end(process: subprocess.Popen[str]) -> str:
    out, error = process.communicate(timeout=120)
    assert process.returncode == 0, error
    return out


@pytest.mark.skipif(os.name != "posix", reason="kill -9 is POSIX")
def test_a_sync_killed_at_any_moment_leaves_an_index_that_the_next_one_completes(vault: Vault) -> None:
    fill(vault, 900)
    chance = random.Random(5)
    for _ in range(12):
        process = start(SYNC, str(vault.root))
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
        try:
            process.wait(timeout=chance.random() * 0.8)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
        process.communicate(timeout=30)
        connection = sqlite3.connect(vault.index_path)
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        connection.close()
    with open_index(vault, wait=True) as index:
        assert (index.counts().notes, index.status().pending) == (900, 0)
        assert [one.target for one in index.dangling()] == ["note 900"]
        assert not index.report.notices


def test_four_processes_add_and_query_at_once_and_each_finds_its_own_note(vault: Vault) -> None:
    fill(vault, 20)
    processes = [start(ADD, str(vault.root), f"p{number}") for number in range(4)] + [start(QUERY, str(vault.root))]
    for process in processes:
        end(process)
    with open_index(vault) as index:
        assert index.counts().notes == 120
        assert not index.report.has_changes


def test_four_processes_that_meet_one_broken_index_replace_it_together(vault: Vault) -> None:
    fill(vault, 100)
    open_index(vault).close()
    vault.index_path.write_bytes(b"not a database" * 1000)
    processes = [start(SYNC, str(vault.root)) for _ in range(4)]
    assert {end(process).split()[1] for process in processes} == {"100"}
    with open_index(vault) as index:
        assert (index.counts().notes, index.report.notices) == (100, ())


needs_root = pytest.mark.skipif(
    getattr(os, "geteuid", lambda: 1)() != 0 or sys.platform != "linux", reason="needs root to become another user"
)


DROP = """
import os, tempfile
from pathlib import Path
from ori_memory.index.index import open_index
from ori_memory.vault.making import make_vault
with tempfile.TemporaryDirectory() as folder:  # Once as root, so that everything is imported.
    open_index(make_vault(Path(folder))).close()
os.setgroups([]); os.setgid(65534); os.setuid(65534)
"""


def _as_nobody(root: Path, code: str) -> str:
    for folder in (root, *root.parents):
        if "pytest" in str(folder):
            folder.chmod(folder.stat().st_mode | 0o055)
    return end(start(DROP + code, str(root)))


@needs_root
def test_a_vault_that_cannot_be_written_is_answered_from_a_temporary_index(vault: Vault) -> None:
    fill(vault, 30)
    out = _as_nobody(vault.root, SYNC)
    assert "30 " in out and "temporary index" in out
    assert not vault.index_path.exists()


@needs_root
def test_a_folder_that_cannot_be_read_forgets_nothing(vault: Vault) -> None:
    fill(vault, 3)
    hidden = vault.root / "hidden"
    hidden.mkdir()
    (hidden / "a.md").write_text("still known", encoding="utf-8")
    open_index(vault).close()
    hidden.chmod(0)
    for file in (vault.state_folder, *vault.state_folder.iterdir()):
        os.chown(file, 65534, 65534)
    code = SYNC.replace("*index.report.notices", "*index.report.warnings")
    out = _as_nobody(vault.root, code)
    hidden.chmod(0o755)
    assert "4 hidden cannot be looked at" in out
