"""Reading one note on purpose, which is a use of it and counts as one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs
from attrs import frozen

from aries_kernel.errors import AriesError, UnknownName, UserError
from ori_memory.notes.text import read_note

if TYPE_CHECKING:
    from ori_memory.memory import Memory
    from ori_memory.model import NoteRecord

__all__ = ["ReadNote", "read_data", "read_one"]

_PASSED = {"superseded": "Another note took its place", "archived": "It is archived", "released": "It was let go"}


@frozen
class ReadNote:
    """A note as it stands in its file, with what is known of it."""

    note: NoteRecord
    accesses: int
    """How often it was used, this time included; 0 where that could not be counted."""
    backlinks: tuple[str, ...]
    """Paths of the notes that link to it."""
    text: str
    """The whole file, its properties included."""


def read_one(memory: Memory, name: str, *, session: str = "", counts: bool = True) -> ReadNote:
    """The note that `name` means: an id, a path, a title or an alias. Counts one access; never writes the note.

    `counts` False: it goes on reading what was counted already. A count that cannot be kept is told in the warnings.
    Raises: AmbiguousNote; UnknownName; UserError for a file that is left out of the index; OSError.
    """
    note = _named(memory, name)
    read = read_note(memory.vault.locate(note.path))
    if read.problem:
        memory.notice(f"{note.path}: {read.problem}.")
    if note.status in _PASSED:
        memory.notice(f"{note.path} has the status {note.status}. {_PASSED[note.status]}.")
    sources = dict.fromkeys(link.source for link in memory.index.backlinks(note.path))
    accesses = _counted(memory, note, session) if counts else _accesses(memory, note)
    return ReadNote(note, accesses, tuple(sources), read.text)


def read_data(found: ReadNote) -> dict[str, Any]:
    """For `--json` and the server."""
    known = attrs.asdict(found.note, recurse=False)
    return {**known, "accesses": found.accesses, "backlinks": found.backlinks, "text": found.text}


def _counted(memory: Memory, note: NoteRecord, session: str) -> int:
    try:
        memory.record_use({note.path: 1.0}, session=session)
        memory.teaching.opened(note.id, session=session)
        return _accesses(memory, note)
    except AriesError as error:
        memory.notice(f"That {note.path} was read was not counted: {error}")
        return 0


def _accesses(memory: Memory, note: NoteRecord) -> int:
    known = memory.learned.accesses().get(note.id)
    return known.count if known is not None else 0


def _named(memory: Memory, name: str) -> NoteRecord:
    try:
        return memory.index.note(name)
    except UnknownName:
        place = memory.vault.locate(name)  # An absolute path, or one with dots in it.
        path = memory.vault.relative(place)
        for file in memory.index.status().quarantine:
            if file.path == path:
                raise UserError(f"{path} is left out: {file.reason}.") from None
        if not place.is_file() or path == name:
            raise
    return memory.index.note(path)
