"""One writer at a time in a folder, so that no edit works on bytes that another is about to replace."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from aries_kernel.errors import ToolFailed

__all__ = ["writing_in"]

_PATIENCE = 20.0
_PAUSE = 0.01


@contextlib.contextmanager
def writing_in(folder: Path, stop: threading.Event) -> Iterator[None]:
    """Hold the lock of `folder` among processes and threads of ours.

    The folder itself is locked, so nothing is left behind, not even by a kill. Where a folder cannot be locked
    (Windows, some network file systems) the write goes on without; the caller's check before replacing remains.
    Raises: ToolFailed when somebody else writes for too long or the call was cancelled.
    """
    if os.name != "posix":
        yield
        return
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except PermissionError:  # It may be written to but not listed.
        yield
        return
    try:
        _lock(descriptor, folder, stop)
        yield
    finally:
        os.close(descriptor)


def _lock(descriptor: int, folder: Path, stop: threading.Event) -> None:
    import fcntl

    end = time.monotonic() + _PATIENCE
    while not stop.is_set():
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            if time.monotonic() > end:
                raise ToolFailed(f"Another process has been writing in {folder} for {_PATIENCE:.0f} s.") from error
            stop.wait(_PAUSE)
        except OSError:
            return  # This file system has no such locks.
        else:
            return
    raise ToolFailed("The call was cancelled before anything was written.")
