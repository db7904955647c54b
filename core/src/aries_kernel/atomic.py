"""Writing a file so that it is whole or untouched, whatever happens meanwhile."""

from __future__ import annotations

import os
import secrets
import stat
from pathlib import Path

__all__ = ["replace_bytes"]


def replace_bytes(path: Path, data: bytes, *, mode: int | None = None) -> None:
    """Write `data` to `path` by temporary sibling, fsync and rename.

    Keeps the mode bits of a file that is there; `mode` applies to a new one (None: what the process's umask gives).
    `path` must be a real path: a link there would be replaced, not followed.
    Raises: OSError, with the old file untouched.
    """
    try:
        keep = stat.S_IMODE(path.stat().st_mode)
    except FileNotFoundError:
        keep = None
    sibling = path.with_name(f".{path.name[:100]}.{secrets.token_hex(6)}.tmp")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    descriptor = os.open(sibling, flags, 0o666 if mode is None else mode)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            if keep is not None:
                _set_mode(file.fileno(), sibling, keep)
            os.fsync(file.fileno())
        sibling.replace(path)
    except BaseException:
        sibling.unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def _set_mode(descriptor: int, path: Path, mode: int) -> None:
    if hasattr(os, "fchmod"):
        os.fchmod(descriptor, mode)
    else:
        path.chmod(mode)


def _sync_folder(folder: Path) -> None:
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
