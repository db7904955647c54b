"""Forgetting: hide a note, remove every trace of it, or let a new one take its place. A preview by default."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from attrs import frozen

from aries_kernel.errors import UserError
from ori_memory.operations.archiving import set_status, set_statuses
from ori_memory.operations.matching import Candidate, Match, match_notes
from ori_memory.operations.present import read_where_possible
from ori_memory.operations.purging import Remaining, purge_notes

if TYPE_CHECKING:
    from ori_memory.memory import Memory
    from ori_memory.operations.composing import NewNote

__all__ = ["Action", "ForgetReport", "forget", "supersede"]

Action = Literal["release", "purge"]


@frozen
class ForgetReport:
    """What matches, what was done, and, after a purge, what is left."""

    matches: tuple[Match, ...]
    is_applied: bool
    action: Action
    removed: tuple[str, ...] = ()
    """What was removed where: files, rows of the index, learned values."""
    mentions: tuple[Remaining, ...] = ()
    """Notes that still name it: links to it, its title, its identifiers."""
    traces: tuple[str, ...] = ()
    """Files of ours in which its text could still be found; empty after a good purge."""
    failed: tuple[tuple[str, str], ...] = ()
    """Matches that could not be changed or removed, with the reason."""


def forget(
    memory: Memory, query: str, action: Action = "release", *, apply: bool = False, max_matches: int | None = None
) -> ForgetReport:
    """Find what `query` means and, with `apply`, release it (hidden, kept on disk) or purge it (removed).

    Raises: UserError where it matches more notes than allowed, or nothing is named.
    """
    if not query.strip():
        raise UserError("Say what to forget: a title, an identifier, or words of the note.")
    limit = memory.vault.config.forget.max_matches if max_matches is None else max_matches
    matches = _matches(memory, query, with_hidden=action == "purge")
    if len(matches) > limit:
        shown = ", ".join(match.path for match in matches[:5])
        raise UserError(
            f"{len(matches)} notes match, more than {limit}: {shown}, ... Say it more exactly, or allow more (--max)."
        )
    if not apply:
        return ForgetReport(tuple(matches), False, action)
    paths = [match.path for match in matches]
    if action == "release":
        done, failed = set_statuses(memory, paths, "released", released=memory.now().date())
        return ForgetReport(tuple(matches), True, action, tuple(f"hidden: {path}" for path in done), failed=failed)
    purged = purge_notes(memory, paths)
    return ForgetReport(tuple(matches), True, action, purged.removed, purged.mentions, purged.traces, purged.failed)


def supersede(memory: Memory, ref: str, request: NewNote) -> tuple[str, str]:
    """Write `request` as the note that takes the place of `ref`; gives the paths of the new and the old one.

    The new note says what it supersedes; the old one keeps its text and gets the status superseded.
    """
    import attrs

    from ori_memory.operations.adding import add_note

    old = memory.index.note(ref)
    added = add_note(memory, attrs.evolve(request, supersedes=(*request.supersedes, f"[[{old.title}]]")))
    if not added.is_new:
        raise UserError(f"A note that says this is there already: {added.path}. Nothing was superseded.")
    set_status(memory, old.path, "superseded", superseded_by=f"[[{added.title}]]")
    memory.refresh()
    return added.path, old.path


def _matches(memory: Memory, query: str, *, with_hidden: bool) -> list[Match]:
    """A note that is named exactly is the only match; otherwise notes are weighed by what they hold."""
    notes = [note for note in memory.index.notes() if with_hidden or note.status != "released"]
    named = [note for note in notes if query.strip() in (note.path, note.id, note.title)]
    if named:
        return [Match(note.path, note.title, 1.0, ("named",)) for note in named]
    texts = ((note, read_where_possible(memory, note.path)) for note in notes)
    return match_notes(query, (Candidate(note.path, note.title, text.text) for note, text in texts if text is not None))
