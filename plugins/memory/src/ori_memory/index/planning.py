"""Which files changed since the index saw them, and which notes only moved."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from attrs import frozen

from ori_memory.index.reading import ReadFile
from ori_memory.index.storing import unpack
from ori_memory.index.words import folded
from ori_memory.notes.text import decode_note
from ori_memory.scanning.walk import FileStamp, Scan

__all__ = ["Known", "Plan", "Snapshot", "allowed_removals", "compare", "find_moves"]

_FINE_NS = 100_000_000
_COARSE_NS = 2_000_000_000
"""File systems that keep whole seconds, FAT two of them."""
_FEW, _SHARE = 20, 0.2
_STAMPS = "SELECT path, mtime_ns, size, inode, num, checked_ns - mtime_ns FROM note"
_Row = tuple[str, int, int, int, int, int]
"""A note's file as it was, in the order of a FileStamp, the note's number, and how old the file was when it was read.

Plain tuples, and nothing that is not compared: there is one for each note at each command.
"""


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
        rows = {row[0]: row for row in connection.execute(_STAMPS)}
        quarantine = {
            row[0]: row[1:] for row in connection.execute("SELECT path, reason, mtime_ns, size FROM quarantine")
        }
        pending = int(connection.execute("SELECT count(*) FROM note WHERE is_pending").fetchone()[0])
        to_read = _to_read(scan, rows, force)
        gone, left = _vanished(scan, rows, quarantine)
        notes = _known(connection, [rows[path][4] for path in (*(one.path for one in to_read), *gone) if path in rows])
    finally:
        connection.execute("COMMIT")
    snapshot = Snapshot(version, len(rows), notes, quarantine, pending)
    return snapshot, Plan(to_read, tuple([notes[path] for path in gone]), left)


def _to_read(scan: Scan, rows: Mapping[str, _Row], force: bool) -> tuple[FileStamp, ...]:
    if force:
        return scan.files
    get = rows.get
    return tuple(
        [
            stamp
            for stamp in scan.files
            if (row := get(stamp[0])) is None or row[:4] != stamp or (row[5] < _COARSE_NS and _is_fresh(stamp, row[5]))
        ]
    )


def _vanished(
    scan: Scan, rows: Mapping[str, _Row], quarantine: Mapping[str, object]
) -> tuple[list[str], tuple[str, ...]]:
    """Paths of notes, and of files in quarantine, that are no more."""
    seen = {stamp[0] for stamp in scan.files}
    gone = [path for path in rows.keys() - seen if not scan.hides(path)]
    return sorted(gone, key=lambda path: rows[path][4]), tuple(
        [path for path in quarantine if path not in seen and not scan.hides(path)]
    )


def _known(connection: sqlite3.Connection, nums: Sequence[int]) -> dict[str, Known]:
    if not nums:
        return {}
    query = f"SELECT {', '.join(Known._fields)} FROM note WHERE num IN (SELECT value FROM json_each(?))"
    return {known.path: known for known in map(Known._make, connection.execute(query, (json.dumps(nums),)))}


def allowed_removals(notes: int) -> int:
    """How many notes may vanish at once without a word."""
    return max(_FEW, int(notes * _SHARE))


def _is_fresh(stamp: FileStamp, age: int) -> bool:
    # A change in the same tick of the file system's clock as our look leaves time and size as they were.
    return age < (_COARSE_NS if stamp.mtime_ns % 1_000_000_000 == 0 else _FINE_NS)


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
    row = connection.execute("SELECT text FROM stored WHERE note = ?", (known.num,)).fetchone()
    if row is None:
        return False
    old = set(filter(None, map(str.strip, unpack(row[0]).body.splitlines())))
    new = set(filter(None, map(str.strip, folded(decode_note(file.data).text).splitlines())))
    return bool(old) and 2 * len(old & new) >= len(old)
