"""Connections to learned.db: made whole, waiting for others, reading without a trace."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple, TypeVar

from aries_kernel.errors import Overloaded, UserError
from ori_memory.learned.schema import APPLICATION, REVISION, create_tables

__all__ = [
    "TEMPORARY",
    "Damaged",
    "Reader",
    "connect",
    "create_empty",
    "create_store",
    "is_damage",
    "place_new",
    "read",
    "told",
    "transaction",
]

T = TypeVar("T")

BUSY_SECONDS = 10.0
"""How long SQLite itself waits for a lock; after that we try again, up to PATIENCE."""
PATIENCE = 120.0
TEMPORARY = ".learned-"
"""How names of unfinished files begin."""
_CORRUPT, _NOT_A_DATABASE, _BUSY, _LOCKED, _PROTOCOL = 11, 26, 5, 6, 15
_READ_ONLY, _IO, _FULL, _CANNOT_OPEN = 8, 10, 13, 14


class Damaged(Exception):
    """The file is no learned store (any more)."""


def is_damage(error: BaseException) -> bool:
    """Whether this error speaks of a damaged file, not of a lock, a full disk or a mistake of ours."""
    return isinstance(error, Damaged) or _code(error) in (_CORRUPT, _NOT_A_DATABASE)


def told(error: BaseException) -> str:
    """What SQLite says, and what it may mean where that is no help."""
    helps = _code(error) in (_READ_ONLY, _IO, _FULL, _CANNOT_OPEN)
    return f"{error} (is the disk full, or the folder not yours to write?)" if helps else str(error)


def connect(path: Path) -> sqlite3.Connection:
    """Open an existing store for reading and writing.

    Raises: FileNotFoundError; Damaged; UserError for a store of a newer ori; Overloaded.
    """
    if not path.exists():
        raise FileNotFoundError(path)
    _check_kind(path)
    connection = sqlite3.connect(
        _address(path, "mode=rw"), uri=True, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
    )
    try:
        _patiently(lambda: _prepare(connection, path))
    except BaseException:
        connection.close()
        raise
    return connection


def create_store(path: Path) -> None:
    """Make the store where there is none: from its copy where one is left, else empty. Raises: OSError."""
    from ori_memory.learned.recovery import ensure_store

    ensure_store(path)


def create_empty(path: Path) -> None:
    """Put an empty store at `path`, whole from its first moment; one that is there already stays. Raises: OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    import tempfile

    with tempfile.TemporaryDirectory(prefix=TEMPORARY, dir=path.parent) as folder:
        fresh = Path(folder) / "new.db"
        connection = sqlite3.connect(fresh, isolation_level=None)
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("BEGIN")
            create_tables(connection)
            connection.execute("COMMIT")
        finally:
            connection.close()
        place_new(fresh, path)


def place_new(fresh: Path, path: Path) -> None:
    """Move a finished file to a name that must be free; whoever came first wins. Raises: OSError."""
    with contextlib.suppress(FileExistsError):
        try:
            os.link(fresh, path)
        except FileExistsError:
            raise
        except OSError:  # No hard links on this file system.
            if not path.exists():
                fresh.rename(path)


@contextlib.contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """One write, all or nothing; waits for other writers. Raises: Overloaded; sqlite3.Error."""
    _patiently(lambda: connection.execute("BEGIN IMMEDIATE"))
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        # After some errors SQLite has rolled back by itself; then there is nothing left to roll back.
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def read(path: Path, question: Callable[[sqlite3.Connection], T], absent: T) -> T:
    """Answer from the store without writing, and without creating -wal or -shm files beside it (spec G.7 94).

    Raises: Damaged; UserError; Overloaded; sqlite3.Error.
    """
    with contextlib.closing(Reader(path)) as reader:
        return reader.read(question, absent)


class Reader:
    """Questions of one thread, one after the other; the store is opened once for as long as nobody changes it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._stack = contextlib.ExitStack()
        self._opened: _Opened | None = None
        self._reads_copy = False

    def close(self) -> None:
        """Give the file back."""
        self._opened = None
        self._stack.close()

    def read(self, question: Callable[[sqlite3.Connection], T], absent: T) -> T:
        """As `read`."""
        deadline = time.monotonic() + PATIENCE
        while True:
            before = _state(self._path)
            if before is None:
                self.close()
                return absent
            try:
                opened = self._open(before)
                answer = question(opened.connection)
            except FileNotFoundError:
                self.close()
                if time.monotonic() > deadline:
                    raise
                continue  # A writer has just closed and taken the journal away.
            except (sqlite3.Error, Damaged) as error:
                self.close()
                if not self._reads_copy and _code(error) in (_IO, _CANNOT_OPEN) and _has_journal(self._path):
                    self._reads_copy = True  # A full disk has no room for what SQLite wants to note beside the file.
                    continue
                if (_is_busy(error) or _state(self._path) != before) and time.monotonic() < deadline:
                    time.sleep(0.01)
                    continue
                raise
            if opened.is_locked or _state(self._path) == before:
                return answer
            self.close()  # We read the bare file, which a writer has changed meanwhile: once more.

    def _open(self, state: tuple[int, int, int]) -> _Opened:
        opened = self._opened
        if opened is None or (not opened.is_locked and (opened.state != state or _has_journal(self._path))):
            self.close()
            connection, is_locked = self._stack.enter_context(_reading(self._path, is_copied=self._reads_copy))
            opened = self._opened = _Opened(connection, state, is_locked)
        return opened


class _Opened(NamedTuple):
    connection: sqlite3.Connection
    state: tuple[int, int, int]
    """Of the file, when it was opened."""
    is_locked: bool
    """Whether SQLite keeps what is read from being changed; else the file must be looked at again."""


@contextlib.contextmanager
def _reading(path: Path, *, is_copied: bool) -> Iterator[tuple[sqlite3.Connection, bool]]:
    _check_kind(path)
    with contextlib.ExitStack() as stack:
        source, options = path, "mode=ro"
        has_journal = _has_journal(path)
        if has_journal and is_copied and not _sibling(path, "-wal").stat().st_size:
            has_journal = False  # A full disk had no room for what is noted beside the file: all is in it.
        if not has_journal:
            options = "mode=ro&immutable=1"
        elif is_copied or not _sibling(path, "-shm").exists():
            # Reading in place would make a -shm file, so read a copy: a writer was killed and its -shm taken away.
            source = _copied(path, stack)
        connection = sqlite3.connect(_address(source, options), uri=True, timeout=BUSY_SECONDS, isolation_level=None)
        stack.callback(connection.close)
        _check_format(connection, path)
        connection.execute("BEGIN")  # All statements of one question see one state.
        yield connection, has_journal


def _copied(path: Path, stack: contextlib.ExitStack) -> Path:
    import shutil
    import tempfile

    try:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="ori-read-")))
    except OSError as error:  # No folder for temporary files is an error of the kind that a missing file is.
        raise UserError(f"{path} must be copied to be read, and there is no room for that: {error.strerror}") from error
    source = folder / path.name
    shutil.copyfile(path, source)
    with contextlib.suppress(FileNotFoundError):
        shutil.copyfile(_sibling(path, "-wal"), _sibling(source, "-wal"))
    return source


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    _check_format(connection, path)
    if connection.execute("PRAGMA user_version").fetchone()[0] < REVISION:
        from ori_memory.learned.migrating import migrate_file

        migrate_file(connection, path)
    if connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
        connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA secure_delete = ON")


def _check_kind(path: Path) -> None:
    if path.is_dir():
        # SQLite would say "disk I/O error".
        raise Damaged(f"{path} is a folder, not a file")


def _check_format(connection: sqlite3.Connection, path: Path) -> None:
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    revision = connection.execute("PRAGMA user_version").fetchone()[0]
    if application != APPLICATION or revision < 1:
        raise Damaged(f"{path} is not a learned store")
    if revision > REVISION:
        raise UserError(
            f"{path} was written by a newer ori (revision {revision}, this one knows {REVISION}). "
            "Update ori; the file is left as it is."
        )


def _patiently(step: Callable[[], object]) -> None:
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            step()
            return
        except sqlite3.OperationalError as error:
            if not _is_busy(error):
                raise
            if time.monotonic() > deadline:
                raise Overloaded(f"another process has held the learned store for {PATIENCE:.0f} s") from error
            time.sleep(0.005)


def _is_busy(error: BaseException) -> bool:
    return _code(error) in (_BUSY, _LOCKED, _PROTOCOL)


def _code(error: BaseException) -> int:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def _state(path: Path) -> tuple[int, int, int] | None:
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


def _has_journal(path: Path) -> bool:
    try:
        return _sibling(path, "-wal").stat().st_size > 0 or _sibling(path, "-shm").exists()
    except FileNotFoundError:
        return False


def _sibling(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


def _address(path: Path, options: str) -> str:
    return f"{path.absolute().as_uri()}?{options}"
