"""Reading notes that may vanish at any moment: other programs work in the folder too."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ori_memory.notes.text import NoteText, read_note

if TYPE_CHECKING:
    from ori_memory.memory import Memory

__all__ = ["read_present", "read_where_possible"]


def read_present(path: Path) -> NoteText | None:
    """The note, None where it is gone since it was listed.

    Raises: OSError for any other reason.
    """
    try:
        return read_note(path)
    except FileNotFoundError:
        return None


def read_where_possible(memory: Memory, path: str) -> NoteText | None:
    """The note of this path for a look at all notes; None where it is gone, or cannot be read, which is told."""
    try:
        return read_present(memory.vault.root / path)
    except OSError as error:
        memory.notice(f"{path} cannot be read ({error.strerror}); it was not looked at.")
        return None
