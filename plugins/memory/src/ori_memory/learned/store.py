"""learned.db: how often notes were used, how warm they are, when they were last linked to.

It cannot be derived again, so it is a file of its own beside the index, keeps a daily copy, and is never emptied in
silence. Plain sqlite3 and `user_version` 1 for now; a later issue brings SQLAlchemy Core and alembic with the
rest of what is learned, and takes these tables as its first revision.
"""

from __future__ import annotations

import datetime
import os
import sqlite3
import threading
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, TypeVar

from attrs import frozen

from aries_kernel.errors import UserError
from ori_memory.graph.activation import Boost, combined_boost
from ori_memory.learned import statements
from ori_memory.learned.database import Damaged, connect, is_damage, read, transaction
from ori_memory.learned.origin import ensure_origin
from ori_memory.learned.place import backup_path, is_kept
from ori_memory.learned.recovery import copy_to, ensure_store, recover, relatives
from ori_memory.learned.rows import merge_rows
from ori_memory.learned.schema import REVISION, TABLES, moment, stamp
from ori_memory.learned.statements import Access

if TYPE_CHECKING:
    from ori_memory.learned.exchange import ImportReport, Parsed

__all__ = ["Access", "ForgetReport", "LearnedStatus", "LearnedStore"]

T = TypeVar("T")


@frozen
class ForgetReport:
    rows: int
    """How many rows were deleted."""
    remaining: tuple[Path, ...]
    """Files of the store in whose bytes the id is still found: held open by somebody else, or set aside."""


@frozen
class LearnedStatus:
    exists: bool
    revision: int
    rows: Mapping[str, int]
    size: int
    """Bytes, with the journal."""
    soundness: str
    """`ok`, or what is wrong with the file; `absent` where there is none."""
    recoveries: tuple[str, ...]


class LearnedStore:
    """The learned store at one path. Reading never writes or creates a file; the first write makes it.

    Any number of processes and threads may use it at once. `warnings` collects what the user has to hear: a store that
    was damaged and put back, a daily copy that could not be made.
    """

    def __init__(self, path: Path, *, clock: Callable[[], datetime.datetime] | None = None) -> None:
        self.path = path
        self.warnings: list[str] = []
        self._clock = clock or (lambda: datetime.datetime.now(datetime.UTC))
        self._lock = threading.RLock()
        self._connection: sqlite3.Connection | None = None
        self._opened_by: tuple[int, int] | None = None

    def __enter__(self) -> LearnedStore:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Give the file back; the last to close takes the journal away. The store may be used again afterwards."""
        with self._lock:
            if self._connection is not None and self._opened_by is not None and self._opened_by[0] == os.getpid():
                self._connection.close()
            self._connection = None

    def accesses(self) -> dict[str, Access]:
        """Uses by note id."""
        return self._read(statements.accesses, {})

    def record_access(self, note_ids: Iterable[str], at: datetime.datetime | None = None) -> None:
        """Count one use of each note (twice for an id given twice); once this returns, it is on disk."""
        ids = list(note_ids)
        now = stamp(at or self._clock())
        if ids:
            self._write(lambda connection, origin: statements.count_uses(connection, origin, ids, now))

    def boosts(self, now: datetime.datetime | None = None) -> dict[str, float]:
        """Warmth by note id, decayed to `now`; notes that have gone cold are left out."""
        at = now or self._clock()
        kept: dict[str, list[Boost]] = self._read(statements.boosts, {})
        warm = {note_id: combined_boost(rows, at) for note_id, rows in kept.items()}
        return {note_id: boost for note_id, boost in warm.items() if boost > 0}

    def add_boosts(self, boosts: Mapping[str, float], session: str, now: datetime.datetime | None = None) -> None:
        """Merge what one query's results spread (`graph.activation.spread`), each at most 0.05."""
        at = now or self._clock()
        given = {note_id: boost for note_id, boost in sorted(boosts.items()) if boost > 0}
        if given:
            self._write(lambda connection, origin: statements.add_boosts(connection, origin, given, session, at))

    def connections(self) -> dict[str, datetime.datetime]:
        """When each note last got a new link from another note, where that was seen."""
        return self._read(lambda c: {row[0]: moment(row[1]) for row in c.execute("SELECT * FROM connection")}, {})

    def record_connections(self, note_ids: Iterable[str], at: datetime.datetime | None = None) -> None:
        """These notes were linked to anew. Not for a first build, where every link is new to us and none is new."""
        rows = [{"note_id": note_id, "last": stamp(at or self._clock())} for note_id in sorted(set(note_ids))]
        if rows:
            self._write(lambda connection, _: merge_rows(connection, {"connection": rows}))

    def orphans(self, known_ids: Iterable[str]) -> tuple[str, ...]:
        """Ids with something learned but no note. They are not dropped: the note may be in another branch."""
        known = set(known_ids)
        return tuple(sorted(self._read(statements.ids, set[str]()) - known))

    def forget(self, note_id: str) -> ForgetReport:
        """Remove every trace of a note's id from the store, its journal and its automatic copy.

        An old export cannot bring it back: a hash stays, and rows from before this moment are refused.
        """
        if not is_kept(self.path):
            return ForgetReport(0, _mentions(self.path, note_id))
        # Also without rows: another machine's export may bring some.
        rows = self._write(lambda connection, _: statements.forget(connection, note_id, stamp(self._clock())))
        if _mentions(self.path, note_id):
            self._scrub()
        return ForgetReport(rows, _mentions(self.path, note_id))

    def identities(self) -> dict[str, str]:
        """Ids by path, of notes that do not tell them: renamed ones, and those whose id another note states."""
        return self._read(statements.identities, {})

    def export(self) -> str:
        """Everything as NDJSON; two exports of the same data are equal."""
        from ori_memory.learned.exchange import export_lines

        empty = "".join(statements.empty_export())
        return self._read(lambda connection: "".join(export_lines(connection)), empty)

    def import_(self, text: str) -> ImportReport:
        """Merge an export, of this or another machine; again and in any order with the same result.

        Raises: UserError that names the line; then nothing was imported.
        """
        from ori_memory.learned.exchange import parse_lines

        return self.merge(parse_lines(text.split("\n")))

    def merge(self, parsed: Parsed) -> ImportReport:
        """Merge an export that was read already; as `import_`."""
        from ori_memory.learned.exchange import ImportReport

        changed = {table: 0 for table in TABLES}
        if any(parsed.rows.values()):
            changed = self._write(lambda connection, _: merge_rows(connection, parsed.rows))
        return ImportReport({table: len(rows) for table, rows in parsed.rows.items()}, changed, parsed.skipped)

    def backup(self, to: Path) -> None:
        """A whole copy at `to`, also while others write. Raises: UserError where there is none, or no room."""
        if not self.path.exists():
            raise UserError(f"There is no learned store at {self.path} yet: nothing to copy.")
        self._whole(lambda connection: copy_to(connection, to))

    def status(self) -> LearnedStatus:
        """Never raises for a damaged file: it says so."""
        size = sum(file.stat().st_size for file in relatives(self.path) if file.name in _names_of_one_store(self.path))
        nothing: tuple[dict[str, int], tuple[str, ...], str] = ({}, (), "absent")
        try:
            rows, told, sound = read(self.path, statements.census, nothing)
        except (sqlite3.DatabaseError, Damaged) as error:
            if not is_damage(error):
                raise
            return LearnedStatus(True, 0, {}, size, str(error), ())
        return LearnedStatus(sound != "absent", REVISION if rows else 0, rows, size, sound, told)

    def _read(self, question: Callable[[sqlite3.Connection], T], absent: T) -> T:
        """Raises: UserError. Where the store is damaged or gone, its copy answers; the next write puts it back."""
        copy = backup_path(self.path)
        try:
            if self.path.exists() or not copy.exists():
                return read(self.path, question, absent)
            problem = "is missing"
        except (sqlite3.DatabaseError, Damaged) as error:
            if not is_damage(error):
                raise UserError(f"The learned store {self.path} cannot be read: {error}.") from error
            problem = f"is damaged ({error})"
        try:
            answer = read(copy, question, absent)
        except (sqlite3.DatabaseError, Damaged) as error:
            answer, copy_state = absent, f"its copy cannot be read either ({error}); nothing learned is known"
        else:
            copy_state = "its last copy answers" if copy.exists() else "there is no copy; nothing learned is known"
        self._warn(f"The learned store {self.path} {problem}: {copy_state}.")
        return answer

    def _warn(self, message: str) -> None:
        if message not in self.warnings:
            self.warnings.append(message)

    def _write(self, change: Callable[[sqlite3.Connection, str], T]) -> T:
        def step(connection: sqlite3.Connection) -> tuple[T, bool]:
            with transaction(connection):
                result = change(connection, ensure_origin(connection, self.path))
                return result, statements.claims_daily_copy(connection, self._clock().date())

        result, is_copy_due = self._whole(step)
        if is_copy_due or not backup_path(self.path).exists():
            self._copy_daily()
        return result

    def _whole(self, step: Callable[[sqlite3.Connection], T]) -> T:
        """Run `step` on a sound store; where it proves damaged, put its copy back and run it once more."""
        with self._lock:
            try:
                return step(self._open())
            except (sqlite3.DatabaseError, Damaged) as error:
                if not is_damage(error):
                    raise UserError(f"The learned store {self.path} cannot be written: {error}.") from error
                self._recover(str(error))
            except OSError as error:
                raise UserError(f"The learned store {self.path} cannot be written: {error}.") from error
            return step(self._open())

    def _open(self) -> sqlite3.Connection:
        if (message := ensure_store(self.path)) is not None:
            self.warnings.append(message)
        # A connection does not survive a fork, and not the file's being replaced by a restored one.
        owner = (os.getpid(), self.path.stat().st_ino)
        if self._connection is None or self._opened_by != owner:
            self.close()
            self._connection, self._opened_by = connect(self.path), owner
        return self._connection

    def _recover(self, reason: str) -> None:
        self.close()
        if (message := recover(self.path, reason)) is not None:
            self.warnings.append(message)

    def _copy_daily(self) -> None:
        try:
            self._whole(lambda connection: copy_to(connection, backup_path(self.path)))
        except UserError as error:
            # What was asked for is done and stored; only its copy is missing.
            self._warn(f"The daily copy of {self.path} could not be made: {error}")

    def _scrub(self) -> None:
        def step(connection: sqlite3.Connection) -> None:
            # Deleted rows are zeroed at once (secure_delete); their old pages lie on in the journal until it is cut.
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            connection.execute("VACUUM")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

        try:
            self._whole(step)
        except UserError as error:
            self._warn(f"{self.path} could not be compacted after forgetting: {error}")
        self._copy_daily()


def _mentions(path: Path, note_id: str) -> tuple[Path, ...]:
    needle = note_id.encode("utf-8", "surrogatepass")
    return tuple(file for file in relatives(path) if needle in file.read_bytes())


def _names_of_one_store(path: Path) -> tuple[str, ...]:
    return (path.name, path.name + "-wal", path.name + "-shm")
