"""Which notes only moved: from a file that is gone to one that is new."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Sequence

from ori_memory.index.planning import Known
from ori_memory.index.reading import ReadFile
from ori_memory.index.stored import unpack
from ori_memory.index.words import folded
from ori_memory.notes.text import decode_note

__all__ = ["find_moves"]


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
