"""learned.db on disk: opened when it is needed, brought up to date, put back when it is damaged, copied each day."""

from __future__ import annotations

import contextlib
import datetime
import os
import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from aries_kernel.errors import UserError
from ori_memory.learned import statements
from ori_memory.learned.census import Census
from ori_memory.learned.database import Damaged, Reader, connect, is_damage, read, told, transaction
from ori_memory.learned.origin import ensure_origin
from ori_memory.learned.place import backup_path, is_kept
from ori_memory.learned.recovery import copy_to, ensure_store, recover, relatives, soundness
from ori_memory.learned.schema import present_tables
from ori_memory.learned.tables import Table

if TYPE_CHECKING:
    from ori_memory.learned.connecting import Connection

__all__ = ["FileKeeper"]

T = TypeVar("T")


class FileKeeper:
    """The file at one path, for any number of processes and threads. Reading never writes; the first write makes it."""

    def __init__(self, path: Path, clock: Callable[[], datetime.datetime]) -> None:
        self.path = path
        self.warnings: list[str] = []
        self._clock = clock
        self._lock = threading.RLock()
        self._held = threading.local()
        self._connection: sqlite3.Connection | None = None
        self._opened_by: tuple[int, int] | None = None

    @property
    def is_kept(self) -> bool:
        """Whether anything was learned."""
        return is_kept(self.path)

    def close(self) -> None:
        """Give the file back; the last to close takes the journal away. It may be used again afterwards."""
        with self._lock:
            if self._connection is not None and self._opened_by is not None and self._opened_by[0] == os.getpid():
                self._connection.close()
            self._connection = None

    def tables(self, connection: Connection) -> Mapping[str, Table]:
        """Those that are there: a file of an older revision is brought up to date by the next write only."""
        return present_tables(connection)

    def revision(self, connection: Connection) -> int:
        """Of the file, which may be that of an older ori."""
        return int(connection.execute("PRAGMA user_version").fetchone()[0])

    def origin(self, connection: Connection) -> str:
        """Who counts here. Inside a write transaction only."""
        return ensure_origin(connection, self.path)

    def mentions(self, text: str) -> tuple[Path, ...]:
        """Files of the store in whose bytes this is found."""
        needle = text.encode("utf-8", "surrogatepass")
        return tuple(file for file in relatives(self.path) if needle in file.read_bytes())

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """What this thread asks within opens the file once; not to be written within."""
        if getattr(self._held, "reader", None) is not None:
            yield
            return
        self._held.reader = reader = Reader(self.path)
        try:
            yield
        finally:
            self._held.reader = None
            reader.close()

    def read(self, question: Callable[[Connection], T], absent: T, *, is_needed: bool = False) -> T:
        """Where the store is damaged or gone, its copy answers; the next write puts it back.

        `is_needed`: that there is no copy either is an error. Raises: UserError.
        """
        copy = backup_path(self.path)
        held: Reader | None = getattr(self._held, "reader", None)
        try:
            if self.path.exists() or not copy.exists():
                return held.read(question, absent) if held is not None else read(self.path, question, absent)
            problem = "is missing"
        except (sqlite3.DatabaseError, Damaged) as error:
            if not is_damage(error):
                raise UserError(f"The learned store {self.path} cannot be read: {told(error)}.") from error
            problem = f"is damaged ({error})"
        try:
            answer = read(copy, question, absent)
        except (sqlite3.DatabaseError, Damaged) as error:
            answer, copy_state = absent, f"its copy cannot be read either ({error}); nothing learned is known"
        else:
            copy_state = "its last copy answers" if copy.exists() else "there is no copy; nothing learned is known"
        message = f"The learned store {self.path} {problem}: {copy_state}."
        if is_needed and answer is absent:
            raise UserError(f"{message} `ori doctor` says what can be done.")
        self._warn(message)
        return answer

    def _warn(self, message: str) -> None:
        if message not in self.warnings:
            self.warnings.append(message)

    def write(self, change: Callable[[Connection, str], T]) -> T:
        """Run `change` with the origin in one transaction; once this returns, it is on disk. Raises: UserError."""

        def step(connection: sqlite3.Connection) -> tuple[T, bool]:
            with transaction(connection):
                result = change(connection, self.origin(connection))
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
                    raise UserError(f"The learned store {self.path} cannot be written: {told(error)}.") from error
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

    def scrub(self) -> None:
        """After rows were deleted: leave nothing of them in the file, its journal and its copy."""

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

    def backup(self, to: Path) -> None:
        """A whole copy, also while others write. Raises: UserError where there is none, or no room."""
        if not self.path.exists():
            raise UserError(f"There is no learned store at {self.path} yet: nothing to copy.")
        self._whole(lambda connection: copy_to(connection, to))

    def census(self) -> Census:
        """Never raises for a damaged file: it says so."""
        names = (self.path.name, self.path.name + "-wal", self.path.name + "-shm")
        size = sum(file.stat().st_size for file in relatives(self.path) if file.name in names)

        def count(connection: sqlite3.Connection) -> Census:
            rows, recovered = statements.census(connection, self.tables(connection))
            revision = connection.execute("PRAGMA user_version").fetchone()[0]
            return Census(revision, rows, size, soundness(connection), recovered)

        try:
            return read(self.path, count, Census(0, {}, size, "absent", ()))
        except (sqlite3.DatabaseError, Damaged, OSError) as error:
            # Also what may pass, such as a file that nobody may read: a look at the store says what it met.
            return Census(0, {}, size, str(error), ())
