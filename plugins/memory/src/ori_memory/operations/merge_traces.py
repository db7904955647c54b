"""What merging and syncing leave behind: a conflict within a note, and copies of a note beside it."""

from __future__ import annotations

import re
from collections.abc import Collection

from ori_memory.notes.code import find_code
from ori_memory.notes.lines import flatten

__all__ = ["conflict_in", "original_of"]

_SIGNS = (
    re.compile(r"^<{7,8} ", re.MULTILINE),
    re.compile(r"^={7,8}$", re.MULTILINE),
    re.compile(r"^>{7,8} ", re.MULTILINE),
)
_COPIES = (
    # Dropbox, Nextcloud, Obsidian Sync, and file systems that do not tell cases apart.
    re.compile(r"(.{1,200}) \([^()]{0,80}(?:conflicted copy|conflict copy|case conflict)[^()]{0,80}\)", re.IGNORECASE),
    # Syncthing.
    re.compile(r"(.{1,200})\.sync-conflict-\d{8}-\d{6}(?:-[0-9A-Z]{7})?"),
)


def conflict_in(text: str) -> str:
    """The line where git put two versions of a note one below the other, and what to do; empty where there is none."""
    if "<<<<<<< " not in text:
        return ""
    text = flatten(text)
    code = find_code(text)
    place, lines = 0, []
    for sign in _SIGNS:
        found = next((one for one in sign.finditer(text, place) if not code.covers(one.start())), None)
        if found is None:
            return ""
        place = found.end()
        lines.append(text.count("\n", 0, found.start()) + 1)
    return (
        f"line {lines[0]}: a merge stopped here, with two versions until line {lines[2]}; "
        "keep what is right and remove the signs"
    )


def original_of(path: str, paths: Collection[str]) -> str:
    """The note that a synchroniser kept this one beside, as its name says; empty for any other, or where it is gone."""
    folder, slash, name = path.rpartition("/")
    for copy in _COPIES:
        found = copy.fullmatch(name.removesuffix(".md"))
        if found is not None and (original := f"{folder}{slash}{found[1]}.md") in paths:
            return original
    return ""
