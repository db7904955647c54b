"""What was learned as text, one JSON document a line: for git, for another machine, for a look."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from attrs import frozen

from aries_kernel.errors import UserError
from ori_memory.learned.rows import Row, check_row
from ori_memory.learned.tables import EXPORTED, Table

if TYPE_CHECKING:
    from ori_memory.learned.connecting import Connection

__all__ = ["FORMAT", "VERSION", "ImportReport", "Parsed", "export_lines", "parse_lines", "row_lines"]

FORMAT = "ori-learned"
VERSION = 1
_CONFLICT = ("<<<<<<<", "|||||||", "=======", ">>>>>>>")
"""What git leaves where two sides were not merged: both are rows, and all rows are merged here."""


@frozen
class ImportReport:
    read: Mapping[str, int]
    """Rows in the file, per table."""
    changed: Mapping[str, int]
    """Rows that brought something new; none where the file was imported before."""
    skipped: Mapping[str, int]
    """Rows of tables that this version does not know, per table."""


@frozen
class Parsed:
    """An export, understood and checked."""

    rows: Mapping[str, list[Row]]
    skipped: Mapping[str, int]


def export_lines(connection: Connection, tables: Iterable[Table]) -> Iterator[str]:
    """The same store gives the same lines: ordered by key, without time of export, row ids or this machine's origin."""
    yield _line({"_format": FORMAT, "version": VERSION})
    for table in tables:
        # Names come from our own table list.
        names, keys = ", ".join(table.names), ", ".join(table.keys)
        for row in connection.execute(f"SELECT {names} FROM {table.name} ORDER BY {keys}"):
            yield _line({"_t": table.name, **dict(zip(table.names, row, strict=True))})


def row_lines(rows: Mapping[str, Iterable[Row]]) -> Iterator[str]:
    """An export of these rows alone."""
    yield _line({"_format": FORMAT, "version": VERSION})
    for name, found in rows.items():
        yield from (_line({"_t": name, **row}) for row in found)


def parse_lines(lines: Iterable[str]) -> Parsed:
    """Understand a whole export before anything is merged.

    Raises: UserError with the line's number.
    """
    rows: dict[str, list[Row]] = {table.name: [] for table in EXPORTED}
    skipped: dict[str, int] = {}
    is_first = True
    for number, line in enumerate(lines, 1):
        text = line.strip("\ufeff \t\r\n")
        if not text or text.startswith(_CONFLICT):
            continue
        document = _document(text, number)
        if is_first or "_format" in document:
            _check_header(document)
            is_first = False
            continue
        table = document.get("_t")
        if not isinstance(table, str):
            raise UserError(f"Line {number} of the export names no table ('_t'). Nothing was imported.")
        if table not in rows:
            skipped[table] = skipped.get(table, 0) + 1
            continue
        try:
            rows[table].append(check_row(table, document))
        except ValueError as error:
            raise UserError(f"Line {number} of the export: {error}. Nothing was imported.") from error
    if is_first:
        raise UserError("The export is empty: not even a header. Nothing was imported.")
    return Parsed(rows, skipped)


def _document(text: str, number: int) -> dict[str, object]:
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UserError(f"Line {number} of the export is not JSON ({error}). Nothing was imported.") from error
    if not isinstance(document, dict):
        raise UserError(f"Line {number} of the export is not a JSON object. Nothing was imported.")
    return document


def _check_header(document: Mapping[str, object]) -> None:
    if document.get("_format") != FORMAT:
        raise UserError(f"This is no export of learned data: its first line must say _format '{FORMAT}'.")
    version = document.get("version")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise UserError("The export's header has no version. Nothing was imported.")
    if version > VERSION:
        raise UserError(f"The export has version {version}, this ori knows {VERSION}. Update ori, then import again.")


def _line(document: Mapping[str, object]) -> str:
    return json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":")) + "\n"
