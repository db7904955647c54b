"""What another machine learned, merged: it speaks of notes by ids that may be others here."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from typing import TYPE_CHECKING

import attrs

from ori_memory.index.identity import derived_id
from ori_memory.index.index import open_index
from ori_memory.learned.exchange import ImportReport, Parsed, parse_lines
from ori_memory.learned.tables import NOTE_COLUMNS

if TYPE_CHECKING:
    from ori_memory.learned.rows import Row
    from ori_memory.memory import Memory

__all__ = ["merge_export", "merge_parsed", "without_identities"]


def merge_export(memory: Memory, text: str) -> ImportReport:
    """Merge an export of this or another machine; again, and in any order with others, with the same result.

    Raises: UserError that names the line; then nothing was imported.
    """
    return merge_parsed(memory, parse_lines(text.split("\n")))


def merge_parsed(memory: Memory, parsed: Parsed) -> ImportReport:
    """As `merge_export`, of an export that was understood already, so that of several none is merged in part.

    Ids of notes that are not here yet are kept for when they come. A note that is here keeps its own id, and what was
    learned of it under another one is taken for it.
    """
    given = len(parsed.rows["identity"])
    with open_index(memory.vault, sync=False) as index:
        known = {note.path for note in index.notes()}
    fresh = without_identities(parsed, known)
    first = memory.learned.merge(_only(fresh, ("forgotten", "identity")))
    memory.refresh()
    here = {note.path: note.id for note in memory.index.notes()}
    report = memory.learned.merge(_translated(fresh, parsed.rows["identity"], here))
    memory.forget_figures()
    changed = {table: count + first.changed[table] for table, count in report.changed.items()}
    return attrs.evolve(report, read={**report.read, "identity": given}, changed=changed)


def without_identities(parsed: Parsed, paths: Container[str]) -> Parsed:
    """The export without what it says of who the notes at `paths` are."""
    rows = [row for row in parsed.rows["identity"] if row["path"] not in paths]
    return attrs.evolve(parsed, rows={**parsed.rows, "identity": rows})


def _only(parsed: Parsed, tables: Container[str]) -> Parsed:
    return attrs.evolve(parsed, rows={table: rows if table in tables else [] for table, rows in parsed.rows.items()})


def _translated(parsed: Parsed, told: Iterable[Row], here: Mapping[str, str]) -> Parsed:
    """Rows of notes that have another id here, under that one."""
    ids = set(here.values())
    # The other side's ids: as it says, or as a note has that was never renamed there.
    others = {derived_id(path): id for path, id in here.items()}
    others |= {str(row["id"]): here[str(row["path"])] for row in reversed(list(told)) if row["path"] in here}
    meant = {other: own for other, own in others.items() if other not in ids}

    def own(row: Row, columns: tuple[str, ...]) -> Row:
        if not any(row[column] in meant for column in columns):
            return row
        ids = [meant.get(str(row[column]), str(row[column])) for column in columns]
        # A pair has its smaller id first.
        return {**row, **dict(zip(columns, sorted(ids), strict=True))}

    rows = {
        table: [own(row, columns) for row in found] if (columns := NOTE_COLUMNS.get(table)) else found
        for table, found in parsed.rows.items()
    }
    rows["pair"] = [row for row in rows["pair"] if row["note_a"] != row["note_b"]]
    return attrs.evolve(parsed, rows=rows)
