"""Reading notes that may vanish at any moment: other programs work in the folder too."""

from __future__ import annotations

from pathlib import Path

from ori_memory.notes.text import NoteText, read_note

__all__ = ["read_present"]


def read_present(path: Path) -> NoteText | None:
    """The note, None where it is gone since it was listed.

    Raises: OSError for any other reason.
    """
    try:
        return read_note(path)
    except FileNotFoundError:
        return None
