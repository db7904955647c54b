"""The questions and changes of the learned store, in SQL."""

from __future__ import annotations

import contextlib
import datetime
import json
import sqlite3
from collections.abc import Mapping

from attrs import frozen

from ori_memory.graph.activation import Boost, merged_boost
from ori_memory.learned.recovery import recoveries, soundness
from ori_memory.learned.rows import merge_rows
from ori_memory.learned.schema import create_tables, mark_of, moment, present_tables, stamp

__all__ = [
    "Access",
    "accesses",
    "add_boosts",
    "boosts",
    "census",
    "claims_daily_copy",
    "count_uses",
    "empty_export",
    "forget",
    "identities",
    "ids",
]


@frozen
class Access:
    """Uses of one note on all machines."""

    count: int
    first: datetime.datetime
    last: datetime.datetime


def empty_export() -> list[str]:
    """The export of a vault where nothing was learned yet."""
    from ori_memory.learned.exchange import export_lines

    with contextlib.closing(sqlite3.connect(":memory:")) as connection:
        create_tables(connection)
        return list(export_lines(connection))


def accesses(connection: sqlite3.Connection) -> dict[str, Access]:
    """Uses by note id, those of all origins together."""
    rows = connection.execute("SELECT note_id, sum(count), min(first), max(last) FROM access GROUP BY note_id")
    return {row[0]: Access(row[1], moment(row[2]), moment(row[3])) for row in rows}


def count_uses(connection: sqlite3.Connection, origin: str, ids: list[str], now: str) -> None:
    """One more use of each id, under this origin. Inside a write transaction, as all changes here."""
    connection.executemany(
        """INSERT INTO access VALUES (?1, ?2, 1, ?3, ?3)
        ON CONFLICT DO UPDATE SET count = count + 1, first = min(first, ?3), last = max(last, ?3)""",
        [(note_id, origin, now) for note_id in ids],
    )


def boosts(connection: sqlite3.Connection) -> dict[str, list[Boost]]:
    """Warmth by note id, one row an origin, as last written."""
    found: dict[str, list[Boost]] = {}
    for note_id, *row in connection.execute(
        "SELECT note_id, boost, updated, accesses, sessions FROM boost ORDER BY note_id, origin"
    ):
        found.setdefault(note_id, []).append(_boost(row))
    return found


def _boost(row: list[object] | tuple[object, ...]) -> Boost:
    value, updated, accesses, sessions = row
    return Boost(float(str(value)), moment(str(updated)), int(str(accesses)), tuple(json.loads(str(sessions))))


def add_boosts(
    connection: sqlite3.Connection, origin: str, boosts: Mapping[str, float], session: str, now: datetime.datetime
) -> None:
    """Merge one query's boosts into this origin's rows."""
    for note_id, contribution in boosts.items():
        row = connection.execute(
            "SELECT boost, updated, accesses, sessions FROM boost WHERE note_id = ? AND origin = ?", (note_id, origin)
        ).fetchone()
        new = merged_boost(_boost(row) if row else None, contribution, session, now)
        connection.execute(
            "INSERT OR REPLACE INTO boost VALUES (?, ?, ?, ?, ?, ?)",
            (note_id, origin, new.value, stamp(new.updated), new.accesses, json.dumps(new.sessions)),
        )


def claims_daily_copy(connection: sqlite3.Connection, today: datetime.date) -> bool:
    """Whether this is the day's first write; of many processes one is told so."""
    cursor = connection.execute(
        """INSERT INTO meta VALUES ('copied', ?1)
        ON CONFLICT DO UPDATE SET value = excluded.value WHERE value <> excluded.value""",
        (today.isoformat(),),
    )
    return cursor.rowcount > 0


def ids(connection: sqlite3.Connection) -> set[str]:
    """Every note id that something was learned of."""
    tables = [table for table, columns in present_tables(connection).items() if "note_id" in columns]
    return {row[0] for table in tables for row in connection.execute(f"SELECT note_id FROM {table}")}


def identities(connection: sqlite3.Connection) -> dict[str, str]:
    """Ids by path, as the index keeps them here."""
    if "identity" not in present_tables(connection):
        return {}
    return dict(connection.execute("SELECT path, id FROM identity"))


def _rows_of(connection: sqlite3.Connection, note_id: str) -> int:
    counts = (
        connection.execute(f"SELECT count(*) FROM {table} WHERE {column} = ?", (note_id,))
        for table, column in _keyed_tables(connection)
    )
    return sum(cursor.fetchone()[0] for cursor in counts)


def forget(connection: sqlite3.Connection, note_id: str, now: str) -> int:
    """Delete all rows of a note and leave its mark; returns how many rows they were."""
    rows = _rows_of(connection, note_id)
    for table, column in _keyed_tables(connection):
        connection.execute(f"DELETE FROM {table} WHERE {column} = ?", (note_id,))
    merge_rows(connection, {"forgotten": [{"mark": mark_of(note_id), "at": now}]})
    return rows


def _keyed_tables(connection: sqlite3.Connection) -> list[tuple[str, str]]:
    """Tables with rows of one note, and the column of its id; the index keeps ids of moved notes here as well."""
    known = [("access", "note_id"), ("boost", "note_id"), ("connection", "note_id"), ("identity", "id")]
    present = present_tables(connection)
    return [(table, column) for table, column in known if table in present]


def census(connection: sqlite3.Connection) -> tuple[dict[str, int], tuple[str, ...], str]:
    """Rows per table, what was ever put back, and whether the file is sound."""
    tables = present_tables(connection)
    rows = {table: connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in tables}
    return rows, recoveries(connection), soundness(connection)
