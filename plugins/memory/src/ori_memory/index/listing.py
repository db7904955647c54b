"""What the index knows of all files, in stretches of their sorted paths with a digest each.

A look at the vault is compared by digests; only of stretches that differ, rows are fetched from the index. No digest
may say of rows what they are not: whoever changes rows of files calls `relist` in the same transaction.
"""

from __future__ import annotations

import marshal
import sqlite3
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence

from aries_kernel.digests import blake2b
from ori_memory.scanning.walk import Row

__all__ = ["differences", "is_listed", "relist"]

_MOST = 512
"""Files of one stretch. One that grows beyond is parted in halves."""
_ROWS = "SELECT path, mtime_ns, size, inode FROM note"
_STRETCH = f"{_ROWS} WHERE path >= ? AND path < ? ORDER BY path"
_END = b""
"""What is above every path: to SQLite bytes are more than any text."""


def differences(connection: sqlite3.Connection, rows: Sequence[Row]) -> tuple[set[Row], set[Row]]:
    """Of the sorted `rows` of a look at the files, and of what is known: all in stretches that are not alike."""
    stretches = connection.execute("SELECT first, digest FROM listing ORDER BY first").fetchall()
    if not stretches:
        return set(rows), set(connection.execute(_ROWS).fetchall())
    seen: set[Row] = set()
    known: set[Row] = set()
    places = [bisect_left(rows, (first,)) for first, _ in stretches]
    ends, lasts = [*places[1:], len(rows)], [*(first for first, _ in stretches[1:]), _END]
    for (first, digest), last, place, end in zip(stretches, lasts, places, ends, strict=True):
        part = rows[place:end]
        if _digest(part) != digest:
            seen.update(part)
            known.update(connection.execute(_STRETCH, (first, last)).fetchall())
    return seen, known


def is_listed(connection: sqlite3.Connection) -> bool:
    """Whether anything is said of any file; not during a first build, which is listed at its end."""
    return connection.execute("SELECT 1 FROM listing LIMIT 1").fetchone() is not None


def relist(connection: sqlite3.Connection, paths: Iterable[str], most: int = _MOST) -> None:
    """The rows of the files at `paths` were changed, made or removed: write anew what is said of their stretches."""
    firsts = [row[0] for row in connection.execute("SELECT first FROM listing ORDER BY first")] or [""]
    for place in sorted({bisect_right(firsts, path) - 1 for path in paths}):
        first, last = firsts[place], firsts[place + 1] if place + 1 < len(firsts) else _END
        rows = connection.execute(_STRETCH, (first, last)).fetchall()
        connection.execute("DELETE FROM listing WHERE first = ?", (first,))
        size = len(rows) if len(rows) <= most else most // 2
        parts = [rows[begin : begin + size] for begin in range(0, len(rows), size or 1)]
        names = [first, *(part[0][0] for part in parts[1:])]
        if not parts and not first:
            parts = [[]]  # The first stretch stays: it begins before all paths.
        values = [(name, _digest(part)) for name, part in zip(names, parts, strict=False)]
        connection.executemany("INSERT INTO listing VALUES(?, ?)", values)


def _digest(rows: Sequence[Row]) -> bytes:
    # The second version of the format writes equal values as equal bytes. Where another Python does not, rows are
    # fetched, which costs time and nothing else.
    return blake2b(marshal.dumps(list(rows), 2), digest_size=16).digest()
