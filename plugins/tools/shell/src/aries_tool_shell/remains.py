"""Ends processes of a call whose supervisor is gone; they have a mark in their environment, or hold its output."""

from __future__ import annotations

import os
import signal
import stat
import time
from pathlib import Path

__all__ = ["MARKER", "kill_remains"]

MARKER = "ARIES_CALL"
_ROUNDS = 100


def kill_remains(mark: str, output: int) -> None:
    """Kill every process with the mark, or with the writing end of the pipe `output`, until there is none.

    Elsewhere than on Linux it does nothing.
    """
    wanted, pipe = f"{MARKER}={mark}".encode("ascii"), f"pipe:[{os.fstat(output).st_ino}]"
    for _ in range(_ROUNDS):
        found = [folder for folder in _processes() if _has_mark(folder, wanted) or _writes_to(folder, pipe)]
        if not found:
            return
        for folder in found:
            try:
                os.kill(int(folder.name), signal.SIGKILL)
            except (ProcessLookupError, PermissionError):
                continue  # gone meanwhile, or not ours to kill
        time.sleep(0.02)


def _processes() -> list[Path]:
    if not Path("/proc/self/environ").exists():
        return []
    return [folder for folder in Path("/proc").glob("[0-9]*") if int(folder.name) != os.getpid()]


def _has_mark(folder: Path, wanted: bytes) -> bool:
    try:
        return wanted in (folder / "environ").read_bytes().split(b"\0")
    except OSError:
        return False  # ended meanwhile, or somebody else's


def _writes_to(folder: Path, pipe: str) -> bool:
    try:
        files = list((folder / "fd").iterdir())
    except OSError:
        return False  # ended meanwhile, or somebody else's
    return any(_is_writing_end(file, pipe) for file in files)


def _is_writing_end(file: Path, pipe: str) -> bool:
    try:
        mode = file.lstat().st_mode
        return bool(mode & stat.S_IWUSR) and not mode & stat.S_IRUSR and str(file.readlink()) == pipe
    except OSError:
        return False  # closed meanwhile
