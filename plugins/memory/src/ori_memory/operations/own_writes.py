"""When ori itself wrote, so that what it wrote is not taken for somebody's work: told before, and closed after."""

from __future__ import annotations

import contextlib
import math
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from aries_kernel.atomic import replace_bytes
from ori_memory.vault.vault import Vault

__all__ = ["noted_down", "own_writes"]

_NAME = "own-writes.txt"
_MOST_KEPT = 400
"""Lines."""
_LARGE = 1 << 15
_KILLED_AFTER = 30.0
"""Seconds that a writer counts as being at work whose end is not told, unless another one began since."""


@contextlib.contextmanager
def noted_down(vault: Vault) -> Iterator[None]:
    """Around a write; who writes with the vault's lock held is told from who was killed by the next one.

    The beginning is told before anything is written: another process may see the file long before this one is done.
    """
    path = vault.state_folder / _NAME
    began = _note(path, "{now}")
    try:
        yield
    finally:
        if began is not None:
            _note(path, f"{began:.6f} {{now}}")


def own_writes(vault: Vault) -> tuple[tuple[float, float], ...]:
    """When ori wrote lately, from and to, by the clock of the vault's file system; the last may still be at it."""
    began: list[float] = []
    ended: dict[float, float] = {}
    for line in _lines(vault.state_folder / _NAME):
        # Half a line of a process that was killed says nothing, and hides no other line.
        with contextlib.suppress(ValueError):
            match [float(word) for word in line.split()]:
                case [start]:
                    began.append(start)
                case [start, end]:
                    ended[start] = end
    for start in set(began) - ended.keys():
        later = min((one for one in began if one > start), default=math.inf)
        ended[start] = min(start + _KILLED_AFTER, later)
    return tuple(sorted(ended.items()))


def _lines(path: Path) -> Sequence[str]:
    try:
        return path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ()  # None yet: then every change is somebody's.


def _note(path: Path, line: str) -> float | None:
    """Add a line with the present moment in it; None where that cannot be: what is written is written all the same."""
    with contextlib.suppress(OSError):
        with path.open("ab", buffering=0) as file:
            # The clock that the notes' files get their times from, which on a network is not this machine's.
            file.write(b"\n")
            status = os.fstat(file.fileno())
            file.write(line.format(now=f"{status.st_mtime:.6f}").encode() + b"\n")
        if status.st_size > _LARGE:
            kept = [line for line in _lines(path) if line.strip()][-_MOST_KEPT:]
            replace_bytes(path, "".join(f"{line}\n" for line in kept).encode())
        return status.st_mtime
    return None
