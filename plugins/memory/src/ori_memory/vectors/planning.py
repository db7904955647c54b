"""Which notes are to be embedded, the most useful ones first, and what of them."""

from __future__ import annotations

import datetime
import sqlite3
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from attrs import frozen

from ori_memory.index.peeking import ChangedMeanwhile, peeking
from ori_memory.index.stored import unpack
from ori_memory.vectors.passages import NoteText, Section
from ori_memory.vectors.tables import NoteStamp

__all__ = ["Candidate", "ask", "candidates", "in_order", "note_text", "passages_ahead", "state_of", "still_there"]

T = TypeVar("T")

_TRIES = 20
_RECENT = datetime.timedelta(days=7)
_TOKENS_A_WORD, _TOKENS_A_PASSAGE = 1.4, 160
_WARMTH = 10
"""Links that weigh as much as full warmth."""


@frozen
class Candidate:
    """A note of the index."""

    stamp: NoteStamp
    changed_ns: int
    words: int
    links: int
    """Notes that link to it."""


def candidates(index: sqlite3.Connection) -> list[Candidate]:
    """All notes."""
    links = dict(index.execute("SELECT dst, count(DISTINCT src) FROM link WHERE dst IS NOT NULL GROUP BY dst"))
    rows = index.execute("SELECT id, num, hash, title, mtime_ns, words FROM note")
    return [Candidate(NoteStamp(*row[:4]), row[4], row[5], links.get(row[1], 0)) for row in rows]


def in_order(notes: Collection[Candidate], boosts: Mapping[str, float], now: datetime.datetime) -> Sequence[Candidate]:
    """What changed in the last week, the latest first; then what is well linked or warm; then the rest by date."""
    since = (now - _RECENT).timestamp() * 1e9

    def key(note: Candidate) -> tuple[float, ...]:
        if note.changed_ns >= since:
            return (0, -note.changed_ns)
        return (1, -note.links - _WARMTH * boosts.get(note.stamp.id, 0.0), -note.changed_ns)

    return sorted(notes, key=key)


def passages_ahead(notes: Iterable[Candidate]) -> int:
    """About how many passages they make."""
    return sum(max(1, round(note.words * _TOKENS_A_WORD / _TOKENS_A_PASSAGE)) for note in notes)


def note_text(index: sqlite3.Connection, stamp: NoteStamp) -> NoteText | None:
    """What of it can be embedded; None where the note is no longer as the stamp says. Raises: sqlite3.DatabaseError."""
    row = index.execute(
        "SELECT s.text, n.created, n.body_line FROM note n JOIN stored s ON s.note = n.num "
        "WHERE n.num = ? AND n.id = ? AND n.hash = ? AND n.title = ?",
        (stamp.num, stamp.id, stamp.hash, stamp.title),
    ).fetchone()
    if row is None:
        return None
    text = unpack(row[0])
    headings = index.execute("SELECT level, text, line FROM heading WHERE note = ? ORDER BY position", (stamp.num,))
    sections = _sections(text.body, headings.fetchall(), row[2])
    aliases = tuple(filter(None, text.aliases.split("\n")))
    return NoteText(text.title, text.body, text.description, aliases, row[1] or "", sections)


def still_there(index: sqlite3.Connection, stamps: Collection[NoteStamp]) -> set[NoteStamp]:
    """Those that the index has as they are."""
    query = "SELECT 1 FROM note WHERE num = ? AND id = ? AND hash = ? AND title = ?"
    given = {stamp: (stamp.num, stamp.id, stamp.hash, stamp.title) for stamp in stamps}
    return {stamp for stamp, values in given.items() if index.execute(query, values).fetchone() is not None}


def ask(index: Path, question: Callable[[sqlite3.Connection], T]) -> T:
    """An answer of the index, which is neither synced nor written. Raises: sqlite3.Error, OSError, ChangedMeanwhile."""
    for _ in range(_TRIES):
        try:
            with peeking(index) as connection:
                return question(connection)
        except ChangedMeanwhile:
            continue
    raise ChangedMeanwhile


def state_of(index: Path) -> object:
    """Something that is another one once the index has been written to."""
    places = (index, index.with_name(index.name + "-wal"))
    found = [place.stat() for place in places if place.exists()]
    return [(one.st_ino, one.st_size, one.st_mtime_ns) for one in found]


def _sections(body: str, headings: Sequence[tuple[int, str, int]], body_line: int) -> tuple[Section, ...]:
    found: list[Section] = []
    line, place = 1, 0
    for level, text, at in headings:
        while line < at - body_line:
            next_line = body.find("\n", place)
            if next_line < 0:
                return tuple(found)
            place, line = next_line + 1, line + 1
        found.append(Section(level, text, place))
    return tuple(found)
