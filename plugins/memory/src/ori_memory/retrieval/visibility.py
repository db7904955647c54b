"""What must not be seen in an answer: taken out last, after everything that could bring it back."""

from __future__ import annotations

import datetime
import sqlite3
from collections.abc import Collection

from ori_memory.index.records import fetch_records
from ori_memory.model import NoteRecord
from ori_memory.retrieval.answer import Asked

__all__ = ["HIDDEN", "hidden_because", "visible"]

HIDDEN = ("archived", "superseded", "released")


def hidden_because(note: NoteRecord, asked: Asked, today: datetime.date, replaced: Collection[str]) -> str:
    """Why a note may not be shown, or an empty text. `replaced`: paths of notes that others say they supersede."""
    day = asked.as_of or today
    if not asked.include_archived:
        if note.status in HIDDEN:
            return note.status
        if note.path in replaced:
            return "superseded"
    if asked.as_of is not None and note.created is not None and note.created > day:
        return "not there yet"
    if note.valid_from is not None and note.valid_from > day:
        return "not valid yet"
    if note.valid_until is not None and note.valid_until < day:
        return "no longer valid"
    if asked.projects and not set(asked.projects) & set(note.projects):
        return "of another project"
    if asked.folder and not f"{note.path}/".startswith(asked.folder.strip("/") + "/"):
        return "of another folder"
    return ""


def visible(
    connection: sqlite3.Connection, asked: Asked, today: datetime.date, notes: Collection[int]
) -> frozenset[int]:
    """Those of `notes` that may be shown."""
    replaced = _replaced(connection)
    records = fetch_records(connection, list(notes))
    return frozenset(num for num, one in records.items() if not hidden_because(one, asked, today, replaced))


def _replaced(connection: sqlite3.Connection) -> frozenset[str]:
    """Paths of notes that another, visible note says it supersedes."""
    rows = connection.execute("SELECT s.target, n.path FROM supersedes s JOIN note n ON n.num = s.note").fetchall()
    if not rows:
        return frozenset()
    from aries_kernel.errors import UnknownName
    from ori_memory.index.lookup import AmbiguousNote, find_note

    found = set()
    for target, source in rows:
        try:
            path = find_note(connection, target).path
        except (AmbiguousNote, UnknownName):
            continue  # `ori validate` tells it; nothing is hidden on a guess.
        if path != source:
            found.add(path)
    return frozenset(found)
