"""Opening the index file: made where there is none, set aside where it is broken, never "locked"."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

from aries_kernel.values import frozen
from ori_memory.index.schema import APPLICATION_ID, TABLES, VERSION

__all__ = [
    "BrokenIndex",
    "Busy",
    "Overtaken",
    "Unwritable",
    "close_file",
    "open_file",
    "open_in_memory",
    "read_error",
    "set_aside",
    "transaction",
]

PATIENCE = 30.0
"""Seconds a writer waits for another; batches take a fraction of one."""
_KEPT = 3
_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_UNWRITABLE = (
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_AUTH,
)


class BrokenIndex(Exception):
    """The file is no index of this version. Never leaves this package: it is set aside and built anew."""


class Busy(Exception):
    """Another process is writing."""


class Overtaken(Exception):
    """Somebody else wrote since we looked; what we planned is no longer true."""


class Unwritable(Exception):
    """The folder, the file or the disk does not take what we write."""


@contextlib.contextmanager
def read_error() -> Iterator[None]:
    """Say what an error of SQLite means for us. Raises: BrokenIndex, Busy, Unwritable."""
    try:
        yield
    except sqlite3.ProgrammingError:
        raise  # A mistake of ours, such as a closed connection.
    except sqlite3.DatabaseError as error:
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
        if code in _BUSY:
            raise Busy(str(error)) from error
        if code in _UNWRITABLE:
            raise Unwritable(str(error)) from error
        raise BrokenIndex(str(error)) from error


@frozen
class OpenFile:
    """A connection, and what was found when it was made."""

    connection: sqlite3.Connection
    path: Path
    inode: int
    notice: str = ""
    """Why the index starts empty, where somebody should know."""


def open_file(path: Path, *, is_private: bool = False) -> OpenFile:
    """Open the index at `path`, or make an empty one. `is_private`: nobody else knows the file.

    Raises: BrokenIndex, Unwritable, Busy.
    """
    while True:
        before = _stat(path)
        # Without the stamp of an earlier close it is a file that another process is making at this moment.
        was_emptied = before is not None and before.st_size == 0 and _stamp_path(path).exists()
        notice = "index.db was empty (0 bytes)" if was_emptied else ""
        with read_error():
            connection = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None, check_same_thread=False)
        try:
            with read_error():
                _prepare(connection)
            now = _stat(path)
            # Somebody set the file aside while we opened it: its journal would be read for ours.
            if now is not None and (before is None or before.st_ino == now.st_ino):
                if not is_private:
                    _check_unknown_change(connection, path, now)
                return OpenFile(connection, path, now.st_ino, notice)
        except BaseException:
            connection.close()
            raise
        connection.close()


def open_in_memory() -> OpenFile:
    """An empty index that is no file."""
    connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    with read_error():
        connection.execute("PRAGMA temp_store = MEMORY")
        _prepare(connection)
    return OpenFile(connection, Path(":memory:"), -1)


def close_file(file: OpenFile, *, is_private: bool = False) -> None:
    """Close it and note how the file then looks, so that a change by anybody else is noticed."""
    file.connection.close()
    if not is_private:
        _write_stamp(file.path)


@contextlib.contextmanager
def transaction(connection: sqlite3.Connection, *, wait: bool) -> Iterator[None]:
    """One write, all or nothing. Raises: Busy at once where `wait` is False and another process writes."""
    with read_error():
        if not wait:
            connection.execute("PRAGMA busy_timeout = 0")
        try:
            connection.execute("BEGIN IMMEDIATE")
        finally:
            if not wait:
                connection.execute(f"PRAGMA busy_timeout = {int(PATIENCE * 1000)}")
        try:
            yield
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise


def set_aside(path: Path, inode: int | None) -> str | None:
    """Rename a broken index and its journal. None where another process was faster: the file there is a new one.

    Raises: Unwritable where the file system will not rename it.
    """
    from filelock import FileLock, Timeout

    try:
        with FileLock(path.with_name("index.lock"), timeout=PATIENCE):
            status = _stat(path)
            if status is None or (inode is not None and status.st_ino != inode):
                return None
            name = f"{path.name}.broken-{time.strftime('%Y%m%dT%H%M%S', time.gmtime())}-{os.getpid()}"
            for suffix in ("-shm", "-wal", ""):
                with contextlib.suppress(FileNotFoundError):
                    path.with_name(path.name + suffix).replace(path.with_name(name + suffix))
            _forget_old(path)
            return name
    except (OSError, Timeout) as error:
        raise Unwritable(f"{path} is broken and cannot be renamed: {error}") from error


def _prepare(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA secure_delete = OFF")  # `Index.purge` leaves no trace; other removals need not pay.
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA journal_size_limit = 16777216")
    connection.execute("PRAGMA cache_size = -16384")
    if _pragma(connection, "application_id") == 0 and not _has_tables(connection):
        _create(connection)
    application, version = _pragma(connection, "application_id"), _pragma(connection, "user_version")
    if application != APPLICATION_ID:
        raise BrokenIndex("it is not an index of ori")
    if version != VERSION:
        raise BrokenIndex(f"it has format {version}, this version of ori has format {VERSION}")


def _create(connection: sqlite3.Connection) -> None:
    if connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
        _switch_to_wal(connection)
    connection.execute("BEGIN IMMEDIATE")
    try:
        if not _has_tables(connection):
            for statement in TABLES.strip().split(";\n"):
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {VERSION}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _switch_to_wal(connection: sqlite3.Connection) -> None:
    # SQLite does not wait here when two processes switch a new file at the same moment.
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF not in _BUSY or time.monotonic() > deadline:
                raise
            time.sleep(0.01)


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    return int(connection.execute(f"PRAGMA {name}").fetchone()[0])


def _has_tables(connection: sqlite3.Connection) -> bool:
    return connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone() is not None


def _stat(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Unwritable(f"{path} cannot be looked at: {error.strerror}") from error


def _stamp_path(path: Path) -> Path:
    return path.with_name("index.stamp")


def _stamp(status: os.stat_result) -> str:
    return f"{status.st_ino} {status.st_size} {status.st_mtime_ns}\n"


def _check_unknown_change(connection: sqlite3.Connection, path: Path, status: os.stat_result) -> None:
    """Pages overwritten by others answer nonsense without an error; look them through when the file is not as left."""
    try:
        if _stamp_path(path).read_text(encoding="utf-8", errors="replace") == _stamp(status):
            return
    except OSError:
        pass  # No stamp, or none we may read: then the check is what there is.
    with read_error():
        found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    if found != "ok":
        raise BrokenIndex(f"it is damaged: {found}")
    _write_stamp(path)


def _write_stamp(path: Path) -> None:
    # Without a stamp the next process looks the file through, which costs time and nothing else.
    with contextlib.suppress(OSError):
        text = _stamp(path.stat())
        place = _stamp_path(path)
        if not place.exists() or place.read_text(encoding="utf-8", errors="replace") != text:
            place.write_text(text, encoding="utf-8")


def _forget_old(path: Path) -> None:
    broken = sorted(path.parent.glob(path.name + ".broken-*"), key=lambda file: file.name)
    names = dict.fromkeys(file.name.removesuffix("-wal").removesuffix("-shm") for file in broken)
    for name in list(names)[:-_KEPT]:
        for suffix in ("", "-wal", "-shm"):
            path.with_name(name + suffix).unlink(missing_ok=True)
