"""Opening vectors.db: made where there is none, set aside where it is broken, never "locked"."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from ori_memory.index.opening import PATIENCE, BrokenIndex, read_error, set_aside, transaction
from ori_memory.vectors.schema import APPLICATION_ID, TABLES, VERSION

__all__ = ["open_database"]


def open_database(path: Path) -> tuple[sqlite3.Connection, str]:
    """A connection, and what a person should know about how it was made. The folder must be there.

    Raises: Unwritable, Busy.
    """
    notice = ""
    for attempt in range(3):
        inode = path.stat().st_ino if path.exists() else None
        try:
            return _opened(path), notice
        except BrokenIndex as error:
            if attempt == 2:
                raise
            kept = set_aside(path, inode)
            notice = f"{path.name} could not be used: {error}.{f' It was kept as {kept}.' if kept else ''}"
    raise AssertionError("unreachable")


def _opened(path: Path) -> sqlite3.Connection:
    with read_error():
        connection = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None, check_same_thread=False)
    try:
        with read_error():
            # A commit names rows that the data file has on the disk already; what is named must stay named.
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA secure_delete = ON")
            if not _value(connection, "application_id") and not _has_tables(connection):
                _create(connection)
            if _value(connection, "application_id") != APPLICATION_ID:
                raise BrokenIndex("it is not ours")
            if (version := _value(connection, "user_version")) != VERSION:
                raise BrokenIndex(f"it has format {version}, this version of ori has format {VERSION}")
            if (found := connection.execute("PRAGMA quick_check(1)").fetchone()[0]) != "ok":
                raise BrokenIndex(f"it is damaged: {found}")
        return connection
    except BaseException:
        connection.close()
        raise


def _create(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA journal_mode = WAL")
    with transaction(connection, wait=True):
        if not _has_tables(connection):
            for statement in TABLES.strip().split(";\n"):
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {VERSION}")


def _value(connection: sqlite3.Connection, name: str) -> int:
    return int(connection.execute(f"PRAGMA {name}").fetchone()[0])


def _has_tables(connection: sqlite3.Connection) -> bool:
    return connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone() is not None
