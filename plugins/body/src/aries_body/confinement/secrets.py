"""Which files of a project a body must not see."""

from __future__ import annotations

import os
from pathlib import Path

from aries_kernel.broker.secrets import holds_secrets

__all__ = ["secret_files"]

_MOST_LOOKED_AT = 200_000
_MOST_FOUND = 500
_PASSED_OVER = {"node_modules", "__pycache__", ".venv", "venv"}


def secret_files(project: Path) -> tuple[Path, ...]:
    """Files that are taken for stores of secrets by their name; folders of installed libraries are passed over."""
    found: list[Path] = []
    looked_at = 0
    waiting = [str(project)]
    while waiting and looked_at < _MOST_LOOKED_AT and len(found) < _MOST_FOUND:
        try:
            entries = list(os.scandir(waiting.pop()))
        except OSError:
            continue  # What cannot be listed here cannot be read in the body either.
        looked_at += len(entries)
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                if entry.name not in _PASSED_OVER:
                    waiting.append(entry.path)
            elif entry.is_file(follow_symlinks=False) and holds_secrets(Path(entry.path)):
                found.append(Path(entry.path))
    return tuple(sorted(found)[:_MOST_FOUND])
