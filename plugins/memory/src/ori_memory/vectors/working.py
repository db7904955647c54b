"""Who embeds a vault: one process at a time, which can be asked to stop."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator
from pathlib import Path

from aries_kernel.atomic import replace_bytes
from aries_kernel.errors import UserError

__all__ = ["AlreadyWorking", "is_asked_to_stop", "stop_worker", "worker", "working"]

_LOCK, _WHO, _STOP = "embed.lock", "embed.json", "embed.stop"


class AlreadyWorking(UserError):
    """Another process embeds this vault."""


@contextlib.contextmanager
def working(folder: Path) -> Iterator[None]:
    """Be the one who embeds. Raises: AlreadyWorking; UserError where the folder cannot be written."""
    import filelock

    lock = filelock.FileLock(folder / _LOCK, timeout=0)
    try:
        lock.acquire()
    except filelock.Timeout as error:
        who = _read(folder).get("process")
        told = f"Process {who}" if who else "Another process"
        raise AlreadyWorking(f"{told} is embedding this vault. To stop it: ori index embed --stop") from error
    except OSError as error:
        raise UserError(f"{folder} cannot be written: {error.strerror}. Nothing can be embedded.") from error
    try:
        with contextlib.suppress(FileNotFoundError):
            (folder / _STOP).unlink()
        replace_bytes(folder / _WHO, json.dumps({"process": os.getpid()}).encode())
        yield
    finally:
        with contextlib.suppress(OSError):
            (folder / _WHO).unlink(missing_ok=True)
        lock.release()


def worker(folder: Path) -> int | None:
    """The process that embeds at this moment; 0 where that is not known."""
    import filelock

    if not (folder / _LOCK).exists():
        return None
    try:
        with filelock.FileLock(folder / _LOCK, timeout=0):
            return None
    except filelock.Timeout:
        return int(_read(folder).get("process", 0))
    except OSError:
        return None


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
        raise UserError(f"Process {process} has not ended after {patience:.0f} s; it will after its batch.") from error
    return process


def _read(folder: Path) -> dict[str, int]:
    try:
        found = json.loads((folder / _WHO).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
