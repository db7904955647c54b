"""Which files changed since the index saw them, and which notes only moved."""

from __future__ import annotations

import json
import sqlite3
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from attrs import frozen

from ori_memory.index.listing import differences
from ori_memory.index.reading import ReadFile
from ori_memory.index.schema import COARSE_NS, IS_FRESH
from ori_memory.index.storing import unpack
from ori_memory.index.words import folded
from ori_memory.notes.text import decode_note
from ori_memory.scanning.walk import FileStamp, Row, Scan

__all__ = ["Known", "Plan", "Snapshot", "allowed_removals", "compare", "find_moves", "has_settled"]

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


def compare(connection: sqlite3.Connection, scan: Scan, *, force: bool) -> tuple[Snapshot, Plan]:
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
    return snapshot, Plan(tuple(map(FileStamp._make, sorted(to_read))), tuple(removed), left)


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


def find_moves(connection: sqlite3.Connection, gone: Sequence[Known], fresh: Sequence[ReadFile]) -> dict[str, Known]:
    """New path to the note that was elsewhere: the same content, or the same file with most of its lines.

    Content that several files share says nothing, unless the inode does; an inode alone says nothing either, since
    file systems hand a freed one to the next file.
    """
    moves: dict[str, Known] = {}
    left = {known.path: known for known in gone}
    by_place = {(known.inode, known.hash): known for known in gone}
    for file in fresh:
        same = by_place.get((file.stamp.inode, file.hash))
        if same is not None and same.path in left:
            moves[file.stamp.path] = left.pop(same.path)
    unique_old = _unique(left.values(), fresh)
    for file in fresh:
        same = unique_old.get(file.hash)
        if file.data and file.stamp.path not in moves and same is not None and same.path in left:
            moves[file.stamp.path] = left.pop(same.path)
    by_inode = {known.inode: known for known in left.values()}
    for file in fresh:
        same = by_inode.get(file.stamp.inode)
        if (
            same is not None
            and same.path in left
            and file.stamp.path not in moves
            and _is_edited(connection, same, file)
        ):
            moves[file.stamp.path] = left.pop(same.path)
    return moves


def _unique(old: Iterable[Known], fresh: Iterable[ReadFile]) -> dict[bytes, Known]:
    old = list(old)
    counts, new_counts = Counter(known.hash for known in old), Counter(file.hash for file in fresh)
    return {known.hash: known for known in old if counts[known.hash] == 1 and new_counts[known.hash] == 1}


def _is_edited(connection: sqlite3.Connection, known: Known, file: ReadFile) -> bool:
    row = connection.execute("SELECT text, taken FROM stored WHERE note = ?", (known.num,)).fetchone()
    if row is None:
        return False
    old = set(filter(None, map(str.strip, unpack(*row).body.splitlines())))
    new = set(filter(None, map(str.strip, folded(decode_note(file.data).text).splitlines())))
    return bool(old) and 2 * len(old & new) >= len(old)
