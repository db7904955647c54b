"""Setting notes aside that nobody needs any more; the file stays."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from attrs import frozen

from aries_kernel.atomic import replace_bytes
from aries_kernel.errors import UserError
from ori_memory.model import NoteRecord
from ori_memory.notes.frontmatter import edit_frontmatter
from ori_memory.notes.text import read_note
from ori_memory.operations.writing import writing

if TYPE_CHECKING:
    from ori_memory.learned.store import Access
    from ori_memory.memory import Memory

__all__ = ["ArchiveReport", "Archived", "archive_notes", "set_status", "set_statuses"]

_DONE = ("completed", "superseded")
_GONE = ("archived", "released")


@frozen
class Archived:
    """A note that is archived, or would be."""

    path: str
    reason: str
    days: int
    """Since it was last used or, never used, made."""
    incoming: int


@frozen
class ArchiveReport:
    """What was archived and what could not be."""

    archived: tuple[Archived, ...]
    failed: tuple[tuple[str, str], ...] = ()


def archive_notes(memory: Memory, *, is_dry_run: bool = False) -> ArchiveReport:
    """Archive notes long unused with few links, and notes long done. Pinned notes and notes without a date stay."""
    uses = memory.learned.accesses()
    found = [one for note in memory.index.notes() if (one := _archivable(memory, note, uses)) is not None]
    if is_dry_run:
        return ArchiveReport(tuple(found))
    done, failed = set_statuses(memory, (one.path for one in found), "archived")
    changed = set(done)
    return ArchiveReport(tuple(one for one in found if one.path in changed), failed)


def set_statuses(
    memory: Memory, paths: Iterable[str], status: str, **more: object
) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
    """Change the status of each note; gives the changed ones, and those that could not be with the reason."""
    done, failed = [], []
    for path in paths:
        try:
            set_status(memory, path, status, **more)
            done.append(path)
        except UserError as error:
            failed.append((path, str(error)))
    memory.refresh()
    return tuple(done), tuple(failed)


def set_status(memory: Memory, path: str, status: str, **more: object) -> None:
    """Change a note's status in its frontmatter; nothing else of the file changes.

    Raises: UserError where the frontmatter cannot be edited or the file not written.
    """
    with writing(memory.vault):
        place = memory.vault.locate(path)
        try:
            note = read_note(place)
            text = edit_frontmatter(note.text, {"status": status, **more})
            if text != note.text:
                replace_bytes(place, note.encode(text))
        except OSError as error:
            raise UserError(f"{path} cannot be written: {error.strerror}.") from error


def _archivable(memory: Memory, note: NoteRecord, uses: Mapping[str, Access]) -> Archived | None:
    settings = memory.vault.config.archive
    if note.is_pinned or note.status in _GONE or note.space != "notes":
        return None
    days = _days_unused(note, uses.get(note.id), memory.now())
    if days is None:
        return None
    incoming = _incoming(memory)(note.path)
    if days > settings.days and incoming < settings.fewer_links_than:
        links = "1 incoming link" if incoming == 1 else f"{incoming} incoming links"
        how = f"not used for {days} days" if note.id in uses else f"{days} days old and not used since this is a vault"
        return Archived(note.path, f"{how}, {links}", days, incoming)
    if note.status in _DONE and days > settings.done_days:
        return Archived(note.path, f"{note.status} for {days} days", days, incoming)
    return None


def _incoming(memory: Memory) -> Callable[[str], int]:
    graph = memory.graph
    return lambda path: graph.in_degrees[graph.number[path]]


def _days_unused(note: NoteRecord, access: Access | None, now: datetime.datetime) -> int | None:
    if access is not None:
        return (now - access.last).days
    if note.created is None:
        return None
    return (now.date() - note.created).days if isinstance(note.created, datetime.date) else None
