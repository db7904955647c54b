"""Removing notes with every trace of them, and looking afterwards whether one is left."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import frozen

from aries_kernel.atomic import replace_bytes
from aries_kernel.errors import AriesError
from ori_memory.index.opening import Busy, Unwritable
from ori_memory.model import NoteRecord
from ori_memory.notes.parsing import parse_note
from ori_memory.operations.matching import identifiers
from ori_memory.operations.present import read_where_possible
from ori_memory.operations.promoting import LOG
from ori_memory.operations.writing import writing

if TYPE_CHECKING:
    from ori_memory.memory import Memory

__all__ = ["Purged", "Remaining", "purge_notes"]

_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_SHORTEST_NAME = 4
_SHORTEST_LINE = 12
"""A shorter line of a note says too little to be known again in a database's bytes."""


@frozen
class Remaining:
    """Where something of a purged note is still mentioned."""

    path: str
    line: int
    text: str


@frozen
class Purged:
    """What was removed where, and what is left."""

    removed: tuple[str, ...]
    mentions: tuple[Remaining, ...]
    traces: tuple[str, ...]
    failed: tuple[tuple[str, str], ...]


@frozen
class _Gone:
    note: NoteRecord
    text: str

    def names(self) -> Iterator[str]:
        """What others may call it by."""
        yield from (name for name in {self.note.title, *self.note.aliases, self.note.id} if len(name) >= _SHORTEST_NAME)

    def contents(self) -> Iterator[str]:
        """What nobody could have from elsewhere: whole lines and identifiers."""
        body = parse_note(self.text, self.note.title).body
        yield from (line for raw in body.splitlines() if len(line := raw.strip()) >= _SHORTEST_LINE)
        yield from (one for one in identifiers(body) if not _DAY.match(one))


def purge_notes(memory: Memory, paths: Sequence[str]) -> Purged:
    """Remove the files, their rows and vectors, what was learned of them, their lines in our log, and old indexes."""
    gone, removed, failed = [], [], []
    for path in paths:
        try:
            gone.append(_unlink(memory, path))
            removed.append(f"file {path}")
        except OSError as error:
            failed.append((path, f"it cannot be removed: {error.strerror}"))
    memory.refresh()
    if not gone:
        return Purged((), (), (), tuple(failed))
    try:
        memory.index.purge()
        removed.append(f"index: {len(gone)} notes with their text, links and names")
    except (Unwritable, Busy) as error:
        failed.append((".ori/index.db", f"it may still hold what was removed ({error}); delete it, it is built anew"))
    removed += _forget_vectors(memory, gone, failed)
    removed += _forget_learned(memory, gone, failed)
    try:
        removed += _clean_log(memory, gone)
    except OSError as error:
        failed.append((LOG, f"it may still name what was removed: {error.strerror or error}"))
    removed += _drop_broken_indexes(memory.vault.index_path)
    memory.close()
    mentions, known = _remaining(memory, gone)
    wanted = {text for one in gone for text in (*one.names(), *one.contents()) if text.casefold() not in known}
    return Purged(tuple(removed), tuple(mentions), tuple(_traces(memory.vault.state_folder, wanted)), tuple(failed))


def _unlink(memory: Memory, path: str) -> _Gone:
    with writing(memory.vault):
        note = memory.index.note(path)
        text = read_where_possible(memory, path)
        (memory.vault.root / path).unlink(missing_ok=True)
    return _Gone(note, text.text if text else "")


def _forget_vectors(memory: Memory, gone: Iterable[_Gone], failed: list[tuple[str, str]]) -> Sequence[str]:
    """After the index: whoever embeds at this moment asks it before keeping anything."""
    from ori_memory.vectors.forgetting import forget_vectors

    try:
        return forget_vectors(memory.vault.state_folder, [one.note.id for one in gone])
    except (Unwritable, Busy, OSError) as error:
        failed.append((".ori/vectors.db", str(error)))
        return ()


def _forget_learned(memory: Memory, gone: Iterable[_Gone], failed: list[tuple[str, str]]) -> Iterator[str]:
    memory.teaching.learn()  # What was noted of it in files comes into the store, and goes with the rest.
    if not memory.has_learned:
        return
    for one in gone:
        try:
            memory.learned.forget(one.note.id)
            memory.teaching.forget(one.note.id)
        except (AriesError, OSError) as error:
            failed.append((f"learned values of {one.note.id}", str(error)))
        else:
            yield f"learned values of {one.note.id}"


def _clean_log(memory: Memory, gone: Sequence[_Gone]) -> list[str]:
    """Our log of promotions names notes and quotes their descriptions."""
    log = memory.vault.root / LOG
    if not log.is_file():
        return []
    words = {word for one in gone for word in (*one.names(), one.note.path, one.note.description) if word}
    with writing(memory.vault):
        lines = log.read_text(encoding="utf-8", errors="surrogateescape").splitlines(keepends=True)
        kept = [line for line in lines if not any(word in line for word in words)]
        if len(kept) == len(lines):
            return []
        replace_bytes(log, "".join(kept).encode("utf-8", "surrogateescape"))
    return [f"{len(lines) - len(kept)} lines of {LOG}"]


def _drop_broken_indexes(index: Path) -> Iterator[str]:
    """What was set aside as broken is of no use but to whoever looks for what was purged."""
    for file in sorted(index.parent.glob(f"{index.name}.broken-*")):
        file.unlink(missing_ok=True)
        yield f"file .ori/{file.name}"


def _remaining(memory: Memory, gone: Sequence[_Gone]) -> tuple[list[Remaining], set[str]]:
    """Lines of other notes that name one of them, and what of theirs other notes hold as well, case folded."""
    names = {name.casefold() for one in gone for name in one.names()}
    open_ = {text.casefold() for one in gone for text in (*one.names(), *one.contents())}
    found: list[Remaining] = []
    known: set[str] = set()
    for note in memory.index.notes():
        text = read_where_possible(memory, note.path)
        folded = f"{note.path}\n{text.text if text else ''}".casefold()
        known |= {one for one in open_ if one in folded}
        if text and any(name in folded for name in names):
            lines = enumerate(text.text.splitlines(), start=1)
            found += (
                Remaining(note.path, number, line.strip()[:200])
                for number, line in lines
                if any(name in line.casefold() for name in names)
            )
    return found, known


def _traces(folder: Path, wanted: Iterable[str]) -> Iterator[str]:
    """Our own files, read raw, journals included, but for those of numbers only.

    What other notes hold is in the index rightly: do not ask for it.
    """
    needles = {form.encode("utf-8", "surrogatepass") for text in wanted for form in (text, text.casefold())}
    for file in sorted(folder.rglob("*")):
        if (
            file.is_file()
            and file.suffix != ".f32"
            and any(needle in data for data in [file.read_bytes()] for needle in needles)
        ):
            yield file.name
