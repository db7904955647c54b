"""Which files changed since the index saw them."""

from __future__ import annotations

import json
import sqlite3
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from aries_kernel.values import frozen
from ori_memory.index.listing import differences
from ori_memory.index.schema import COARSE_NS, IS_FRESH
from ori_memory.scanning.walk import FileStamp, Row, Scan

__all__ = ["Known", "Look", "Plan", "Snapshot", "allowed_removals", "compare", "has_settled"]

_COUNTS = ("SELECT count(*) FROM note", "SELECT count(*) FROM note WHERE is_pending")
_FINE_NS = 100_000_000
"""Where the file system keeps parts of a second."""
_FEW, _SHARE = 20, 0.2


class Known(NamedTuple):
    """A note as the index saw its file."""

    num: int
    path: str
    mtime_ns: int
    size: int
    inode: int
    checked_ns: int
    hash: bytes


@frozen
class Snapshot:
    """The index at one moment. `version` tells whether somebody else has written since."""

    version: int
    count: int
    """Of its notes."""
    notes: Mapping[str, Known]
    """Those whose files are to be read, or are gone: of the others nobody asks, and to make them takes its time."""
    quarantine: Mapping[str, tuple[str, int, int]]
    pending: int


@frozen
class Plan:
    """What is to be done."""

    to_read: tuple[FileStamp, ...]
    """New files and those that may have changed."""
    gone: tuple[Known, ...]
    stale_quarantine: tuple[str, ...]
    """Paths in the quarantine that are no more."""


@frozen
class Look:
    """What a look at all files found."""

    scan: Scan
    snapshot: Snapshot
    plan: Plan

    def lasting_quarantine(self) -> dict[str, tuple[str, int, int]]:
        """Without the files that are looked at again, each time: permissions change without a trace in the file."""
        again = {stamp.path for stamp in self.plan.to_read}.union(self.plan.stale_quarantine)
        left = {path: row for path, row in self.snapshot.quarantine.items() if path not in again}
        return left | {problem.path: (problem.reason, 0, 0) for problem in self.scan.left_out}

    def finds_no_change(self) -> bool:
        """Whether the index says what the files say."""
        is_work = self.plan.to_read or self.plan.gone or self.snapshot.pending
        return not is_work and self.lasting_quarantine() == dict(self.snapshot.quarantine)


def compare(connection: sqlite3.Connection, scan: Scan, *, force: bool) -> Look:
    """What is there beside what is known, seen in one transaction. `force` doubts every file."""
    connection.execute("BEGIN")
    try:
        connection.execute("SELECT 1 FROM meta LIMIT 1").fetchone()  # From here on the transaction sees one moment.
        version = int(connection.execute("PRAGMA data_version").fetchone()[0])
        quarantine = {
            row[0]: row[1:] for row in connection.execute("SELECT path, reason, mtime_ns, size FROM quarantine")
        }
        count, pending = (connection.execute(query).fetchone()[0] for query in _COUNTS)
        rows = sorted(scan.rows)
        seen, known = differences(connection, rows)
        to_read = set(rows) if force else (seen - known) | {row for row in _fresh(connection) if _holds(rows, row)}
        present = {row[0] for row in (rows if quarantine else seen)}
        gone = [row[0] for row in known if row[0] not in present and not scan.hides(row[0])]
        left = tuple([path for path in quarantine if path not in present and not scan.hides(path)])
        notes = _notes_at(connection, [*gone, *(row[0] for row in to_read)])
    finally:
        connection.execute("COMMIT")
    snapshot = Snapshot(version, count, notes, quarantine, pending)
    removed = sorted([notes[path] for path in gone], key=lambda note: note.num)
    return Look(scan, snapshot, Plan(tuple(map(FileStamp._make, sorted(to_read))), tuple(removed), left))


def _holds(rows: Sequence[Row], row: Row) -> bool:
    place = bisect_left(rows, row)
    return place < len(rows) and rows[place] == row


def _notes_at(connection: sqlite3.Connection, paths: Sequence[str]) -> dict[str, Known]:
    if not paths:
        return {}
    query = f"SELECT {', '.join(Known._fields)} FROM note WHERE path IN (SELECT value FROM json_each(?))"
    rows = connection.execute(query, (json.dumps(paths, ensure_ascii=False),))
    return {known.path: known for known in map(Known._make, rows)}


def allowed_removals(notes: int) -> int:
    """How many notes may vanish at once without a word."""
    return max(_FEW, int(notes * _SHARE))


def _fresh(connection: sqlite3.Connection) -> list[Row]:
    """Files that were read so soon after their last change that another change may look the same.

    One in the same tick of the file system's clock as our look leaves time and size as they were.
    """
    rows = connection.execute(f"SELECT path, mtime_ns, size, inode, checked_ns - mtime_ns FROM note WHERE {IS_FRESH}")
    return [row[:4] for row in rows if _is_fresh(row[1], row[4])]


def has_settled(known: Known, checked_ns: int) -> bool:
    """Whether the file was too young to be trusted when it was read last and is old enough now."""
    age = known.checked_ns - known.mtime_ns
    return _is_fresh(known.mtime_ns, age) and not _is_fresh(known.mtime_ns, checked_ns - known.mtime_ns)


def _is_fresh(mtime_ns: int, age: int) -> bool:
    return age < (_FINE_NS if mtime_ns % 1_000_000_000 else COARSE_NS)
