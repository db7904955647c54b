"""Rows of the learned store as they come from outside: checked, and merged into a store."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from ori_memory.learned.asked_words import drop_words, keep_words
from ori_memory.learned.schema import mark_of, moment
from ori_memory.learned.tables import EXPORTED, NOTE_COLUMNS, TABLES, Column, Kind, Merge, Table

if TYPE_CHECKING:
    from ori_memory.learned.connecting import Connection

__all__ = ["Row", "check_row", "merge_rows", "merge_statement", "not_ahead"]

Row = Mapping[str, str | int | float]

_MOST = 2**53
_MARKS_FIRST = ("forgotten", "note_reset", "reset")


def check_row(table: str, row: Mapping[str, object]) -> Row:
    """The row's columns, each of its type and range; columns of a newer version are left out.

    Raises: ValueError that names the column.
    """
    return {column.name: _checked(column, row.get(column.name)) for column in TABLES[table].columns}


def not_ahead(rows: Mapping[str, Iterable[Row]], now: str) -> dict[str, Iterable[Row]]:
    """The same rows; resets of a machine whose clock is ahead hold from now on, not until its time has come.

    Of one reset the earlier moment stays, so that merging it again changes nothing.
    """
    found = dict(rows)
    for name in ("note_reset", "reset"):
        found[name] = [{**row, "at": min(str(row["at"]), now)} for row in rows.get(name, ())]
    return found


def merge_rows(connection: Connection, rows: Mapping[str, Iterable[Row]]) -> dict[str, int]:
    """Take rows of another store; returns how many changed something, per table. Inside a write transaction.

    Repeating it changes nothing, and the order of several merges does not matter: of one origin's counter the greater
    one holds, of two ids for one path the smaller one, and rows from before a note was forgotten, or all was reset, are
    dropped.
    """
    changed = {table.name: 0 for table in EXPORTED}
    later = [table.name for table in EXPORTED if table.name not in _MARKS_FIRST]
    for name in _MARKS_FIRST:
        changed[name] = sum(_merge(connection, TABLES[name], row) for row in rows.get(name, ()))
    if any(changed.values()):
        _drop_dead(connection)
    dead = _Dead(connection)
    for name in later:
        table = TABLES[name]
        living = (row for row in rows.get(name, ()) if not dead.holds(table, row))
        came = [row for row in living if _merge(connection, table, row)]
        changed[name] = len(came)
        if name == "credit":
            for topic, words in {(str(row["topic"]), str(row["words"])) for row in came}:
                keep_words(connection, topic, words.split())
    return changed


def _drop_dead(connection: Connection) -> None:
    """Delete what was learned before it was forgotten or reset (on another machine)."""
    dead = _Dead(connection)
    for table in EXPORTED:
        if not (dead.marks or dead.reset) or table.name in _MARKS_FIRST:
            continue
        rows = connection.execute(f"SELECT {', '.join(table.names)} FROM {table.name}").fetchall()
        gone = [row for values in rows if dead.holds(table, row := dict(zip(table.names, values, strict=True)))]
        where = " AND ".join(f"{key} = :{key}" for key in table.keys)
        if gone:
            connection.executemany(f"DELETE FROM {table.name} WHERE {where}", gone)
    drop_words(connection)


class _Dead:
    """What must not come back."""

    def __init__(self, connection: Connection) -> None:
        self.forgotten = dict(connection.execute("SELECT mark, at FROM forgotten").fetchall())
        resets = connection.execute("SELECT mark, max(at) FROM note_reset WHERE undone = 0 GROUP BY mark").fetchall()
        self.marks = dict(self.forgotten)
        for mark, at in resets:
            self.marks[mark] = max(at, self.marks.get(mark, ""))
        self.reset = connection.execute("SELECT max(at) FROM reset WHERE undone = 0").fetchone()[0] or ""

    def holds(self, table: Table, row: Row) -> bool:
        if table.name == "identity":
            return mark_of(str(row["id"])) in self.forgotten
        if not table.ages_by:
            return False
        at = str(row[table.ages_by])
        if at <= self.reset:
            return True
        if not self.marks:
            return False
        marks = (mark_of(str(row[name])) for name in NOTE_COLUMNS.get(table.name, ()))
        return any(at <= self.marks.get(mark, "") for mark in marks)


def _merge(connection: Connection, table: Table, row: Row) -> bool:
    return connection.execute(merge_statement(table), row).rowcount > 0


@functools.cache
def merge_statement(table: Table) -> str:
    """The upsert that leaves the later of two rows; SQLite and PostgreSQL understand it."""
    names = ", ".join(table.names)
    values = ", ".join(f":{name}" for name in table.names)
    beats = _beats(table)
    changes = [(column, beats[column.name]) for column in table.columns if column.merge is not Merge.KEY]
    kept = ", ".join(
        f"{column.name} = CASE WHEN {wins} THEN excluded.{column.name} ELSE {table.name}.{column.name} END"
        for column, wins in changes
    )
    where = " OR ".join(dict.fromkeys(wins for _, wins in changes))
    return (
        f"INSERT INTO {table.name} ({names}) VALUES ({values}) "
        f"ON CONFLICT ({', '.join(table.keys)}) DO UPDATE SET {kept} WHERE {where}"
    )


def _beats(table: Table) -> dict[str, str]:
    def tuple_of(side: str) -> str:
        return "(" + ", ".join(f"{side}.{name}" for name in table.order) + ")"

    together = f"{tuple_of('excluded')} {'<' if table.is_least else '>'} {tuple_of(table.name)}"
    signs = {Merge.GREATER: ">", Merge.SMALLER: "<"}
    return {
        column.name: f"excluded.{column.name} {signs[column.merge]} {table.name}.{column.name}"
        if column.merge in signs
        else together
        for column in table.columns
        if column.merge is not Merge.KEY
    }


def _checked(column: Column, value: object) -> str | int | float:
    name = column.name
    if column.kind is Kind.COUNT:
        return _whole(name, value)
    if column.kind in (Kind.SHARE, Kind.SUM):
        return _number(name, value, 1.0 if column.kind is Kind.SHARE else float(_MOST))
    if column.kind is Kind.FREE and value == "":
        return ""
    return _text(column, value)


def _whole(name: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= _MOST:
        raise ValueError(f"'{name}' must be a whole number from 0 to {_MOST}")
    return value


def _number(name: str, value: object, most: float) -> float:
    # What is no number, or endless, is in no range either.
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= most:
        raise ValueError(f"'{name}' must be a number from 0 to {most:.0f}")
    return float(value)


def _text(column: Column, value: object) -> str:
    if not isinstance(value, str) or not value:
        raise ValueError(f"'{column.name}' must be text")
    try:
        value.encode("utf-8")
        if column.kind is Kind.TIME:
            moment(value)
        if column.kind in (Kind.NAMES, Kind.COUNTS, Kind.SUMS, Kind.DATA):
            _check_document(column.kind, value)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"'{column.name}' is not as ori writes it: {error}") from error
    return value


def _check_document(kind: Kind, value: str) -> None:
    read = json.loads(value)
    if kind is Kind.NAMES:
        if not isinstance(read, list) or not all(isinstance(one, str) for one in read):
            raise ValueError("not a list of names")
    elif not isinstance(read, dict):
        raise ValueError("not an object")
    elif kind is Kind.COUNTS and not all(type(count) is int and 0 <= count <= _MOST for count in read.values()):
        raise ValueError("not an object of whole numbers")
    elif kind is Kind.SUMS and not all(isinstance(sums, list) and all(map(_is_sum, sums)) for sums in read.values()):
        raise ValueError("not an object of lists of numbers")


def _is_sum(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and -_MOST <= value <= _MOST
