"""Boards of Obsidian (JSON Canvas) that show notes: their paths follow a note that moves."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

from aries_kernel.atomic import replace_bytes

__all__ = ["boards_with", "move_on_boards"]

_ENDING = ".canvas"
_LARGEST = 50_000_000


def boards_with(root: Path, path: str) -> Iterator[tuple[str, int]]:
    """Boards that show the note at `path`, with how often each does. What cannot be read shows nothing."""
    pattern = _showing(path)
    for file in _boards(root):
        try:
            data = file.read_bytes() if file.stat().st_size <= _LARGEST else b""
        except OSError:
            continue  # It stays as it is, as all that is no note.
        if count := len(pattern.findall(data)):
            yield file.relative_to(root).as_posix(), count


def move_on_boards(root: Path, old: str, new: str) -> Iterator[str]:
    """Change nothing but the path; gives what a person should know where a board cannot be written."""
    fresh = json.dumps(new, ensure_ascii=False).encode("utf-8", "surrogatepass")
    for name, _ in list(boards_with(root, old)):
        try:
            data = (root / name).read_bytes()
            replace_bytes(root / name, _showing(old).sub(lambda found: found[1] + fresh, data))
        except OSError as error:
            yield f"{name} still shows {old}: {error.strerror or error}"


def _boards(root: Path) -> Iterator[Path]:
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name != "node_modules")
        yield from (Path(folder, name) for name in sorted(names) if name.endswith(_ENDING))


def _showing(path: str) -> re.Pattern[bytes]:
    forms = {json.dumps(path, ensure_ascii=is_ascii).encode("utf-8", "surrogatepass") for is_ascii in (True, False)}
    return re.compile(rb'("file"[ \t\r\n]{0,20}:[ \t\r\n]{0,20})(?:' + b"|".join(map(re.escape, sorted(forms))) + rb")")
