"""The learned store through its public door."""

from __future__ import annotations

import datetime
import json
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from aries_kernel.errors import UserError
from ori_memory.learned.database import create_store
from ori_memory.learned.store import LearnedStore

NOON = datetime.datetime(2026, 3, 1, 12, tzinfo=datetime.UTC)
DAY = datetime.timedelta(days=1)


def make(folder: Path, name: str = "learned.db", now: datetime.datetime = NOON) -> LearnedStore:
    return LearnedStore(folder / name, clock=lambda: now)


def test_an_absent_store_answers_with_nothing_and_stays_absent(tmp_path: Path) -> None:
    store = make(tmp_path)
    assert (store.accesses(), store.boosts(), store.connections(), store.orphans([])) == ({}, {}, {}, ())
    assert store.status().soundness == "absent"
    assert json.loads(store.export()) == {"_format": "ori-learned", "version": 1}
    assert store.forget("a").rows == 0
    assert list(tmp_path.iterdir()) == []


def test_reading_a_closed_store_creates_and_changes_no_file(tmp_path: Path) -> None:
    with make(tmp_path) as store:
        store.record_access(["a"])
    before = {file.name: (file.read_bytes(), file.stat().st_mtime_ns) for file in tmp_path.iterdir()}
    reader = make(tmp_path)
    reader.accesses(), reader.boosts(), reader.export(), reader.status(), reader.orphans(["a"])
    assert {file.name: (file.read_bytes(), file.stat().st_mtime_ns) for file in tmp_path.iterdir()} == before
    assert not (tmp_path / "learned.db-wal").exists()


def test_a_journal_without_its_index_is_read_elsewhere(tmp_path: Path) -> None:
    script = "import sys, os, pathlib; from ori_memory.learned.store import LearnedStore\n"
    script += "LearnedStore(pathlib.Path(sys.argv[1])).record_access(['a']); os._exit(1)"
    subprocess.run([sys.executable, "-c", script, str(tmp_path / "learned.db")], timeout=60)
    assert (tmp_path / "learned.db-wal").stat().st_size > 0
    (tmp_path / "learned.db-shm").unlink()
    assert make(tmp_path).accesses()["a"].count == 1
    assert not (tmp_path / "learned.db-shm").exists()


def test_a_store_is_read_where_sqlite_cannot_keep_its_notes_beside_it(tmp_path: Path) -> None:
    with make(tmp_path) as store:
        store.record_access(["a"])
    (tmp_path / "learned.db-shm").mkdir()  # As on a full disk: a file of that name that cannot be used.
    with make(tmp_path) as store:
        assert store.accesses()["a"].count == 1
        assert '"note_id":"a"' in store.export()
        with pytest.raises(UserError, match="is the disk full"):
            store.record_access(["a"])
    (tmp_path / "learned.db-shm").rmdir()
    with make(tmp_path) as store:
        store.record_access(["a"])
        assert store.accesses()["a"].count == 2


def test_questions_that_are_held_together_see_whole_states_while_others_write(tmp_path: Path) -> None:
    with make(tmp_path) as writer:
        writer.record_access(["a"])
    store = make(tmp_path)
    with store.held():
        assert store.accesses()["a"].count == 1
        with make(tmp_path) as writer:  # Opens, writes and takes its journal away again.
            writer.record_access(["a"])
        assert store.accesses()["a"].count == 2
        with make(tmp_path) as writer:
            writer.record_access(["a"])
            seen = store.accesses()["a"].count
            assert seen == 3
            writer.record_access(["a"])
            assert store.accesses()["a"].count in (seen, 4)
    assert store.accesses()["a"].count == 4


def test_a_store_that_goes_while_its_questions_are_held_is_answered_by_its_copy(tmp_path: Path) -> None:
    with make(tmp_path) as store:
        store.record_access(["a"])
    reader = make(tmp_path)
    with reader.held():
        assert reader.accesses()["a"].count == 1
        (tmp_path / "learned.db").unlink()
        assert reader.accesses()["a"].count == 1
        assert "is missing" in reader.warnings[0]
        (tmp_path / "learned.db").write_bytes(b"no database" * 1_000)
        assert reader.accesses()["a"].count == 1
        assert "is damaged" in reader.warnings[1]


def test_a_copied_store_counts_under_an_id_of_its_own(tmp_path: Path) -> None:
    with make(tmp_path, "one.db") as one:
        one.record_access(["a"] * 3)
    (tmp_path / "two.db").write_bytes((tmp_path / "one.db").read_bytes())
    with make(tmp_path, "one.db") as one, make(tmp_path, "two.db") as two:
        one.record_access(["a"])
        two.record_access(["a"])
        one.import_(two.export())
        assert one.accesses()["a"].count == 5


def test_a_restored_backup_and_an_export_of_the_lost_store_make_one_whole(tmp_path: Path) -> None:
    with make(tmp_path) as store:
        store.record_access(["a"] * 3)
        store.backup(tmp_path / "copy.db")
        store.record_access(["a"] * 2)
        text = store.export()
    (tmp_path / "learned.db").write_bytes((tmp_path / "copy.db").read_bytes())
    with make(tmp_path) as store:
        store.record_access(["a"])
        store.import_(text)
        assert store.accesses()["a"].count == 6


def test_forgetting_leaves_no_byte_of_the_id(tmp_path: Path) -> None:
    with make(tmp_path) as store:
        store.record_access([f"note-{number}" for number in range(300)])
        store.record_access(["the-secret-one"] * 3)
        store.add_boosts({"the-secret-one": 0.05}, "s")
        store.record_connections(["the-secret-one"])
        assert any(b"the-secret-one" in file.read_bytes() for file in tmp_path.iterdir())
        report = store.forget("the-secret-one")
        assert (report.rows, report.remaining) == (3, ())
        assert not [file for file in tmp_path.rglob("*") if file.is_file() and b"the-secret-one" in file.read_bytes()]
        assert len(store.accesses()) == 300


def test_forgetting_names_the_files_that_still_hold_the_id(tmp_path: Path) -> None:
    with make(tmp_path) as store:
        store.record_access(["the-secret-one"])
        aside = tmp_path / "learned.db.damaged-1"
        aside.write_bytes(b"xx the-secret-one xx")
        assert store.forget("the-secret-one").remaining == (aside,)


def test_the_first_write_of_a_day_makes_a_copy(tmp_path: Path) -> None:
    copy = tmp_path / "learned.backup.db"
    with make(tmp_path) as store:
        store.record_access(["a"])
        first = copy.read_bytes()
        store.record_access(["a"])
        assert copy.read_bytes() == first
    with make(tmp_path, now=NOON + DAY) as store:
        store.record_access(["a"])
    with sqlite3.connect(copy) as connection:
        assert connection.execute("SELECT count FROM access").fetchall() == [(3,)]
    connection.close()


@pytest.mark.parametrize("damage", ["header", "middle", "empty", "text"])
def test_a_damaged_store_is_set_aside_and_its_copy_put_back(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "learned.db"
    with make(tmp_path) as store:
        store.record_access([f"note-{number}" for number in range(2000)])
        store.backup(tmp_path / "learned.backup.db")
    data = bytearray(path.read_bytes())
    if damage == "header":
        data[:64] = b"\0" * 64
    elif damage == "middle":
        data[4096:] = b"\xaa" * (len(data) - 4096)
    else:
        data = bytearray(b"" if damage == "empty" else b"not a database, " * 400)
    path.write_bytes(data)
    assert make(tmp_path).status().soundness not in ("ok", "absent")
    with make(tmp_path) as store:
        store.record_access(["note-7"])
        assert len(store.warnings) == 1
        assert "put back" in store.warnings[0]
        accesses = store.accesses()
        assert (len(accesses), accesses["note-7"].count) == (2000, 2)
    (aside,) = tmp_path.glob("learned.db.damaged-*")
    assert aside.read_bytes() == bytes(data)
    assert make(tmp_path).status().recoveries == tuple(store.warnings)


@pytest.mark.parametrize("is_missing", [True, False])
def test_reading_a_damaged_store_is_answered_by_its_copy_and_changes_nothing(tmp_path: Path, is_missing: bool) -> None:
    path = tmp_path / "learned.db"
    with make(tmp_path) as store:
        store.record_access(["a"] * 2)
    path.unlink() if is_missing else path.write_bytes(b"rubbish " * 1000)
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    reader = make(tmp_path)
    assert reader.accesses()["a"].count == 2
    assert reader.accesses()["a"].count == 2
    assert len(reader.warnings) == 1
    assert "its last copy answers" in reader.warnings[0]
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before


def test_reading_a_damaged_store_without_a_copy_says_so(tmp_path: Path) -> None:
    (tmp_path / "learned.db").write_bytes(b"rubbish " * 1000)
    reader = make(tmp_path)
    assert reader.accesses() == {}
    assert "there is no copy" in reader.warnings[0]


def test_a_store_that_cannot_be_written_says_so_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("no folder", encoding="utf-8")
    with make(tmp_path / "state") as store, pytest.raises(UserError, match="cannot be"):
        store.record_access(["a"])


def test_whoever_makes_a_missing_store_puts_its_copy_back(tmp_path: Path) -> None:
    with make(tmp_path) as store:
        store.record_access(["a"] * 2)
    (tmp_path / "learned.db").unlink()
    create_store(tmp_path / "learned.db")
    assert make(tmp_path).accesses()["a"].count == 2


def test_a_damaged_store_without_a_copy_is_set_aside_and_the_loss_is_told(tmp_path: Path) -> None:
    (tmp_path / "learned.db").write_bytes(b"rubbish " * 1000)
    with make(tmp_path) as store:
        store.record_access(["a"])
        assert "starts empty" in store.warnings[0]
    assert make(tmp_path).status().recoveries == tuple(store.warnings)


def test_a_vanished_store_comes_back_from_its_copy(tmp_path: Path) -> None:
    with make(tmp_path) as store:
        store.record_access(["a"] * 2)
    (tmp_path / "learned.db").unlink()
    with make(tmp_path) as store:
        store.record_access(["a"])
        assert store.accesses()["a"].count == 3
        assert "was missing" in store.warnings[0]


def test_another_programs_database_is_not_written_to(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "learned.db") as connection:
        connection.execute("CREATE TABLE mine (x)")
    connection.close()
    with make(tmp_path) as store:
        store.record_access(["a"])
    (aside,) = tmp_path.glob("learned.db.damaged-*")
    with sqlite3.connect(aside) as connection:
        assert connection.execute("SELECT count(*) FROM mine").fetchone() == (0,)
    connection.close()


def test_a_store_of_a_newer_version_is_refused_and_left_alone(tmp_path: Path) -> None:
    with make(tmp_path) as store:
        store.record_access(["a"])
    with sqlite3.connect(tmp_path / "learned.db") as connection:
        connection.execute("PRAGMA user_version = 9")
    connection.close()
    for ask in (LearnedStore.accesses, lambda store: store.record_access(["a"])):
        with make(tmp_path) as store, pytest.raises(UserError, match="newer ori"):
            ask(store)
    assert not list(tmp_path.glob("*.damaged-*"))


def test_a_backup_of_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="nothing to copy"):
        make(tmp_path).backup(tmp_path / "copy.db")
