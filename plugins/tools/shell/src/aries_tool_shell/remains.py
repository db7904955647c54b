"""Finds processes of a call whose supervisor is gone, by a mark in their environment (Linux)."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

__all__ = ["MARKER", "kill_marked"]

MARKER = "ARIES_CALL"
_ROUNDS = 100


def kill_marked(mark: str) -> None:
    """Kill every process that has the mark, until there is none; elsewhere than on Linux it does nothing."""
    for _ in range(_ROUNDS):
        found = _marked(mark)
        if not found:
            return
        for pid in found:
            try:
                os.kill(pid, signal.SIGKILL)
            except (ProcessLookupError, PermissionError):
                continue  # gone meanwhile, or not ours to kill
        time.sleep(0.02)


def _marked(mark: str) -> list[int]:
    wanted = f"{MARKER}={mark}".encode("ascii")
    found = []
    for folder in Path("/proc").glob("[0-9]*") if Path("/proc/self/environ").exists() else ():
        try:
            environ = (folder / "environ").read_bytes()
        except OSError:
            continue  # ended meanwhile, or somebody else's
        if wanted in environ.split(b"\0") and int(folder.name) != os.getpid():
            found.append(int(folder.name))
    return found
