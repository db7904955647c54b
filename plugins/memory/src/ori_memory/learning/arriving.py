"""Files that came from elsewhere, by git or a service that syncs folders: whoever wrote them is counted there."""

from __future__ import annotations

import contextlib
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

__all__ = ["has_arrived", "when_git_wrote"]

_BEFORE, _AFTER = 5.0, 1.5
"""Seconds: git writes the files first, then what it did, in whole seconds."""
_MOST_READ = 1 << 15
_ENTRY = re.compile(rb"> (\d{1,12}) [+-]\d{4}\t(?!commit\b)")
"""Of the log of HEAD: a commit takes files as they are, all else writes them (pull, merge, rebase, checkout, reset)."""
_LATE = 10.0
"""Seconds between the last write of a file and its arrival in the folder, which keeps the time of the write."""


def has_arrived(status: os.stat_result, moments: tuple[tuple[float, float], ...]) -> bool:
    """Whether a file was brought: its times are kept apart, or git wrote it at one of these moments."""
    # Elsewhere it says when the file was made, or changes with each note that a service makes on what it has sent.
    if sys.platform == "linux" and status.st_ctime - status.st_mtime > _LATE:
        return True
    return any(first <= status.st_mtime <= last for first, last in moments)


def when_git_wrote(root: Path) -> tuple[tuple[float, float], ...]:
    """When git lately wrote files of the repository that a folder lies in, from and to; none without one."""
    folder = _git_folder(root)
    return tuple(_moments(folder)) if folder else ()


def _git_folder(root: Path) -> Path | None:
    for folder in (root, *root.parents):
        place = folder / ".git"
        if place.is_dir():
            return place
        # A work tree or a submodule: its repository is elsewhere.
        with contextlib.suppress(OSError, ValueError):
            words = place.read_text(encoding="utf-8").partition("gitdir:")
            return folder / words[2].strip() if words[2].strip() else None
    return None


def _moments(folder: Path) -> Iterator[tuple[float, float]]:
    with contextlib.suppress(OSError), (folder / "logs" / "HEAD").open("rb") as file:
        file.seek(max(0, os.fstat(file.fileno()).st_size - _MOST_READ))
        for told in _ENTRY.findall(file.read(_MOST_READ)):
            yield int(told) - _BEFORE, int(told) + _AFTER
    # A merge that stopped at a conflict is in no log yet, and there may be no log.
    for name in ("MERGE_HEAD", "ORIG_HEAD"):
        with contextlib.suppress(OSError):
            at = (folder / name).stat().st_mtime
            yield at - _AFTER, at + _BEFORE
