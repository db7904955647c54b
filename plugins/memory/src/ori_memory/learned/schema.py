"""The SQLite form of the tables, and how values are written."""

from __future__ import annotations

import datetime
import re
import sqlite3
from typing import TYPE_CHECKING

from aries_kernel.digests import sha256
from ori_memory.learned.tables import EXPORTED, TABLES, Kind, Table

if TYPE_CHECKING:
    from ori_memory.learned.connecting import Connection

__all__ = [
    "ALEMBIC",
    "APPLICATION",
    "IDENTITY",
    "REVISION",
    "create_table",
    "create_tables",
    "mark_of",
    "moment",
    "present_tables",
    "stamp",
]

APPLICATION = 0x6F72694C
"""`oriL`: tells a learned store from any other SQLite file."""
REVISION = 4

_TYPES = {Kind.COUNT: "INTEGER", Kind.SHARE: "REAL", Kind.SUM: "REAL"}
_CLUSTERED = ("asked_word", "credit", "identity", "pair", "shown")
"""Found by the beginning of their key, or read whole in its order."""


def create_table(table: Table) -> str:
    """The statement that makes it where it is not there."""
    columns = [f"{column.name} {_TYPES.get(column.kind, 'TEXT')} NOT NULL" for column in table.columns]
    end = " WITHOUT ROWID" if table.name in _CLUSTERED else ""
    keys = ", ".join(table.keys)
    return f"CREATE TABLE IF NOT EXISTS {table.name} ({', '.join(columns)}, PRIMARY KEY ({keys})){end}"


IDENTITY = create_table(TABLES["identity"])
"""Ids that notes do not tell themselves; in a store of the first revision the index made it when it met the first."""


CREDIT_TOPIC = "CREATE INDEX IF NOT EXISTS credit_topic ON credit (topic)"
"""Questions are found by their words, and then what was of use for them."""

ALEMBIC = "CREATE TABLE IF NOT EXISTS alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY)"


def create_tables(connection: sqlite3.Connection) -> None:
    """Make all tables in an empty database; the caller commits."""
    for table in TABLES.values():
        connection.execute(create_table(table))
    connection.execute(CREDIT_TOPIC)
    # As alembic leaves it, so that whatever way a store came to be, the next revision finds the same.
    connection.execute(ALEMBIC)
    connection.execute("INSERT INTO alembic_version VALUES (:revision)", {"revision": str(REVISION)})
    connection.execute(f"PRAGMA application_id = {APPLICATION}")
    connection.execute(f"PRAGMA user_version = {REVISION}")


def present_tables(connection: Connection) -> dict[str, Table]:
    """The exported tables that this store has, in the order of their names; an older revision lacks some."""
    names = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    return {table.name: table for table in EXPORTED if table.name in names}


_STAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", re.ASCII)


def stamp(at: datetime.datetime) -> str:
    """A moment as text that sorts as time does: UTC, always with microseconds."""
    return at.astimezone(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ").rjust(27, "0")


def moment(text: str) -> datetime.datetime:
    """Raises: ValueError."""
    if _STAMP.fullmatch(text):
        return datetime.datetime.fromisoformat(text)  # A tenth of the time, but it takes other forms too.
    return datetime.datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=datetime.UTC)


def mark_of(note_id: str) -> str:
    """What stays of a forgotten note: enough to know it again when an old export brings it, and nothing else."""
    return sha256(b"ori-forgotten\0" + note_id.encode("utf-8", "surrogatepass")).hexdigest()
