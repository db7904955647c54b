"""The learned store through its public door."""

from __future__ import annotations

import datetime
import json
import math
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from aries_kernel.errors import UserError
from ori_memory.learned.database import create_store
from ori_memory.learned.store import Access, LearnedStore

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


def test_uses_are_counted_with_their_first_and_last_moment(tmp_path: Path) -> None:
    with make(tmp_path) as store:
        store.record_access(["a", "b", "a"])
        store.record_access(["a"], NOON + DAY)
        assert store.accesses() == {"a": Access(3, NOON, NOON + DAY), "b": Access(1, NOON, NOON)}


def test_reading_a_closed_store_creates_and_changes_no_file(tmp_path: Path) -> None:
    with make(tmp_path) as store:
        store.record_access(["a"])
    before = {file.name: (file.read_bytes(), file.stat().st_mtime_ns) for file in tmp_path.iterdir()}
    reader = make(tmp_path)
    reader.accesses(), reader.boosts(), reader.export(), reader.status(), reader.orphans(["a"])
    assert {file.name: (file.read_bytes(), file.stat().st_mtime_ns) for file in tmp_path.iterdir()} == before
    assert not (tmp_path / "learned.db-wal").exists()


def test_a_reader_sees_what_a_writer_that_is_still_open_has_written(tmp_path: Path) -> None:
    with make(tmp_path) as writer:
        writer.record_access(["a"])
        assert make(tmp_path).accesses()["a"].count == 1


def test_a_journal_without_its_index_is_read_elsewhere(tmp_path: Path) -> None:
    script = "import sys, os, pathlib; from ori_memory.learned.store import LearnedStore\n"
    script += "LearnedStore(pathlib.Path(sys.argv[1])).record_access(['a']); os._exit(1)"
    subprocess.run([sys.executable, "-c", script, str(tmp_path / "learned.db")], timeout=60)
    assert (tmp_path / "learned.db-wal").stat().st_size > 0
    (tmp_path / "learned.db-shm").unlink()
    assert make(tmp_path).accesses()["a"].count == 1
    assert not (tmp_path / "learned.db-shm").exists()


def test_boosts_merge_and_decay(tmp_path: Path) -> None:
    with make(tmp_path) as store:
        store.add_boosts({"a": 0.9, "b": 0.02, "c": 0.0}, "s1")
        assert store.boosts() == {"a": pytest.approx(0.05), "b": pytest.approx(0.02)}
        later = NOON + 7 * DAY
        rate = 0.1 / (1 + 0.2 * math.log(2) + 0.3 * math.log(2))
        left = 0.05 * math.exp(-7 * rate)
        assert store.boosts(later)["a"] == pytest.approx(left)
        store.add_boosts({"a": 0.03}, "s2", later)
        assert store.boosts(later)["a"] == pytest.approx(1 - (1 - left) * 0.97)
        assert store.boosts(NOON + 4000 * DAY) == {}


def test_new_connections_keep_the_latest_moment(tmp_path: Path) -> None:
    with make(tmp_path) as store:
        store.record_connections(["a", "b"], NOON)
        store.record_connections(["a"], NOON + DAY)
        store.record_connections(["a"], NOON - DAY)
        assert store.connections() == {"a": NOON + DAY, "b": NOON}


def test_ids_without_a_note_are_listed_and_kept(tmp_path: Path) -> None:
    with make(tmp_path) as store:
        store.record_access(["a", "b"])
        store.record_connections(["c"])
        assert store.orphans(["a"]) == ("b", "c")
        assert store.accesses()["b"].count == 1


def test_exports_of_equal_stores_are_equal_and_end_in_an_equal_store(tmp_path: Path) -> None:
    with make(tmp_path, "one.db") as one, make(tmp_path, "two.db") as two:
        one.record_access(["b", "a", "ü\n\u2028"])
        one.add_boosts({"a": 0.04}, "s")
        one.record_connections(["x"])
        text = one.export()
        report = two.import_(text)
        assert two.export() == text == one.export()
        assert {name: n for name, n in report.changed.items() if n} == {"access": 3, "boost": 1, "connection": 1}
        assert two.accesses() == one.accesses()


def test_importing_again_changes_nothing(tmp_path: Path) -> None:
    with make(tmp_path) as store:
        store.record_access(["a"])
        store.add_boosts({"a": 0.04}, "s")
        text = store.export()
        assert set(store.import_(text).changed.values()) == {0}
        assert store.export() == text


def test_two_machines_merge_without_loss_or_double_count(tmp_path: Path) -> None:
    with make(tmp_path, "one.db") as one, make(tmp_path, "two.db") as two:
        one.record_access(["a"] * 3)
        two.record_access(["a"] * 2)
        for _ in range(2):
            two.import_(one.export())
            one.import_(two.export())
        one.record_access(["a"])
        two.record_access(["a"] * 4)
        two.import_(one.export())
        one.import_(two.export())
        assert one.accesses()["a"].count == two.accesses()["a"].count == 10
        assert one.export() == two.export()


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


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "empty"),
        ("{", "Line 1"),
        ("[1]", "Line 1"),
        ('{"_format":"other","version":1}', "_format"),
        ('{"_format":"ori-learned"}', "version"),
        ('{"_format":"ori-learned","version":2}', "Update ori"),
        ('{"_format":"ori-learned","version":1}\n{"note_id":"a"}', "Line 2"),
        ('{"_format":"ori-learned","version":1}\n{"_t":"access","note_id":"a"}', "'origin'"),
        ("HEAD" + '{"_t":"access","note_id":"a","origin":"o","count":-1,"first":"F","last":"F"}', "'count'"),
        ("HEAD" + '{"_t":"access","note_id":"a","origin":"o","count":true,"first":"F","last":"F"}', "'count'"),
        ("HEAD" + '{"_t":"access","note_id":"a","origin":"o","count":1,"first":"yesterday","last":"F"}', "'first'"),
        ("HEAD" + '{"_t":"access","note_id":"\\ud800","origin":"o","count":1,"first":"F","last":"F"}', "'note_id'"),
        (
            "HEAD" + '{"_t":"boost","note_id":"a","origin":"o","boost":NaN,"updated":"F","accesses":1,"sessions":"[]"}',
            "'boost'",
        ),
        (
            "HEAD" + '{"_t":"boost","note_id":"a","origin":"o","boost":0.1,"updated":"F","accesses":1,"sessions":"{}"}',
            "'sessions'",
        ),
    ],
)
def test_a_bad_export_is_refused_whole(tmp_path: Path, text: str, said: str) -> None:
    good = '{"_t":"connection","note_id":"a","last":"2026-01-01T00:00:00.000000Z"}\n'
    text = text.replace("HEAD", '{"_format":"ori-learned","version":1}\n' + good)
    with make(tmp_path) as store, pytest.raises(UserError, match=said):
        store.import_(text.replace('"F"', '"2026-01-01T00:00:00.000000Z"'))
    assert make(tmp_path).connections() == {}


def test_rows_of_unknown_tables_are_counted_and_skipped(tmp_path: Path) -> None:
    with make(tmp_path) as store:
        report = store.import_('{"_format":"ori-learned","version":1}\n{"_t":"q"}\n{"_t":"q"}\n')
    assert report.skipped == {"q": 2}


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


def test_an_old_export_does_not_bring_a_forgotten_note_back_but_new_use_counts(tmp_path: Path) -> None:
    with make(tmp_path, "one.db") as one, make(tmp_path, "two.db") as two:
        one.record_access(["a"] * 3, NOON - DAY)
        old = one.export()
        two.import_(old)
        one.forget("a")
        one.import_(old)
        assert one.accesses() == {}
        two.import_(one.export())
        assert two.accesses() == {}
        one.record_access(["a"], NOON + DAY)
        two.import_(one.export())
        assert two.accesses()["a"].count == 1


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
    (tmp_path / "learned.db").mkdir()
    with make(tmp_path) as store, pytest.raises(UserError, match="cannot be"):
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
