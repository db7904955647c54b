"""Many processes, some of them killed: counts stay exact."""

from __future__ import annotations

import random
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from ori_memory.learned.store import LearnedStore

COUNT = """
import pathlib, sys
from ori_memory.learned.store import LearnedStore
store = LearnedStore(pathlib.Path(sys.argv[1]))
for _ in range(int(sys.argv[2])):
    store.record_access(["shared", sys.argv[3]])
    print("counted", flush=True)
store.close()
"""


def start(path: Path, times: int, name: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", COUNT, str(path), str(times), name], stdout=subprocess.PIPE)


def test_two_hundred_processes_count_exactly(tmp_path: Path) -> None:
    path = tmp_path / "learned.db"
    for batch in range(5):
        processes = [start(path, 5, f"n{batch}-{number}") for number in range(40)]
        for process in processes:
            process.communicate(timeout=120)
            assert process.returncode == 0
    accesses = LearnedStore(path).accesses()
    assert accesses.pop("shared").count == 1000
    assert {access.count for access in accesses.values()} == {5}
    assert len(accesses) == 200


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL")
def test_killed_processes_lose_no_acknowledged_count_and_add_none(tmp_path: Path) -> None:
    path = tmp_path / "learned.db"
    chance = random.Random(7)
    acknowledged = killed = 0
    for batch in range(6):
        processes = [start(path, 400, f"n{number}") for number in range(6)]
        for process in processes:
            assert process.stdout is not None
            seen = sum(bool(process.stdout.readline()) for _ in range(chance.randrange(40)))
            process.kill()
            acknowledged += seen + process.stdout.read().count(b"counted\n")
            process.stdout.close()
            process.wait(timeout=60)
            killed += 1
        count = LearnedStore(path).accesses()["shared"].count
        # A process may be killed between its commit and its word; at most one use each.
        assert acknowledged <= count <= acknowledged + killed, batch
    with LearnedStore(path) as store:
        store.record_access(["shared"])
        assert store.status().soundness == "ok"
        assert store.warnings == []


def test_threads_share_one_store(tmp_path: Path) -> None:
    with LearnedStore(tmp_path / "learned.db") as store:
        threads = [threading.Thread(target=lambda: [store.record_access(["a"]) for _ in range(25)]) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(timeout=60)
        assert store.accesses()["a"].count == 200


def test_an_open_store_moves_to_the_file_that_another_process_put_back(tmp_path: Path) -> None:
    path = tmp_path / "learned.db"
    with LearnedStore(path) as one, LearnedStore(path) as two:
        one.record_access(["a"])
        two.record_access(["a"])
        path.rename(tmp_path / "elsewhere.db")
        for suffix in ("-wal", "-shm"):
            (tmp_path / f"learned.db{suffix}").unlink()
        two.record_access(["a"])
        one.record_access(["a"])
        assert LearnedStore(path).accesses()["a"].count >= 3
