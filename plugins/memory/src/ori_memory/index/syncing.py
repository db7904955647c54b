"""Bringing the index to what the files say."""

from __future__ import annotations

import sqlite3

from attrs import evolve

from ori_memory.index.collecting import without_collection
from ori_memory.index.opening import Busy, Overtaken, Unwritable, read_error
from ori_memory.index.planning import Look, compare
from ori_memory.index.report import Progress, Quarantined, SyncReport
from ori_memory.scanning.walk import scan_notes
from ori_memory.vault.vault import Vault

__all__ = ["sync"]

_ROUNDS = 40
_BEHIND = "Another process is writing the index; answers may be stale until it is done."


def sync(
    connection: sqlite3.Connection,
    vault: Vault,
    *,
    wait: bool = False,
    force: bool = False,
    allow_mass_removal: bool = False,
    progress: Progress | None = None,
) -> SyncReport:
    """One look at all files, and every change written. Nothing is written where nothing changed.

    Without `wait` it gives up at once when another process writes, and the report says that the index may be stale.
    Raises: BrokenIndex; Unwritable where so little could be written that answers would be wrong rather than old.
    """
    report, look = SyncReport(), None
    try:
        for _ in range(_ROUNDS):
            look = _look_at(connection, vault, force=force)
            if look.finds_no_change():
                return _unchanged(report, look)
            # Imported here: what parses and writes is more than all the rest, and most commands find nothing changed.
            from ori_memory.index.updating import Updating

            work = Updating(connection, vault, look, wait, allow_mass_removal, progress, report)
            try:
                work.run()
                return work.report
            except Overtaken:
                force = False
                if not wait and not work.has_written:
                    break
            finally:
                report = work.report
    except Busy:
        pass
    except Unwritable as error:
        if look is None or 2 * _count(connection) < len(look.scan.rows):
            raise
        return _stale(report, f"The index cannot be written ({error}); answers may be stale.")
    return _stale(report, _BEHIND)


def _look_at(connection: sqlite3.Connection, vault: Vault, *, force: bool) -> Look:
    with without_collection(), read_error():
        return compare(connection, scan_notes(vault.root, vault.config.index.skip), force=force)


def _count(connection: sqlite3.Connection) -> int:
    with read_error():
        return int(connection.execute("SELECT count(*) FROM note").fetchone()[0])


def _unchanged(report: SyncReport, look: Look) -> SyncReport:
    rows = sorted(look.snapshot.quarantine.items())
    return evolve(
        report,
        withheld=(),
        scan_errors=look.scan.errors,
        notes=look.snapshot.count,
        quarantined=tuple(Quarantined(path, row[0]) for path, row in rows),
        connected=(),
    )


def _stale(report: SyncReport, notice: str) -> SyncReport:
    return evolve(report, is_stale=True, notices=(*report.notices, notice))
