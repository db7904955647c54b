"""The files of a folder where git does not list them."""

from __future__ import annotations

import os
from operator import attrgetter
from pathlib import Path

from attrs import define, field

from aries_body.tree.ignoring import Rules

__all__ = ["Walked", "walk"]

_STORES = {".git", ".hg", ".svn", ".jj", ".bzr", "CVS"}
_DEEPEST = 200
_NAME = attrgetter("name")


@define
class Walked:
    """What a walk met."""

    paths: list[str] = field(factory=list)
    """All that is no folder, links included, which are not followed."""
    nested: list[str] = field(factory=list)
    notes: list[str] = field(factory=list)


def walk(root: Path, *, with_nested: bool = False) -> Walked:
    """Everything below `root` that no ignore file excludes. Folders with a repository of their own are `nested`."""
    walked, top = Walked(), os.fspath(root)
    # A stack, not recursion: trees may be deeper than Python's limit.
    waiting = [("", Rules())]
    while waiting:
        folder, above = waiting.pop()
        try:
            with os.scandir(f"{top}/{folder}") as listed:
                entries = sorted(listed, key=_NAME)
        except OSError as error:
            walked.notes.append(f"{folder or '.'} cannot be listed: {error.strerror or error}")
            continue
        names = {entry.name for entry in entries}
        if folder and not with_nested and ".git" in names and (root / folder / ".git").is_dir():
            walked.nested.append(folder.rstrip("/"))
            continue
        rules = above.entering(root, folder, names)
        for entry in entries:
            name = entry.name
            path = folder + name
            is_folder = entry.is_dir(follow_symlinks=False)
            if name in _STORES or rules.ignores(path, is_folder=is_folder):
                continue
            if not is_folder:
                walked.paths.append(path)
            elif path.count("/") < _DEEPEST:
                waiting.append((f"{path}/", rules))
            else:
                walked.notes.append(f"{path} is too deep and was not looked into")
    return walked
