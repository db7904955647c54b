"""Stores of an earlier revision, brought up to date."""

from __future__ import annotations

import datetime
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from aries_kernel.errors import UserError
from aries_kernel.word_roots import root_of
from ori_memory.learned import migrating
from ori_memory.learned.crediting import Credit
from ori_memory.learned.database import create_empty
from ori_memory.learned.migrating import copy_before, metadata
from ori_memory.learned.schema import REVISION
from ori_memory.learned.store import LearnedStore

FIRST = (
    """CREATE TABLE access (
        note_id TEXT NOT NULL, origin TEXT NOT NULL, count INTEGER NOT NULL, first TEXT NOT NULL, last TEXT NOT NULL,
        PRIMARY KEY (note_id, origin))""",
    """CREATE TABLE boost (
        note_id TEXT NOT NULL, origin TEXT NOT NULL, boost REAL NOT NULL, updated TEXT NOT NULL,
        accesses INTEGER NOT NULL, sessions TEXT NOT NULL,
        PRIMARY KEY (note_id, origin))""",
    "CREATE TABLE connection (note_id TEXT PRIMARY KEY NOT NULL, last TEXT NOT NULL)",
    "CREATE TABLE forgotten (mark TEXT PRIMARY KEY NOT NULL, at TEXT NOT NULL)",
    "CREATE TABLE meta (key TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL)",
    "PRAGMA application_id = 0x6F72694C",
    "PRAGMA user_version = 1",
    "INSERT INTO access VALUES ('a', 'o', 3, '2026-01-01T00:00:00.000000Z', '2026-01-02T00:00:00.000000Z')",
)
IDENTITY = """CREATE TABLE identity(
    path TEXT PRIMARY KEY NOT NULL, id TEXT NOT NULL, stated TEXT NOT NULL) WITHOUT ROWID"""
"""The index made it when it met the first note that needs it; many stores have none."""


@pytest.fixture(params=[False, True])
def old(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A store as the first version of ori left it."""
    path = tmp_path / "learned.db"
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    for statement in FIRST:
        connection.execute(statement)
    if request.param:
        connection.execute(IDENTITY)
        connection.execute("INSERT INTO identity VALUES ('notes/b.md', 'b', '')")
    connection.close()
    return path


def shape(path: Path) -> dict[str, Any]:
    """Tables with their columns and keys, as SQLite tells them."""
    connection = sqlite3.connect(path)
    tables = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'").fetchall()
    told = {name: ("WITHOUT ROWID" in sql, columns(connection, name)) for name, sql in tables}
    told["revision"] = connection.execute("PRAGMA user_version").fetchone()
    told["alembic"] = connection.execute("SELECT version_num FROM alembic_version").fetchall()
    connection.close()
    return told


def columns(connection: sqlite3.Connection, table: str) -> list[tuple[str, str, int, int]]:
    found = connection.execute('SELECT name, type, "notnull", pk FROM pragma_table_info(?) ORDER BY name', (table,))
    return [(name, "TEXT" if "CHAR" in kind else kind, required, key) for name, kind, required, key in found]


def test_an_old_store_is_brought_up_to_date_by_the_first_write_and_loses_nothing(old: Path, tmp_path: Path) -> None:
    before = LearnedStore(old).export()
    with LearnedStore(old) as store:
        store.record_credits([Credit("a", ("tea",), 1.0, "citation")])
        assert store.accesses()["a"].count == 3
        assert store.credits()[0].note_id == "a"
        assert store.status().revision == REVISION
    create_empty(tmp_path / "fresh.db")
    assert shape(old) == shape(tmp_path / "fresh.db")
    assert LearnedStore(copy_before(old, 1)).export() == before


def test_an_old_store_answers_with_nothing_new_and_is_not_touched_by_that(old: Path) -> None:
    before = old.read_bytes()
    store = LearnedStore(old)
    assert (store.credits(), store.shown(), store.pairs(), store.arms(), store.evidence()) == ((), {}, (), {}, {})
    assert (store.accesses()["a"].count, store.status().revision) == (3, 1)
    assert old.read_bytes() == before


def test_credit_from_before_questions_were_found_by_their_words_is_found(tmp_path: Path) -> None:
    path = tmp_path / "learned.db"
    with LearnedStore(path) as store:
        store.record_credits([Credit("a", ("samovar", "repair"), 1.0, "citation")])
    connection = sqlite3.connect(path)
    connection.executescript(
        "DROP TABLE asked_word; DROP TABLE note_reset; DROP TABLE credited; DROP INDEX credit_topic; "
        "UPDATE alembic_version SET version_num = '2'; PRAGMA user_version = 2"
    )
    connection.close()
    asked = [root_of("samovars")]
    store = LearnedStore(path)
    assert ([one.note_id for one in store.credits_about(asked, 9)], store.status().revision) == (["a"], 2)
    with store:
        store.record_access(["a"])
        assert ([one.note_id for one in store.credits_about(asked, 9)], store.status().revision) == (["a"], REVISION)
    create_empty(tmp_path / "fresh.db")
    assert shape(path) == shape(tmp_path / "fresh.db")


def test_many_processes_that_find_an_old_store_bring_it_up_to_date_once(old: Path) -> None:
    script = "import sys, pathlib; from ori_memory.learned.store import LearnedStore\n"
    script += "with LearnedStore(pathlib.Path(sys.argv[1])) as store: store.record_access(['a'])"
    running = [subprocess.Popen([sys.executable, "-c", script, str(old)]) for _ in range(6)]
    assert [process.wait(timeout=120) for process in running] == [0] * 6
    assert LearnedStore(old).accesses()["a"].count == 9


def test_a_migration_that_fails_leaves_the_store_as_it_was(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*given: object) -> None:
        migrate(*given)
        raise sqlite3.OperationalError("the disk is full")

    migrate = migrating.migrate
    before = LearnedStore(old).export()
    monkeypatch.setattr(migrating, "migrate", fail)
    with LearnedStore(old) as store, pytest.raises(UserError, match="the disk is full"):
        store.record_access(["a"])
    monkeypatch.undo()
    assert LearnedStore(old).export() == before
    assert LearnedStore(old).status().revision == 1
    with LearnedStore(old) as store:
        store.record_access(["a"])
        assert store.accesses()["a"].count == 4


def test_the_tables_are_those_of_the_definition(tmp_path: Path) -> None:
    import sqlalchemy as sa
    from alembic.autogenerate import compare_metadata
    from alembic.runtime.migration import MigrationContext

    create_empty(tmp_path / "fresh.db")
    engine = sa.create_engine(f"sqlite:///{tmp_path / 'fresh.db'}")
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata()) == []
    engine.dispose()


def test_a_store_that_is_up_to_date_needs_neither_alembic_nor_sqlalchemy(tmp_path: Path) -> None:
    script = """
import sys, pathlib
from ori_memory.learned.store import LearnedStore
with LearnedStore(pathlib.Path(sys.argv[1]) / "learned.db") as store:
    store.record_access(["a"])
    store.credits(), store.export(), store.status()
print([name for name in ("alembic", "sqlalchemy") if name in sys.modules])
"""
    command = [sys.executable, "-c", script, str(tmp_path)]
    assert subprocess.run(command, capture_output=True, encoding="utf-8", timeout=60).stdout == "[]\n"


def test_a_moment_from_before_the_revision_still_counts(old: Path) -> None:
    with LearnedStore(old) as store:
        store.record_access(["a"], datetime.datetime(2025, 1, 1, tzinfo=datetime.UTC))
        assert store.accesses()["a"].first.year == 2025
