"""Forgetting what use taught, of one note or of all, so that it can be taken back."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from aries_kernel.atomic import replace_bytes
from aries_kernel.errors import UserError
from ori_memory.learned import statements
from ori_memory.learned.exchange import export_lines, parse_lines, row_lines
from ori_memory.learned.reports import Reset
from ori_memory.learned.rows import merge_rows
from ori_memory.learned.schema import mark_of, stamp
from ori_memory.learned.tables import READ_OFTEN

if TYPE_CHECKING:
    from ori_memory.learned.connecting import Connection
    from ori_memory.learned.file_keeper import FileKeeper
    from ori_memory.learned.server_keeper import ServerKeeper

__all__ = ["reset", "undo_reset"]

_NOTHING_OF_NOTE = "nothing was reset of this note. One that is gone is named by its id"
_NOTHING_OF_ALL = "what was learned of all notes was not reset. That of one note comes back with its name"


def reset(keeper: FileKeeper | ServerKeeper, path: Path, note_id: str, now: datetime.datetime) -> Reset:
    """As `LearnedStore.reset`; `note_id` empty: all."""
    if not keeper.is_kept:
        raise UserError("Nothing was learned yet: there is nothing to reset.")

    def written(connection: Connection) -> str:
        tables = keeper.tables(connection)
        if note_id:
            return "".join(row_lines(statements.rows_of_note(connection, tables, note_id)))
        return "".join(export_lines(connection, tables.values()))

    text = keeper.read(written, "", is_needed=True)
    if note_id and text.count("\n") < 2:
        raise UserError("Nothing was learned of this note: there is nothing to reset.")
    at = stamp(now)
    id = at.translate(str.maketrans("", "", ":-.")) + (f"-{mark_of(note_id)[:12]}" if note_id else "")
    kept = _kept(path, id)
    try:
        replace_bytes(kept, text.encode("utf-8", "surrogatepass"))
    except OSError as error:
        raise UserError(f"{kept} cannot be written ({error.strerror}). Nothing was reset.") from error

    def step(connection: Connection, origin: str) -> int:
        statements.mark_changed(connection, READ_OFTEN)
        if note_id:
            return statements.reset_note(connection, origin, note_id, id, at)
        return statements.reset(connection, id, at)

    return Reset(keeper.write(step), kept)


def undo_reset(keeper: FileKeeper | ServerKeeper, path: Path, note_id: str) -> Reset:
    """As `LearnedStore.undo_reset`; `note_id` empty: that of all."""
    table = "note_reset" if note_id else "reset"

    def last(connection: Connection) -> str:
        return statements.last_reset(connection, note_id) if table in keeper.tables(connection) else ""

    id = keeper.read(last, "", is_needed=True)
    kept = _kept(path, id)
    if not id or not kept.is_file():
        nothing = _NOTHING_OF_NOTE if note_id else _NOTHING_OF_ALL
        what = f"its export {kept.name} is not there" if id else nothing
        raise UserError(f"There is nothing to take back: {what}.")
    parsed = parse_lines(kept.read_text(encoding="utf-8", errors="surrogatepass").split("\n"))

    def step(connection: Connection, _: str) -> int:
        statements.mark_changed(connection, READ_OFTEN)
        statements.undo_reset(connection, id)
        return sum(merge_rows(connection, parsed.rows).values())

    return Reset(keeper.write(step), kept)


def _kept(path: Path, id: str) -> Path:
    return path.with_name(f"{path.stem}.before-reset-{id}.ndjson")
