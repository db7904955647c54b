"""Leaving nothing of a note among the vectors: its rows are overwritten, not only unnamed."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

from ori_memory.index.opening import PATIENCE, Unwritable, read_error, transaction
from ori_memory.vectors.database import open_database
from ori_memory.vectors.rows import RowsLost
from ori_memory.vectors.schema import NAME
from ori_memory.vectors.tables import Tables

__all__ = ["forget_vectors"]


def forget_vectors(folder: Path, ids: Collection[str], *, patience: float = PATIENCE) -> tuple[str, ...]:
    """Remove what is kept of these notes in the vault's state folder; gives what was removed.

    Call it once the index has forgotten them: whoever embeds at the same time asks it before keeping anything.
    `patience`: seconds to wait for whoever reads at this moment.
    Rows that belong to no note are overwritten as well: an older text of one of these may be among them.
    Raises: Unwritable, Busy, OSError.
    """
    return tuple(_forget(folder, ids, patience)) if (folder / NAME).exists() else ()


def _forget(folder: Path, ids: Collection[str], patience: float) -> Iterator[str]:
    connection, _ = open_database(folder / NAME)
    try:
        tables = Tables(connection, folder)
        with transaction(connection, wait=True):
            count = tables.drop(ids)
            tables.drop_waiting()
            tables.sweep()
            _overwrite(tables)
        with read_error():
            connection.execute(f"PRAGMA busy_timeout = {int(1000 * patience)}")
            is_busy = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
    finally:
        connection.close()
    for file in sorted(folder.glob(f"{NAME}.broken-*")):
        file.unlink(missing_ok=True)
        yield f"file .ori/{file.name}"
    if count:
        yield f"vectors of {count} notes"
    if is_busy:
        raise Unwritable(f"{NAME} is in use; run it again once nobody asks or embeds")


def _overwrite(tables: Tables) -> None:
    if not tables.meta("file"):
        return
    try:
        tables.rows.zero(tables.live_rows())
    except RowsLost:
        tables.connection.execute("UPDATE owner SET hash = x''")  # Nothing is left; the next filling mends it.
