"""The journal as evidence sees it."""

from __future__ import annotations

import functools
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from aries_kernel.contracts.evidence import (
    NoteNamed,
    NoteOpened,
    NoteText,
    NoteWritten,
    QuestionAsked,
    TextSaid,
)
from aries_kernel.errors import UnknownName
from ori_memory.vault.vault import OutsideVault

if TYPE_CHECKING:
    import sqlite3

    from ori_memory.learned.events import Event
    from ori_memory.memory import Memory

__all__ = ["OpenJournal"]


class OpenJournal:
    """What happened in sessions that are not over, and the notes as they are now."""

    def __init__(self, memory: Memory, events: Sequence[Event]) -> None:
        self._memory = memory
        self.questions = tuple(
            QuestionAsked(one.session, one.at, tuple(one.data["words"]), tuple(one.data["notes"]))
            for one in events
            if one.kind == "asked"
        )
        self.opened = tuple(NoteOpened(one.session, one.at, one.data["note"]) for one in events if one.kind == "opened")
        self.written = tuple(
            NoteWritten(
                one.session, one.at, one.data["note"], one.data["is_new"], tuple(one.data["links"]), one.data["text"]
            )
            for one in events
            if one.kind == "wrote"
        )
        self.said = tuple(TextSaid(one.session, one.at, one.data["text"]) for one in events if one.kind == "said")
        self.named = tuple(
            NoteNamed(one.session, one.at, tuple(one.data["notes"])) for one in events if one.kind == "named"
        )
        self._paths = memory.index.read(functools.partial(_paths_of, ids=_ids_in(events)))
        self._texts = functools.cache(self._read)

    def is_known(self, id: str) -> bool:
        """Whether there is such a note: nothing is learned of names that are none (spec G.4-53)."""
        return id in self._paths

    def note(self, id: str) -> NoteText | None:
        """The note as it is now; None where there is none of this id, or its file is gone."""
        return self._texts(id)

    def _read(self, id: str) -> NoteText | None:
        path = self._paths.get(id)
        if path is None:
            return None
        try:
            record = self._memory.index.note(path)
            return NoteText(id, record.title, path, record.aliases, self._memory.index.text_of(path))
        except (UnknownName, OutsideVault, OSError):
            return None


def _ids_in(events: Sequence[Event]) -> list[str]:
    found: set[str] = set()
    for event in events:
        found.update(event.data.get("notes", ()), event.data.get("links", ()))
        found.update(filter(None, (event.data.get("note"),)))
    return sorted(found)


def _paths_of(connection: sqlite3.Connection, ids: Sequence[str]) -> dict[str, str]:
    """Of these notes alone: a vault has many more."""
    rows = connection.execute(
        "SELECT id, path FROM note WHERE id IN (SELECT value FROM json_each(?))", (json.dumps(ids),)
    )
    return dict(rows.fetchall())
