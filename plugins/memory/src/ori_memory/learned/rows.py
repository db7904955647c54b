"""Rows of learned.db as they come from outside: checked, and merged into a store."""

from __future__ import annotations

import json
import math
import sqlite3
from collections.abc import Callable, Iterable, Mapping

from ori_memory.learned.schema import IDENTITY, TABLES, mark_of, moment, present_tables

__all__ = ["Row", "check_row", "merge_rows"]

Row = Mapping[str, str | int | float]

_TEXT = {"note_id", "origin"}
_TIME = {"first", "last", "updated", "at"}
_COUNT = {"count", "accesses"}
_MOST = 2**53


def check_row(table: str, row: Mapping[str, object]) -> Row:
    """The row's columns, each of its type and range; columns of a newer version are left out.

    Raises: ValueError that names the column.
    """
    checked: dict[str, str | int | float] = {}
    for column in TABLES[table]:
        value = row.get(column)
        if column in _COUNT:
            checked[column] = _number(column, value)
        elif column == "boost":
            checked[column] = _share(column, value)
        elif column == "stated" and value == "":
            checked[column] = ""
        else:
            checked[column] = _text(column, value)
    return checked


def merge_rows(connection: sqlite3.Connection, rows: Mapping[str, Iterable[Row]]) -> dict[str, int]:
    """Take rows of another store; returns how many changed something, per table. Inside a write transaction.

    Repeating it changes nothing, and the order of several merges does not matter: of one origin's counter the greater
    one holds, of two ids for one path the smaller one, and a forgotten note's rows from before it was forgotten are
    dropped.
    """
    changed = {table: 0 for table in TABLES}
    for table in ("forgotten", "identity", "access", "boost", "connection"):
        merge = _MERGES[table]
        changed[table] = sum(merge(connection, row) for row in rows.get(table, ()))
    drop_forgotten(connection)
    return changed


def drop_forgotten(connection: sqlite3.Connection) -> None:
    """Delete what was learned of a note before it was forgotten (on another machine)."""
    marks = dict(connection.execute("SELECT mark, at FROM forgotten"))
    if not marks:
        return
    if "identity" in present_tables(connection):
        kept = [row[0] for row in connection.execute("SELECT id FROM identity")]
        connection.executemany("DELETE FROM identity WHERE id = ?", [(id,) for id in kept if mark_of(id) in marks])
    for table, time in (("access", "last"), ("boost", "updated"), ("connection", "last")):
        ids = [row[0] for row in connection.execute(f"SELECT DISTINCT note_id FROM {table}")]
        dead = [(note_id, marks[mark]) for note_id in ids if (mark := mark_of(note_id)) in marks]
        connection.executemany(f"DELETE FROM {table} WHERE note_id = ? AND {time} <= ?", dead)


def _merge_access(connection: sqlite3.Connection, row: Row) -> bool:
    if _is_forgotten(connection, row, "last"):
        return False
    cursor = connection.execute(
        """INSERT INTO access VALUES (:note_id, :origin, :count, :first, :last)
        ON CONFLICT DO UPDATE SET count = max(count, excluded.count), first = min(first, excluded.first),
            last = max(last, excluded.last)
        WHERE excluded.count > count OR excluded.first < first OR excluded.last > last""",
        row,
    )
    return cursor.rowcount > 0


def _merge_boost(connection: sqlite3.Connection, row: Row) -> bool:
    if _is_forgotten(connection, row, "updated"):
        return False
    # One origin writes its row in a sequence, so the later state holds; the rest makes ties end the same everywhere.
    cursor = connection.execute(
        """INSERT INTO boost VALUES (:note_id, :origin, :boost, :updated, :accesses, :sessions)
        ON CONFLICT DO UPDATE SET boost = excluded.boost, updated = excluded.updated, accesses = excluded.accesses,
            sessions = excluded.sessions
        WHERE (excluded.accesses, excluded.updated, excluded.boost, excluded.sessions)
            > (accesses, updated, boost, sessions)""",
        row,
    )
    return cursor.rowcount > 0


def _merge_connection(connection: sqlite3.Connection, row: Row) -> bool:
    if _is_forgotten(connection, row, "last"):
        return False
    cursor = connection.execute(
        """INSERT INTO connection VALUES (:note_id, :last)
        ON CONFLICT DO UPDATE SET last = excluded.last WHERE excluded.last > last""",
        row,
    )
    return cursor.rowcount > 0


def _merge_forgotten(connection: sqlite3.Connection, row: Row) -> bool:
    cursor = connection.execute(
        """INSERT INTO forgotten VALUES (:mark, :at)
        ON CONFLICT DO UPDATE SET at = excluded.at WHERE excluded.at > at""",
        row,
    )
    return cursor.rowcount > 0


def _merge_identity(connection: sqlite3.Connection, row: Row) -> bool:
    if connection.execute("SELECT 1 FROM forgotten WHERE mark = ?", (mark_of(str(row["id"])),)).fetchone():
        return False
    connection.execute(IDENTITY)
    # Two machines that disagree about a note which neither has here end with the same answer, whoever comes first.
    cursor = connection.execute(
        """INSERT INTO identity VALUES (:path, :id, :stated)
        ON CONFLICT DO UPDATE SET id = excluded.id, stated = excluded.stated
        WHERE (excluded.id, excluded.stated) < (id, stated)""",
        row,
    )
    return cursor.rowcount > 0


_MERGES: dict[str, Callable[[sqlite3.Connection, Row], bool]] = {
    "access": _merge_access,
    "boost": _merge_boost,
    "connection": _merge_connection,
    "forgotten": _merge_forgotten,
    "identity": _merge_identity,
}


def _is_forgotten(connection: sqlite3.Connection, row: Row, time: str) -> bool:
    found = connection.execute("SELECT at FROM forgotten WHERE mark = ?", (mark_of(str(row["note_id"])),)).fetchone()
    return found is not None and str(row[time]) <= found[0]


def _number(column: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= _MOST:
        raise ValueError(f"'{column}' must be a whole number from 0 to {_MOST}")
    return value


def _share(column: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"'{column}' must be a number from 0 to 1")
    if not math.isfinite(value) or not 0 <= value <= 1:
        raise ValueError(f"'{column}' must be a number from 0 to 1")
    return float(value)


def _text(column: str, value: object) -> str:
    if not isinstance(value, str) or not value:
        raise ValueError(f"'{column}' must be text")
    try:
        value.encode("utf-8")
        if column in _TIME:
            moment(value)
        if column == "sessions":
            _check_sessions(value)
    except ValueError as error:
        raise ValueError(f"'{column}' is not as ori writes it: {error}") from error
    return value


def _check_sessions(value: str) -> None:
    read = json.loads(value)
    if not isinstance(read, list) or not all(isinstance(session, str) for session in read):
        raise ValueError("not a list of session names")
