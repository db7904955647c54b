"""Which files changed since the index saw them, and which notes only moved."""

from __future__ import annotations

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

__all__ = ["Known", "Plan", "Snapshot", "allowed_removals", "find_moves", "make_plan", "take_snapshot"]

_FINE_NS = 100_000_000
_COARSE_NS = 2_000_000_000
"""File systems that keep whole seconds, FAT two of them."""
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
    notes: Mapping[str, Known]
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


def take_snapshot(connection: sqlite3.Connection) -> Snapshot:
    """Read in one transaction."""
    connection.execute("BEGIN")
    try:
        connection.execute("SELECT 1 FROM meta LIMIT 1").fetchone()  # From here on the transaction sees one moment.
        version = int(connection.execute("PRAGMA data_version").fetchone()[0])
        rows = connection.execute("SELECT num, path, mtime_ns, size, inode, checked_ns, hash FROM note")
        notes = {known.path: known for known in map(Known._make, rows)}
        quarantine = {
            row[0]: row[1:] for row in connection.execute("SELECT path, reason, mtime_ns, size FROM quarantine")
        }
        pending = int(connection.execute("SELECT count(*) FROM note WHERE is_pending").fetchone()[0])
    finally:
        connection.execute("COMMIT")
    return Snapshot(version, notes, quarantine, pending)


def make_plan(scan: Scan, snapshot: Snapshot, *, force: bool) -> Plan:
    """Compare what is there with what is known. `force` doubts every file."""
    notes = snapshot.notes
    to_read, known_files = [], 0
    for stamp in scan.files:
        known = notes.get(stamp.path)
        known_files += known is not None
        if force or known is None or stamp[1:] != known[2:5] or _is_fresh(stamp, known):
            to_read.append(stamp)
    if known_files == len(notes) and not snapshot.quarantine:
        return Plan(tuple(to_read), (), ())
    seen = {stamp.path for stamp in scan.files}
    gone = [known for path, known in notes.items() if path not in seen and not scan.hides(path)]
    left = [path for path in snapshot.quarantine if path not in seen and not scan.hides(path)]
    return Plan(tuple(to_read), tuple(gone), tuple(left))


def allowed_removals(notes: int) -> int:
    """How many notes may vanish at once without a word."""
    return max(_FEW, int(notes * _SHARE))


def _is_fresh(stamp: FileStamp, known: Known) -> bool:
    # A change in the same tick of the file system's clock as our look leaves time and size as they were.
    age = known.checked_ns - stamp.mtime_ns
    return age < _COARSE_NS and age < (_COARSE_NS if stamp.mtime_ns % 1_000_000_000 == 0 else _FINE_NS)


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
