"""Rows as NoteRecord values."""

from __future__ import annotations

import datetime
import json
import sqlite3
from collections.abc import Sequence

from ori_memory.model import NoteRecord, Source

__all__ = ["day_of", "fetch_records"]

_COLUMNS = (
    "num, id, path, title, space, type, status, confidence, description, created, mtime_ns, is_pinned, "
    "valid_from, valid_until, source_client, source_session, source_file, source_commit, words"
)


def fetch_records(connection: sqlite3.Connection, nums: Sequence[int] | None = None) -> dict[int, NoteRecord]:
    """Notes by their number, in the order of their paths; None: all."""
    chosen, given = ("", ()) if nums is None else ("IN (SELECT value FROM json_each(?))", (json.dumps(list(nums)),))
    lists = [_lists(connection, table, column, chosen, given) for table, column in _LISTS]
    aliases, tags, projects, supersedes = lists
    where = f"WHERE num {chosen}" if chosen else ""
    records = {}
    for row in connection.execute(f"SELECT {_COLUMNS} FROM note {where} ORDER BY path", given):
        num = row[0]
        records[num] = NoteRecord(
            id=row[1],
            path=row[2],
            title=row[3],
            aliases=tuple(aliases.get(num, ())),
            space=row[4],
            type=row[5],
            status=row[6],
            confidence=row[7],
            description=row[8],
            projects=tuple(projects.get(num, ())),
            tags=tuple(tags.get(num, ())),
            created=day_of(row[9]),
            modified=datetime.datetime.fromtimestamp(row[10] / 1e9, datetime.UTC),
            is_pinned=bool(row[11]),
            supersedes=tuple(supersedes.get(num, ())),
            valid_from=day_of(row[12]),
            valid_until=day_of(row[13]),
            source=Source(*row[14:18]),
            words=row[18],
        )
    return records


_LISTS = (("alias", "alias"), ("tag", "tag"), ("project", "project"), ("supersedes", "target"))


def _lists(
    connection: sqlite3.Connection, table: str, column: str, chosen: str, given: tuple[str, ...]
) -> dict[int, list[str]]:
    where = f"WHERE note {chosen}" if chosen else ""
    found: dict[int, list[str]] = {}
    for num, value in connection.execute(f"SELECT note, {column} FROM {table} {where} ORDER BY note, position", given):
        found.setdefault(num, []).append(value)
    return found


def day_of(text: str | None) -> datetime.date | None:
    """A date as the index keeps it."""
    return None if text is None else datetime.date.fromisoformat(text)
