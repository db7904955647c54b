"""What must not be seen in an answer: taken out last, after everything that could bring it back."""

from __future__ import annotations

import datetime
from collections.abc import Collection

from ori_memory.model import NoteRecord
from ori_memory.retrieval.answer import Asked

__all__ = ["HIDDEN", "hidden_because"]

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
