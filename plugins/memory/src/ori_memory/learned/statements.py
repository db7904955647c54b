"""The questions and changes of the learned store, in SQL."""

from __future__ import annotations

import contextlib
import datetime
import json
import os
import sqlite3
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from aries_kernel.values import frozen
from ori_memory.graph.activation import Boost, Written, merged_boost
from ori_memory.learned.asked_words import drop_words
from ori_memory.learned.origin import drop_origin, renew_origin
from ori_memory.learned.recovery import recoveries
from ori_memory.learned.rows import merge_rows
from ori_memory.learned.schema import create_tables, mark_of, moment, stamp
from ori_memory.learned.tables import EXPORTED, NOTE_COLUMNS, Table

if TYPE_CHECKING:
    from ori_memory.learned.connecting import Connection
    from ori_memory.learned.rows import Row

__all__ = [
    "Access",
    "accesses",
    "add_boosts",
    "boosts",
    "census",
    "claims_daily_copy",
    "count_uses",
    "drop_ids",
    "empty_export",
    "forget",
    "identities",
    "ids",
    "keep_note",
    "kept_note",
    "last_reset",
    "mark_changed",
    "reset",
    "reset_note",
    "rows_of",
    "rows_of_note",
    "undo_reset",
    "version_of",
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
        return list(export_lines(connection, EXPORTED))


def accesses(connection: Connection) -> dict[str, Access]:
    """Uses by note id, those of all origins together."""
    rows = connection.execute("SELECT note_id, sum(count), min(first), max(last) FROM access GROUP BY note_id")
    return {row[0]: Access(int(row[1]), moment(row[2]), moment(row[3])) for row in rows}


def count_uses(connection: Connection, origin: str, ids: list[str], now: str) -> None:
    """One more use of each id, under this origin. Inside a write transaction, as all changes here."""
    connection.executemany(
        """INSERT INTO access (note_id, origin, count, first, last) VALUES (:note_id, :origin, 1, :now, :now)
        ON CONFLICT (note_id, origin) DO UPDATE SET count = access.count + 1,
            first = CASE WHEN excluded.first < access.first THEN excluded.first ELSE access.first END,
            last = CASE WHEN excluded.last > access.last THEN excluded.last ELSE access.last END""",
        [{"note_id": note_id, "origin": origin, "now": now} for note_id in ids],
    )


def boosts(connection: Connection) -> dict[str, list[Written]]:
    """Warmth by note id, one row an origin, as last written: thousands of them, which a question waits for."""
    found: dict[str, list[Written]] = {}
    moments: dict[str, datetime.datetime] = {}
    for note_id, value, updated, accesses, sessions in connection.execute(
        "SELECT note_id, boost, updated, accesses, sessions FROM boost ORDER BY note_id, origin"
    ):
        # What was warmed at once was written at once.
        at = moments.get(updated) or moments.setdefault(updated, moment(str(updated)))
        found.setdefault(note_id, []).append((value, at, accesses, _how_many(sessions)))
    return found


def _how_many(names: str) -> int:
    """Of a JSON list of names; it is read only where counting its commas would not do."""
    between = names.count('", "')
    if names == "[]" or "\\" in names or names.count('",') != between:
        return len(json.loads(names))
    return between + 1


def _boost(row: list[object] | tuple[object, ...]) -> Boost:
    value, updated, accesses, sessions = row
    names = () if sessions == "[]" else tuple(json.loads(str(sessions)))
    return Boost(float(str(value)), moment(str(updated)), int(str(accesses)), names)


def add_boosts(
    connection: Connection, origin: str, boosts: Mapping[str, float], session: str, now: datetime.datetime
) -> None:
    """Merge one query's boosts into this origin's rows."""
    for note_id, contribution in boosts.items():
        row = connection.execute(
            "SELECT boost, updated, accesses, sessions FROM boost WHERE note_id = :note_id AND origin = :origin",
            {"note_id": note_id, "origin": origin},
        ).fetchone()
        new = merged_boost(_boost(row) if row else None, contribution, session, now)
        connection.execute(
            """INSERT INTO boost (note_id, origin, boost, updated, accesses, sessions)
            VALUES (:note_id, :origin, :boost, :updated, :accesses, :sessions)
            ON CONFLICT (note_id, origin) DO UPDATE SET boost = excluded.boost, updated = excluded.updated,
                accesses = excluded.accesses, sessions = excluded.sessions""",
            {
                "note_id": note_id,
                "origin": origin,
                "boost": new.value,
                "updated": stamp(new.updated),
                "accesses": new.accesses,
                "sessions": json.dumps(new.sessions),
            },
        )


def claims_daily_copy(connection: Connection, today: datetime.date) -> bool:
    """Whether this is the day's first write; of many processes one is told so."""
    cursor = connection.execute(
        """INSERT INTO meta (key, value) VALUES ('copied', :today)
        ON CONFLICT (key) DO UPDATE SET value = excluded.value WHERE meta.value <> excluded.value""",
        {"today": today.isoformat()},
    )
    return cursor.rowcount > 0


def ids(connection: Connection, tables: Mapping[str, Table]) -> set[str]:
    """Every note id that something was learned of."""
    asked = [(table, name) for table, names in NOTE_COLUMNS.items() if table in tables for name in names]
    return {row[0] for table, name in asked for row in connection.execute(f"SELECT DISTINCT {name} FROM {table}")}


def identities(connection: Connection, tables: Mapping[str, Table]) -> dict[str, str]:
    """Ids by path, as the index keeps them here."""
    if "identity" not in tables:
        return {}
    return dict(connection.execute("SELECT path, id FROM identity").fetchall())


def rows_of(connection: Connection, tables: Mapping[str, Table], asked: Iterable[str]) -> dict[str, list[Row]]:
    """The rows of those of them that are there."""
    return {
        name: [
            dict(zip(tables[name].names, row, strict=True))
            for row in connection.execute(f"SELECT {', '.join(tables[name].names)} FROM {name}").fetchall()
        ]
        for name in asked
        if name in tables
    }


def drop_ids(connection: Connection, paths: Iterable[str]) -> None:
    """Inside a write transaction, as all changes here."""
    connection.executemany("DELETE FROM identity WHERE path = :path", [{"path": path} for path in paths])


def forget(connection: Connection, note_id: str, now: str) -> int:
    """Delete all rows of a note and leave its mark; returns how many rows they were."""
    from ori_memory.learned.journal import forget_events

    rows = 0
    for table, names in (*NOTE_COLUMNS.items(), ("identity", ("id",))):
        where = " OR ".join(f"{name} = :id" for name in names)
        rows += connection.execute(f"DELETE FROM {table} WHERE {where}", {"id": note_id}).rowcount
    drop_words(connection)
    rows += forget_events(connection, note_id)
    merge_rows(connection, {"forgotten": [{"mark": mark_of(note_id), "at": now}]})
    return rows


def reset(connection: Connection, id: str, now: str) -> int:
    """Delete all that was learned and leave a mark, so that other copies drop it too; returns how many rows went.

    Who counts from now on does so under a new id: if this is undone, both counts hold.
    """
    tables = [table.name for table in EXPORTED if table.ages_by]
    rows = sum(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in tables)
    merge_rows(connection, {"reset": [{"id": id, "at": now, "undone": 0}]})
    for table in ("session", "session_event"):
        connection.execute(f"DELETE FROM {table}")
    drop_origin(connection)
    return int(rows)


def rows_of_note(connection: Connection, tables: Mapping[str, Table], note_id: str) -> dict[str, list[Row]]:
    """All that was learned of one note, as `merge` takes it."""
    found = rows_of(connection, tables, NOTE_COLUMNS)
    return {name: [row for row in rows if _is_about(name, row, note_id)] for name, rows in found.items()}


def _is_about(table: str, row: Row, note_id: str) -> bool:
    return any(row[name] == note_id for name in NOTE_COLUMNS[table])


def reset_note(connection: Connection, origin: str, note_id: str, id: str, now: str) -> int:
    """As `reset`, of one note; what its sessions may still teach of other notes stays."""
    rows = 0
    for table, names in NOTE_COLUMNS.items():
        where = " OR ".join(f"{name} = :id" for name in names)
        rows += connection.execute(f"DELETE FROM {table} WHERE {where}", {"id": note_id}).rowcount
    drop_words(connection)
    merge_rows(connection, {"note_reset": [{"id": id, "mark": mark_of(note_id), "at": now, "undone": 0}]})
    renew_origin(connection, origin)
    return rows


def last_reset(connection: Connection, note_id: str = "") -> str:
    """The id of the last one, of a note or of all, that was not undone; empty where there is none."""
    table, where = ("note_reset", "AND mark = :mark") if note_id else ("reset", "")
    row = connection.execute(
        f"SELECT id FROM {table} WHERE undone = 0 {where} ORDER BY at DESC, id DESC LIMIT 1",
        {"mark": mark_of(note_id)} if note_id else {},
    ).fetchone()
    return str(row[0]) if row else ""


def undo_reset(connection: Connection, id: str) -> None:
    """What was deleted may come back."""
    for table in ("note_reset", "reset"):
        connection.execute(f"UPDATE {table} SET undone = 1 WHERE id = :id", {"id": id})


def census(connection: Connection, tables: Mapping[str, Table]) -> tuple[dict[str, int], tuple[str, ...]]:
    """Rows per table, and what was ever put back."""
    rows = {table: connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in tables}
    return rows, recoveries(connection)


def mark_changed(connection: Connection, tables: Iterable[str]) -> None:
    """Whoever keeps what these tables hold must read it again."""
    connection.executemany(
        """INSERT INTO meta (key, value) VALUES (:key, :value)
        ON CONFLICT (key) DO UPDATE SET value = excluded.value""",
        [{"key": f"changed {table}", "value": os.urandom(16).hex()} for table in tables],
    )


def keep_note(connection: Connection, key: str, table: str, text: str) -> None:
    """Keep what was made from a table, together with the state of the table that it was made from."""
    connection.execute(
        """INSERT INTO meta (key, value) VALUES (:key, :value)
        ON CONFLICT (key) DO UPDATE SET value = excluded.value""",
        {"key": key, "value": f"{version_of(connection, table)} {text}"},
    )


def kept_note(connection: Connection, key: str, table: str) -> str:
    """What `keep_note` kept; empty where it is not there, or the table has changed since."""
    row = connection.execute("SELECT value FROM meta WHERE key = :key", {"key": key}).fetchone()
    version, _, text = str(row[0]).partition(" ") if row else ("", "", "")
    return text if version == version_of(connection, table) else ""


def version_of(connection: Connection, table: str) -> str:
    """Another one after each change of what the table holds."""
    row = connection.execute("SELECT value FROM meta WHERE key = :key", {"key": f"changed {table}"}).fetchone()
    return str(row[0]) if row else ""
