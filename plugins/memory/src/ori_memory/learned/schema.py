"""The tables of learned.db, revision 1, and how its values are written.

Every table is keyed by the note's stable id. What grows by counting carries the id of its origin (`origin.py`): each
origin writes its own rows only, so two copies of the store merge row by row, by the greater count, without loss and
without counting twice.
"""

from __future__ import annotations

import datetime
import hashlib
import sqlite3

__all__ = [
    "APPLICATION",
    "IDENTITY",
    "REVISION",
    "TABLES",
    "create_tables",
    "mark_of",
    "moment",
    "present_tables",
    "stamp",
]

APPLICATION = 0x6F72694C
"""`oriL`: tells a learned store from any other SQLite file."""
REVISION = 1

TABLES: dict[str, tuple[str, ...]] = {
    "access": ("note_id", "origin", "count", "first", "last"),
    "boost": ("note_id", "origin", "boost", "updated", "accesses", "sessions"),
    "connection": ("note_id", "last"),
    "forgotten": ("mark", "at"),
    "identity": ("path", "id", "stated"),
}
"""Tables that are exported, each with its columns."""

IDENTITY = """CREATE TABLE IF NOT EXISTS identity(
    path TEXT PRIMARY KEY NOT NULL, id TEXT NOT NULL, stated TEXT NOT NULL) WITHOUT ROWID"""
"""Ids that notes do not tell themselves; the index makes it when it meets the first one."""

_STATEMENTS = (
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
)


def create_tables(connection: sqlite3.Connection) -> None:
    """Make revision 1 in an empty database; the caller commits."""
    for statement in _STATEMENTS:
        connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {APPLICATION}")
    connection.execute(f"PRAGMA user_version = {REVISION}")


def present_tables(connection: sqlite3.Connection) -> dict[str, tuple[str, ...]]:
    """Those of TABLES that this store has, in the order of their names."""
    names = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    return {table: columns for table, columns in sorted(TABLES.items()) if table in names}


def stamp(at: datetime.datetime) -> str:
    """A moment as text that sorts as time does: UTC, always with microseconds."""
    return at.astimezone(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ").rjust(27, "0")


def moment(text: str) -> datetime.datetime:
    """Raises: ValueError."""
    return datetime.datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=datetime.UTC)


def mark_of(note_id: str) -> str:
    """What stays of a forgotten note: enough to know it again when an old export brings it, and nothing else."""
    return hashlib.sha256(b"ori-forgotten\0" + note_id.encode("utf-8", "surrogatepass")).hexdigest()
