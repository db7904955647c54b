"""Copies of learned.db: made by SQLite's backup, and put back when the file is damaged."""

from __future__ import annotations

import contextlib
import datetime
import json
import os
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from ori_memory.learned.database import TEMPORARY, Damaged, connect, create_empty, is_damage, place_new, transaction
from ori_memory.learned.origin import drop_origin
from ori_memory.learned.place import backup_path
from ori_memory.learned.schema import stamp

if TYPE_CHECKING:
    from ori_memory.learned.connecting import Connection

__all__ = ["copy_to", "ensure_store", "locked", "recover", "recoveries", "relatives", "soundness"]


def relatives(path: Path) -> list[Path]:
    """Every file that holds, or may hold, what the store holds: itself, its journal, its copies, what was set aside."""
    if not path.parent.is_dir():
        return []
    found = [
        *path.parent.glob(f"{path.stem}*"),
        *path.parent.glob(f"{TEMPORARY}*"),
        *path.parent.glob(f"{TEMPORARY}*/*"),
    ]
    return sorted(file for file in found if file.is_file() and not file.name.endswith(".lock"))


def copy_to(connection: sqlite3.Connection, target: Path) -> None:
    """A whole, checked copy at `target`, which is replaced only by a good one.

    Raises: Damaged when the copy is not sound (then so is the store); OSError; sqlite3.Error.
    """
    import tempfile

    target.parent.mkdir(parents=True, exist_ok=True)
    _sweep(target.parent)
    descriptor, name = tempfile.mkstemp(prefix=TEMPORARY, suffix=".tmp", dir=target.parent)
    os.close(descriptor)
    fresh = Path(name)
    try:
        copy = sqlite3.connect(fresh, isolation_level=None)
        try:
            connection.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")
            if (problem := soundness(copy)) != "ok":
                raise Damaged(f"the store is damaged: {problem}")
            drop_origin(copy)
        finally:
            copy.close()
        with fresh.open("rb+") as file:
            os.fsync(file.fileno())
        fresh.replace(target)
    finally:
        fresh.unlink(missing_ok=True)


def soundness(connection: sqlite3.Connection) -> str:
    """`ok`, or the first thing that is wrong with the file."""
    return str(connection.execute("PRAGMA quick_check(1)").fetchone()[0])


def ensure_store(path: Path) -> str | None:
    """Make the store where there is none. Returns what happened where that was more than making an empty one."""
    if path.exists():
        return None
    path.parent.mkdir(parents=True, exist_ok=True)
    with locked(path):
        if path.exists():
            return None
        if not backup_path(path).exists():
            create_empty(path)
            return None
        # The store vanished but its copy is here: what was learned is not given up for a missing file.
        return _put_back(path, "was missing", None)


def recover(path: Path, reason: str) -> str | None:
    """Set a damaged store aside and put its last copy back. None: another process has done it already.

    Raises: OSError.
    """
    with locked(path):
        if path.exists() and _is_sound(path):
            return None
        aside = _set_aside(path) if path.exists() else None
        return _put_back(path, f"was damaged ({reason})", aside)


def recoveries(connection: Connection) -> tuple[str, ...]:
    """What was ever put back, oldest first; a person has to hear of it, whichever process met it."""
    row = connection.execute("SELECT value FROM meta WHERE key = 'recoveries'").fetchone()
    return tuple(json.loads(row[0])) if row else ()


def _sweep(folder: Path) -> None:
    import shutil

    # What killed processes left; a living one is done within a minute. Names of ours only.
    for left in folder.glob(f"{TEMPORARY}*"):
        with contextlib.suppress(FileNotFoundError):
            if time.time() - left.stat().st_mtime > 3600:
                shutil.rmtree(left) if left.is_dir() else left.unlink()


def _is_sound(path: Path) -> bool:
    try:
        with contextlib.closing(connect(path)) as connection:
            return soundness(connection) == "ok"
    except (sqlite3.DatabaseError, Damaged) as error:
        if is_damage(error):
            return False
        raise


def _set_aside(path: Path) -> Path:
    now = stamp(datetime.datetime.now(datetime.UTC)).translate(str.maketrans("", "", ":-."))
    aside = path.with_name(f"{path.name}.damaged-{now}")
    for suffix in ("-wal", "-shm", ""):
        with contextlib.suppress(FileNotFoundError):
            path.with_name(path.name + suffix).rename(aside.with_name(aside.name + suffix))
    return aside


def _put_back(path: Path, what: str, aside: Path | None) -> str:
    source = _restore(path)
    message = f"The learned store {path} {what}. "
    message += f"Its copy of {source} was put back" if source else "There was no good copy, so it starts empty"
    message += f"; the damaged file is kept as {aside.name}." if aside else "."
    with contextlib.closing(connect(path)) as connection, transaction(connection):
        told = json.dumps([*recoveries(connection), message], ensure_ascii=False)
        connection.execute("INSERT OR REPLACE INTO meta VALUES ('recoveries', ?)", (told,))
    return message


def _restore(path: Path) -> str:
    copy = backup_path(path)
    if copy.exists() and _is_sound_copy(copy):
        import tempfile

        with tempfile.TemporaryDirectory(prefix=TEMPORARY, dir=path.parent) as folder:
            fresh = Path(folder) / "restored.db"
            fresh.write_bytes(copy.read_bytes())
            place_new(fresh, path)
        when = datetime.datetime.fromtimestamp(copy.stat().st_mtime, datetime.UTC)
        return when.strftime("%Y-%m-%d %H:%M UTC")
    create_empty(path)
    return ""


def _is_sound_copy(copy: Path) -> bool:
    try:
        with contextlib.closing(sqlite3.connect(f"{copy.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            return soundness(connection) == "ok"
    except sqlite3.DatabaseError as error:
        if is_damage(error):
            return False
        raise


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Only one process at a time puts a copy back, or brings the file up to date."""
    # Most commands only read, and importing it costs as much as all they do.
    from filelock import FileLock

    with FileLock(path.with_name(path.name + ".lock"), timeout=120):
        yield
