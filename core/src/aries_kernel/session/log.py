"""An append-only file of JSON lines that one process owns at a time."""

from __future__ import annotations

import datetime
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import frozen

from aries_kernel.errors import FatalError, UserError
from aries_kernel.processes import is_alive
from aries_kernel.session.entries import Entry, converter, kinds

if TYPE_CHECKING:
    from filelock import BaseFileLock

__all__ = ["LogLine", "SessionInUse", "SessionLog", "read_log"]


_ORPHAN_SECONDS = 5.0


class SessionInUse(UserError):
    """Another process works in this session."""


@frozen
class LogLine:
    """One line of a log; `entry` is None where it cannot be read, and `problem` says why."""

    number: int
    at: str
    entry: Entry | None
    problem: str = ""


def read_log(path: Path) -> Iterator[LogLine]:
    """All lines; a broken one is named, never fatal, and never changed.

    Raises: OSError.
    """
    with path.open("rb") as file:
        for number, raw in enumerate(file, start=1):
            if raw.strip():
                yield _read_line(number, raw)


def _read_line(number: int, raw: bytes) -> LogLine:
    try:
        data = json.loads(raw.decode("utf-8", "surrogatepass"))
        at = str(data.pop("at", ""))
        if data.get("type") not in kinds():
            return LogLine(number, at, None, f"is of a kind this version does not know: {data.get('type')!r}")
        return LogLine(number, at, converter().structure(data, Entry))  # type: ignore[arg-type]
    except Exception as error:
        # Whatever a damaged line makes the decoder or cattrs raise, the other lines still count.
        return LogLine(number, "", None, f"cannot be read: {type(error).__name__}")


class SessionLog:
    """The writing end. Every entry is in the operating system's hands when `append` returns."""

    def __init__(self, path: Path, now: Callable[[], datetime.datetime]) -> None:
        """Take the lock and open `path` for appending; a new file gets mode 0600.

        Raises: SessionInUse, FatalError where the folder cannot be written.
        """
        self.path = path
        self._now = now
        self._lock = _acquire(path)
        try:
            flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
            self._descriptor = os.open(path, flags, 0o600)
        except OSError as error:
            self._lock.release()
            raise FatalError(f"The session log {path} cannot be opened: {error.strerror}.") from error
        self._is_torn = _ends_inside_a_line(path)

    def append(self, entry: Entry) -> None:
        """Write one line.

        Raises: FatalError where the disk does not take it; the session must not go on unrecorded.
        """
        data = {"at": self._now().isoformat(timespec="milliseconds"), **converter().unstructure(entry, Entry)}
        line = json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass") + b"\n"
        # A line that was cut by a crash stays as it is and is closed, so that it spoils no other.
        rest = b"\n" + line if self._is_torn else line
        try:
            while rest:
                self._is_torn = True
                rest = rest[os.write(self._descriptor, rest) :]
        except OSError as error:
            raise FatalError(f"The session log {self.path} cannot be written: {error.strerror}.") from error
        self._is_torn = False

    def sync(self) -> None:
        """Have the disk hold everything; called at the end of a turn.

        Raises: FatalError where the disk does not take it.
        """
        try:
            os.fsync(self._descriptor)
        except OSError as error:
            raise FatalError(f"The session log {self.path} cannot be kept: {error.strerror}.") from error

    def close(self) -> None:
        """Give the session free."""
        os.close(self._descriptor)
        self._lock.release()


def _acquire(path: Path) -> BaseFileLock:
    import filelock

    owner = path.with_suffix(".owner")
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = filelock.FileLock(path.with_suffix(".lock"), mode=0o600)
        try:
            lock.acquire(blocking=False)
        except filelock.Timeout:
            if is_alive(_process_in(owner)):
                raise
            # What a killed owner was just starting has the lock from it, until it runs its own program.
            lock.acquire(timeout=_ORPHAN_SECONDS)
        owner.write_text(str(os.getpid()), encoding="utf-8")
        return lock
    except filelock.Timeout as error:
        pid = owner.read_text(encoding="utf-8") if owner.exists() else "unknown"
        raise SessionInUse(
            f"Session {path.stem} is in use by process {pid}. End that one, or work on a copy with --fork."
        ) from error
    except OSError as error:
        raise FatalError(f"The session folder {path.parent} cannot be written: {error.strerror}.") from error


def _process_in(owner: Path) -> int:
    """The process that names itself there; this one, which lives, where none does."""
    try:
        return int(owner.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return os.getpid()


def _ends_inside_a_line(path: Path) -> bool:
    with path.open("rb") as file:
        if file.seek(0, os.SEEK_END) == 0:
            return False
        file.seek(-1, os.SEEK_END)
        return file.read(1) != b"\n"
