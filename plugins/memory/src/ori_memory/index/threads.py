"""Threads: notes of one session in their order, each seen with its neighbours.

A line of a talk says little by itself. What stands before and after it is searched with it, in a table of its own that
is empty in a vault without threads.
"""

from __future__ import annotations

import re
import sqlite3

from ori_memory.index.irregular import regular
from ori_memory.index.keys import key_number
from ori_memory.index.storing import stored_text
from ori_memory.index.words import spread
from ori_memory.model import NoteRecord

__all__ = ["ASIDE", "has_dirty_threads", "mark_thread", "refresh_threads", "speaker_of", "thread_of"]

ASIDE = 2
"""Neighbours on each side."""
_FEWEST = 2
_LONGEST = 4_000
"""Characters of a neighbour that count: the context of a long note is not another long note."""
_SPEAKER = re.compile(r"\W*([^\W\d_][\w.'’-]*(?: [^\W\d_][\w.'’-]*){0,3})\W{0,4}:[^\w/]")
_NUMBER = re.compile(r"\d+")


def thread_of(record: NoteRecord) -> int | None:
    """The number of the thread a note stands in: that of its session. None: it states no session.

    Equal titles are no sign of a thread: articles of several parts have them, whose parts are found by themselves.
    """
    source = record.source
    return key_number(f"{source.client}\n{source.session}") if source.session else None


def mark_thread(connection: sqlite3.Connection, num: int) -> None:
    """The note changes or goes: its thread is put together anew by the next `refresh_threads`."""
    connection.execute(
        "INSERT OR IGNORE INTO dirty_thread SELECT thread FROM note WHERE num = ? AND thread NOTNULL", (num,)
    )


def has_dirty_threads(connection: sqlite3.Connection) -> bool:
    return connection.execute("SELECT 1 FROM dirty_thread LIMIT 1").fetchone() is not None


def refresh_threads(connection: sqlite3.Connection) -> None:
    """Put the marked threads together anew. Inside a transaction."""
    if not has_dirty_threads(connection):
        return
    _take_out(connection)
    rows = connection.execute(
        "SELECT thread, num, path FROM note WHERE thread IN (SELECT n.thread FROM note n JOIN dirty_thread d "
        f"ON d.thread = n.thread GROUP BY n.thread HAVING count(*) >= {_FEWEST})"
    )
    threads: dict[int, list[tuple[str, int]]] = {}
    for thread, num, path in rows:
        threads.setdefault(thread, []).append((path, num))
    for thread, members in threads.items():
        _write(connection, thread, [num for _, num in sorted(members, key=lambda one: _natural(one[0]))])
    connection.execute("DELETE FROM dirty_thread")


def _take_out(connection: sqlite3.Connection) -> None:
    rows = connection.execute(
        "SELECT s.note, s.text FROM seat s LEFT JOIN note n ON n.num = s.note "
        "WHERE s.thread IN (SELECT thread FROM dirty_thread)"
    ).fetchall()
    connection.executemany("INSERT INTO windows(windows, rowid, text) VALUES('delete', ?, ?)", rows)
    connection.execute("DELETE FROM seat WHERE thread IN (SELECT thread FROM dirty_thread)")


def _write(connection: sqlite3.Connection, thread: int, nums: list[int]) -> None:
    bodies = []
    for num in nums:
        text = stored_text(connection, num)
        bodies.append(text.body if text is not None else "")
    short = [regular(spread(body[:_LONGEST])) for body in bodies]
    seats = []
    for place, num in enumerate(nums):
        around = short[max(0, place - ASIDE) : place + ASIDE + 1]
        # Twice what the note itself says, so that it stands out from its neighbours.
        seats.append((num, thread, place, speaker_of(bodies[place]), "\n".join((short[place], *around))))
    connection.executemany("INSERT INTO seat VALUES(?, ?, ?, ?, ?)", seats)
    connection.executemany("INSERT INTO windows(rowid, text) VALUES(?, ?)", [(seat[0], seat[4]) for seat in seats])


def speaker_of(body: str) -> str:
    """Who says it, in small letters: `Ann: hello` is Ann's. Empty where a text does not begin so."""
    found = _SPEAKER.match(body[:120])
    return found[1].lower() if found is not None else ""


def _natural(path: str) -> tuple[str, str]:
    """Part 10 stands after part 9."""
    return _NUMBER.sub(lambda found: found[0].zfill(12), path), path
