"""Questions in SQL over the index and what was learned: read-only, bounded, in a process of their own."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from typing import Any

from attrs import frozen

from aries_kernel.errors import AriesError, UserError
from ori_memory.vault.vault import Vault

__all__ = ["SqlAnswer", "SqlRefused", "SqlStopped", "SqlTable", "describe_schema", "run_sql"]

LONGEST_STATEMENT = 16 << 10
MOST_ROWS = 1_000
LONGEST_SECONDS = 60.0
_CELL_BYTES = 4_096
_TOTAL_BYTES = 8 << 20
_START_SECONDS = 30.0
"""For a process to begin on a machine that is very busy; the time limit counts from there."""


class SqlRefused(UserError):
    """The statement is wrong, or would do more than read."""


class SqlStopped(AriesError):
    """The statement was right and needed more time or memory than it may have, or the database cannot be read."""


@frozen
class SqlAnswer:
    """Rows of an answer, in the order in which they came."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    """Cells as JSON has them: a BLOB is `{"blob_bytes": n}`, an integer beyond 2**53 a text."""
    is_truncated: bool
    """There are more rows."""
    cells_cut: int
    """Texts that were longer than 4,096 bytes and end there."""


@frozen
class SqlColumn:
    """A column and what its name does not say."""

    name: str
    note: str


@frozen
class SqlTable:
    """A view or table that may be asked."""

    name: str
    kind: str
    about: str
    rows: int
    """-1: not known."""
    columns: tuple[SqlColumn, ...]


def run_sql(vault: Vault, statement: str, *, limit: int = MOST_ROWS, seconds: float = 2.0) -> SqlAnswer:
    """The answer to one statement that only reads. Makes and changes no file.

    Raises: SqlRefused; SqlStopped at a limit.
    """
    try:
        size = len(statement.encode("utf-8"))
    except UnicodeEncodeError as error:
        raise SqlRefused("The statement holds half a character.") from error
    if size > LONGEST_STATEMENT:
        raise SqlRefused(f"The statement has {size:,} bytes; {LONGEST_STATEMENT:,} are allowed.")
    if "\0" in statement:
        raise SqlRefused("The statement holds a NUL character.")
    if not statement.strip():
        raise SqlRefused("There is no statement. It takes one SELECT; --schema tells what can be asked.")
    answer = _asked(vault, statement, min(max(limit, 1), MOST_ROWS), min(max(seconds, 0.01), LONGEST_SECONDS))
    rows = tuple(tuple(row) for row in answer["rows"])
    return SqlAnswer(tuple(answer["columns"]), rows, answer["is_truncated"], answer["cells_cut"])


def describe_schema(vault: Vault) -> tuple[SqlTable, ...]:
    """What can be asked: views first, each with its columns and rows.

    Raises: SqlStopped.
    """
    answer = _asked(vault, None, MOST_ROWS, 10.0)
    return tuple(
        SqlTable(
            one["name"], one["kind"], one["about"], one["rows"], tuple(SqlColumn(**column) for column in one["columns"])
        )
        for one in answer["tables"]
    )


def _asked(vault: Vault, statement: str | None, rows: int, seconds: float) -> dict[str, Any]:
    if not vault.index_path.is_file():
        raise UserError(f"{vault.root} has no index yet. Build it: ori index build")
    request = {
        "index": str(vault.index_path),
        "learned": str(vault.learned_path),
        "sql": statement,
        "rows": rows,
        "seconds": seconds,
        "cell_bytes": _CELL_BYTES,
        "total_bytes": _TOTAL_BYTES,
    }
    answer = _run(json.dumps(request).encode(), seconds)
    if "error" in answer:
        kind = SqlRefused if answer["kind"] in ("statement", "refused") else SqlStopped
        raise kind(answer["error"])
    return answer


def _run(request: bytes, seconds: float) -> dict[str, Any]:
    # -P: the working directory is no place to import from; anything may lie there.
    command = [sys.executable, "-P", "-m", "ori_memory.index.sql_child"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    with process:
        assert process.stdin is not None and process.stdout is not None
        is_over = threading.Event()
        try:
            with _Deadline(process, _START_SECONDS, is_over):
                process.stdin.write(request)
                process.stdin.close()
                first = process.stdout.readline()
            with _Deadline(process, seconds, is_over):
                data = process.stdout.read() if first == b"ready\n" else first
                process.wait()
        except BrokenPipeError as error:
            raise SqlStopped("The process for the question ended before it was asked.") from error
        finally:
            process.kill()
    if is_over.is_set() or (not data and process.returncode):
        limit = f"{seconds:g} s" if is_over.is_set() else "a limit"
        raise SqlStopped(
            f"The statement was stopped at {limit}. Ask for less (a join without ON, or a recursion without an end?), "
            "or allow more with --timeout."
        )
    answer: dict[str, Any] = json.loads(data)
    return answer


class _Deadline:
    """Kill the process when the time is over and the block has not ended."""

    def __init__(self, process: subprocess.Popen[bytes], seconds: float, is_over: threading.Event) -> None:
        self._timer = threading.Timer(seconds, self._end)
        self._process, self._is_over = process, is_over

    def _end(self) -> None:
        self._is_over.set()
        self._process.kill()

    def __enter__(self) -> None:
        self._timer.daemon = True
        self._timer.start()

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
