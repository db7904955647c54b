"""The process that runs one statement of a stranger: it may read, for a while, and its parent kills it at the limit.

It reads a request as JSON from standard input, says `ready` when the clock may start, and writes one JSON document.
"""

from __future__ import annotations

import contextlib
import json
import math
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ori_memory.index.peeking import ChangedMeanwhile, peeking
from ori_memory.index.views import COLUMNS, VIEWS, make_views

__all__ = ["main"]

_HEAP = 256 << 20
_MEMORY = 1 << 30
_LONGEST_VALUE = 32 << 20
_LARGEST_EXACT = 2**53 - 1
"""Beyond it many readers of JSON lose digits."""

_NAMES = """
-> ->> abs acos acosh asin asinh atan atan2 atanh avg bm25 ceil ceiling changes char coalesce concat concat_ws cos cosh
count cume_dist current_date current_time current_timestamp date datetime degrees dense_rank exp first_value floor
format glob group_concat hex highlight if ifnull iif instr json json_array json_array_length json_each
json_error_position json_extract json_group_array json_group_object json_insert json_object json_patch json_pretty
json_quote json_remove json_replace json_set json_tree json_type json_valid julianday lag last_value lead length like
likelihood likely ln log log10 log2 lower ltrim match max median min mod nth_value ntile nullif octet_length
percent_rank pi pow power printf quote radians random rank replace round row_number rtrim sign sin sinh snippet
sqlite_version sqrt string_agg strftime substr substring subtype sum tan tanh time timediff total total_changes trim
trunc typeof unhex unicode unixepoch unlikely upper zeroblob
"""
_FUNCTIONS = frozenset(_NAMES.split())
"""None that reads or writes a file, loads code, or changes the connection."""
_PRAGMAS = frozenset(
    ("table_info", "table_xinfo", "table_list", "index_list", "index_info", "index_xinfo", "foreign_key_list",
     "data_version", "compile_options", "function_list", "collation_list")
)  # fmt: skip
_ACTIONS = {
    getattr(sqlite3, f"SQLITE_{name}"): name.replace("_", " ")
    for name in (
        "CREATE_INDEX", "CREATE_TABLE", "CREATE_TEMP_INDEX", "CREATE_TEMP_TABLE", "CREATE_TEMP_TRIGGER",
        "CREATE_TEMP_VIEW", "CREATE_TRIGGER", "CREATE_VIEW", "CREATE_VTABLE", "DELETE", "DROP_INDEX", "DROP_TABLE",
        "DROP_TEMP_INDEX", "DROP_TEMP_TABLE", "DROP_TEMP_TRIGGER", "DROP_TEMP_VIEW", "DROP_TRIGGER", "DROP_VIEW",
        "DROP_VTABLE", "INSERT", "PRAGMA", "TRANSACTION", "UPDATE", "ATTACH", "DETACH", "ALTER_TABLE", "REINDEX",
        "ANALYZE", "FUNCTION", "SAVEPOINT",
    )
}  # fmt: skip


class _Text(bytes):
    """A text as SQLite gives it; a BLOB is plain bytes."""


class _Judge:
    """SQLite asks it about everything a statement would do, while the statement is compiled."""

    def __init__(self) -> None:
        self.refused = ""

    def __call__(self, action: int, first: str | None, second: str | None, *_: str | None) -> int:
        if action in (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_RECURSIVE):
            return sqlite3.SQLITE_OK
        if action == sqlite3.SQLITE_FUNCTION and (second or "").lower() in _FUNCTIONS:
            return sqlite3.SQLITE_OK
        if action == sqlite3.SQLITE_PRAGMA and (first or "").lower() in _PRAGMAS:
            return sqlite3.SQLITE_OK
        what = second if action == sqlite3.SQLITE_FUNCTION else first
        self.refused = self.refused or f"{_ACTIONS.get(action, 'that')} {what or ''}".strip()
        return sqlite3.SQLITE_DENY


def main() -> None:
    """Serve one request."""
    request = json.loads(sys.stdin.buffer.read())
    _limit_process(float(request["seconds"]))
    try:
        answer = _answered(request)
    except MemoryError:
        answer = {"error": "It needs more memory than a question may have.", "kind": "limit"}
    except sqlite3.DatabaseError as error:
        answer = {"error": f"The database cannot be read: {error}.", "kind": "damage"}
    sys.stdout.buffer.write(json.dumps(answer, ensure_ascii=True, allow_nan=False).encode())
    sys.stdout.buffer.flush()


def _answered(request: dict[str, Any]) -> dict[str, Any]:
    for attempt in range(3):
        try:
            with _opened(Path(request["index"]), Path(request["learned"])) as connection:
                if attempt == 0:
                    sys.stdout.buffer.write(b"ready\n")
                    sys.stdout.buffer.flush()
                return _schema(connection) if request["sql"] is None else _asked(connection, request)
        except ChangedMeanwhile:
            continue
    return {"error": "The index is being written to all the time. Try again.", "kind": "limit"}


def _limit_process(seconds: float) -> None:
    """Limits that hold even where the parent is gone; there are none on Windows."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        for kind, value in (
            (resource.RLIMIT_AS, _MEMORY),
            (resource.RLIMIT_CPU, math.ceil(seconds) + 2),
            (resource.RLIMIT_CORE, 0),
            (resource.RLIMIT_FSIZE, _MEMORY),
        ):
            _, hard = resource.getrlimit(kind)
            most = value if hard == resource.RLIM_INFINITY else min(value, hard)
            resource.setrlimit(kind, (most, most))


@contextlib.contextmanager
def _opened(index: Path, learned: Path) -> Iterator[sqlite3.Connection]:
    """The index with the learned store beside it; what it refuses is set by `_Judge` later."""
    has_learned = learned.exists()
    with peeking(index, learned if has_learned else None) as connection:
        # First the limits: to change where temporary things are kept would drop the views.
        _limit_connection(connection)
        make_views(connection, has_learned=has_learned)
        _touch_virtual_tables(connection)
        connection.execute("PRAGMA query_only = ON")
        connection.execute("BEGIN")
        yield connection


def _limit_connection(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA temp_store = MEMORY")
    connection.execute(f"PRAGMA hard_heap_limit = {_HEAP}").fetchall()
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST_VALUE)
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 1)
    connection.setlimit(sqlite3.SQLITE_LIMIT_WORKER_THREADS, 0)
    connection.text_factory = _Text


def _touch_virtual_tables(connection: sqlite3.Connection) -> None:
    """SQLite declares them when they are first used, which the judge would see as a change of the schema."""
    for name in (
        "words",
        "windows",
        "pieces",
        "json_each('[]')",
        "json_tree('[]')",
        *(f"pragma_{one}" for one in _PRAGMAS),
    ):
        with contextlib.suppress(sqlite3.OperationalError):  # Not every SQLite has every one of them.
            connection.execute(f"SELECT 1 FROM {name} LIMIT 0").fetchall()


def _asked(connection: sqlite3.Connection, request: dict[str, Any]) -> dict[str, Any]:
    judge = _Judge()
    connection.set_authorizer(judge)
    try:
        cursor = connection.execute(request["sql"])
        if cursor.description is None:
            return {"error": "There is no statement in it. It takes one SELECT.", "kind": "statement"}
        return _rows(cursor, request)
    except (sqlite3.Error, sqlite3.Warning) as error:
        return _told(error, judge)


def _told(error: Exception, judge: _Judge) -> dict[str, Any]:
    if judge.refused:
        return {"error": f"Only reading is allowed, and it wants {judge.refused}.", "kind": "refused"}
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in (sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_TOOBIG):
        return {"error": f"It is too large for a question: {error}.", "kind": "limit"}
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return {"error": f"The database is damaged: {error}.", "kind": "damage"}
    return {"error": f"{str(error).rstrip('.')}.", "kind": "statement"}


def _rows(cursor: sqlite3.Cursor, request: dict[str, Any]) -> dict[str, Any]:
    columns = [name for name, *_ in cursor.description]
    rows: list[list[object]] = []
    size = cut = 0
    is_truncated = False
    for row in cursor:
        cells = [_cell(value, request["cell_bytes"]) for value in row]
        size += sum(len(cell) if isinstance(cell, str) else 8 for cell, _ in cells)
        if len(rows) >= request["rows"] or size > request["total_bytes"]:
            is_truncated = True
            break
        cut += sum(was_cut for _, was_cut in cells)
        rows.append([cell for cell, _ in cells])
    return {"columns": columns, "rows": rows, "is_truncated": is_truncated, "cells_cut": cut}


def _cell(value: object, most: int) -> tuple[object, bool]:
    if isinstance(value, _Text):
        if len(value) <= most:
            return value.decode("utf-8", "replace"), False
        # Cut on bytes; half a character at the end goes, wrong bytes before it are shown as such (spec G.7 95).
        end = most
        while end > most - 4 and value[end] & 0xC0 == 0x80:
            end -= 1
        return value[:end].decode("utf-8", "replace"), True
    if isinstance(value, bytes):
        return {"blob_bytes": len(value)}, False
    if isinstance(value, int) and abs(value) > _LARGEST_EXACT:
        return str(value), False
    if isinstance(value, float) and not math.isfinite(value):
        return ("Infinity" if value > 0 else "-Infinity"), False
    return value, False


def _schema(connection: sqlite3.Connection) -> dict[str, Any]:
    names = [(name, "view", about) for name, (about, _) in VIEWS.items()]
    tables = connection.execute("SELECT name FROM main.sqlite_master WHERE type = 'table' ORDER BY name").fetchall()
    names += [(str(name, "utf-8"), "table", "") for (name,) in tables if not name.startswith(b"sqlite_")]
    return {"tables": [_described(connection, *one) for one in names]}


def _described(connection: sqlite3.Connection, name: str, kind: str, about: str) -> dict[str, Any]:
    quoted = name.replace('"', '""')
    columns = connection.execute(f'PRAGMA table_xinfo("{quoted}")').fetchall()
    try:
        count = connection.execute(f'SELECT count(*) FROM "{quoted}"').fetchone()[0]
    except sqlite3.Error:
        count = -1
    told = [
        {"name": str(column, "utf-8"), "note": COLUMNS.get(str(column, "utf-8"), "") if kind == "view" else ""}
        for _, column, *_ in columns
    ]
    return {"name": name, "kind": kind, "about": about or "(undocumented)", "rows": count, "columns": told}


if __name__ == "__main__":
    main()
