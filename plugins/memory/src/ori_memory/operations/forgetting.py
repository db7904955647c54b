"""Forgetting: hide a note, remove every trace of it, or let a new one take its place. A preview by default."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from attrs import frozen

from aries_kernel.errors import UserError
from ori_memory.model import NoteRecord
from ori_memory.operations.archiving import set_status
from ori_memory.operations.matching import Candidate, Match, match_notes
from ori_memory.operations.present import read_present
from ori_memory.operations.writing import writing

if TYPE_CHECKING:
    from ori_memory.memory import Memory
    from ori_memory.operations.composing import NewNote

__all__ = ["Action", "ForgetReport", "Remaining", "forget", "supersede"]

Action = Literal["release", "purge"]
_SHORTEST_NEEDLE = 4


@frozen
class Remaining:
    """Where something of a purged note is still mentioned."""

    path: str
    line: int
    text: str


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


def forget(
    memory: Memory, query: str, action: Action = "release", *, apply: bool = False, max_matches: int | None = None
) -> ForgetReport:
    """Find what `query` means and, with `apply`, release it (hidden, kept on disk) or purge it (removed).

    Raises: UserError where it matches more notes than allowed, or nothing is named.
    """
    if not query.strip():
        raise UserError("Say what to forget: a title, an identifier, or words of the note.")
    limit = memory.vault.config.forget.max_matches if max_matches is None else max_matches
    matches = _matches(memory, query)
    if len(matches) > limit:
        shown = ", ".join(match.path for match in matches[:5])
        raise UserError(
            f"{len(matches)} notes match, more than {limit}: {shown}, ... Say it more exactly, or allow more (--max)."
        )
    if not apply:
        return ForgetReport(tuple(matches), False, action)
    if action == "release":
        for match in matches:
            set_status(memory, match.path, "released", released=memory.now().date())
        memory.refresh()
        return ForgetReport(tuple(matches), True, action, tuple(f"hidden: {match.path}" for match in matches))
    return _purge(memory, matches)


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


def _matches(memory: Memory, query: str) -> list[Match]:
    """A note that is named exactly is the only match; otherwise notes are weighed by what they hold."""
    root = memory.vault.root
    notes = [note for note in memory.index.notes() if note.status not in ("released",)]
    named = [note for note in notes if query.strip() in (note.path, note.id, note.title)]
    if named:
        return [Match(note.path, note.title, 1.0, ("named",)) for note in named]
    texts = ((note, read_present(root / note.path)) for note in notes)
    return match_notes(query, (Candidate(note.path, note.title, text.text) for note, text in texts if text is not None))


def _purge(memory: Memory, matches: Sequence[Match]) -> ForgetReport:
    vault, removed, needles = memory.vault, [], []
    records = [memory.index.note(match.path) for match in matches]
    for note in records:
        needles += _needles(note)
        with writing(vault):
            try:
                (vault.root / note.path).unlink()
            except OSError as error:
                raise UserError(f"{note.path} cannot be removed: {error.strerror}.") from error
        removed.append(f"file {note.path}")
    memory.refresh()
    memory.index.purge()
    removed.append(f"index: {len(records)} notes with their text, links and names")
    for note in records:
        if _has_learned(memory):
            memory.learned.forget(note.id)
            removed.append(f"learned values of {note.id}")
    memory.close()
    return ForgetReport(
        tuple(matches),
        True,
        "purge",
        tuple(removed),
        tuple(_mentions(memory, needles)),
        tuple(_traces(vault.state_folder, needles)),
    )


def _has_learned(memory: Memory) -> bool:
    return memory.vault.learned_path.exists()


def _needles(note: NoteRecord) -> list[str]:
    """What to look for afterwards: names of the note that are long enough to mean it."""
    return [name for name in {note.title, *note.aliases, note.id} if len(name) >= _SHORTEST_NEEDLE]


def _mentions(memory: Memory, needles: Iterable[str]) -> Iterable[Remaining]:
    wanted = [needle.casefold() for needle in needles]
    for note in memory.index.notes():
        text = read_present(memory.vault.root / note.path)
        for number, line in enumerate(text.text.splitlines() if text else (), start=1):
            if any(needle in line.casefold() for needle in wanted):
                yield Remaining(note.path, number, line.strip()[:200])


def _traces(folder: Path, needles: Iterable[str]) -> Iterable[str]:
    """Our own files, read raw, journals included; a mention that other notes hold is in the index rightly."""
    wanted = [needle.encode() for needle in needles]
    for file in sorted(folder.rglob("*")):
        if file.is_file() and not file.name.startswith("index.db"):
            data = file.read_bytes()
            if any(needle in data for needle in wanted):
                yield file.name
