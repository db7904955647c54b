"""Who embeds a vault: one process at a time, which can be asked to stop, and says why it could not."""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections.abc import Iterator
from pathlib import Path

from attrs import frozen

from aries_kernel.atomic import replace_bytes
from aries_kernel.errors import UserError

__all__ = [
    "AlreadyWorking",
    "Problem",
    "is_asked_to_stop",
    "note_problem",
    "problem",
    "stop_worker",
    "worker",
    "working",
]

_LOCK, _WHO, _STOP, _PROBLEM = "embed.lock", "embed.json", "embed.stop", "embed.problem.json"


class AlreadyWorking(UserError):
    """Another process embeds this vault."""


@frozen
class Problem:
    """Why the last filling could not do its work."""

    reason: str
    at: float
    """Seconds since 1970."""


@contextlib.contextmanager
def working(folder: Path) -> Iterator[None]:
    """Be the one who embeds; where that ends well, what went wrong earlier is forgotten.

    Raises: AlreadyWorking; UserError where the folder cannot be written.
    """
    import filelock

    lock = filelock.FileLock(folder / _LOCK, timeout=0)
    try:
        lock.acquire()
    except filelock.Timeout as error:
        who = _read(folder / _WHO).get("process")
        told = f"Process {who}" if who else "Another process"
        raise AlreadyWorking(f"{told} is embedding this vault. To stop it: ori index embed --stop") from error
    except OSError as error:
        raise UserError(f"{folder} cannot be written: {error.strerror}. Nothing can be embedded.") from error
    try:
        (folder / _STOP).unlink(missing_ok=True)
        _write(folder / _WHO, {"process": os.getpid()})
        yield
        (folder / _PROBLEM).unlink(missing_ok=True)
    finally:
        with contextlib.suppress(OSError):
            (folder / _WHO).unlink(missing_ok=True)
        lock.release()


def note_problem(folder: Path, reason: str) -> None:
    """Keep why nothing can be embedded, for whoever asks for it: a process in the background has nobody to tell."""
    _write(folder / _PROBLEM, {"reason": reason, "at": time.time()})


def problem(folder: Path) -> Problem | None:
    """What kept the last filling from its work."""
    found = _read(folder / _PROBLEM)
    try:
        return Problem(str(found["reason"]), float(str(found["at"])))
    except (KeyError, ValueError):
        return None


def worker(folder: Path) -> int | None:
    """The process that embeds at this moment, 0 where that is not known; None: nobody does."""
    if not (folder / _WHO).exists() or not _is_locked(folder / _LOCK):
        return None
    process = _read(folder / _WHO).get("process", 0)
    return process if isinstance(process, int) else 0


def _is_locked(place: Path) -> bool:
    """Asked by queries, for which importing filelock would take too long where the system can be asked directly."""
    try:
        import fcntl
    except ImportError:
        return _is_locked_there(place)
    try:
        with place.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


def _is_locked_there(place: Path) -> bool:
    import filelock

    try:
        with filelock.FileLock(place, timeout=0):
            return False
    except filelock.Timeout:
        return True
    except OSError:
        return False


def is_asked_to_stop(folder: Path) -> bool:
    """Whether somebody wants the worker to end, or took the vault away."""
    return (folder / _STOP).exists() or not (folder / "vault.json").exists()


def stop_worker(folder: Path, patience: float) -> int | None:
    """Ask the worker to end and wait until it has; None where nobody works. Raises: UserError after `patience`."""
    import filelock

    process = worker(folder)
    if process is None:
        return None
    (folder / _STOP).touch()
    try:
        with filelock.FileLock(folder / _LOCK, timeout=patience):
            (folder / _STOP).unlink(missing_ok=True)
    except filelock.Timeout as error:
        told = f"It is process {process}." if process else "Its number is not known."
        raise UserError(f"Who embeds has not stopped within {patience:.0f} s. {told}") from error
    return process


def _read(path: Path) -> dict[str, object]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _write(path: Path, values: dict[str, object]) -> None:
    # Who works, and why not, is for people; the work does not hang on it.
    with contextlib.suppress(OSError):
        replace_bytes(path, json.dumps(values).encode())
