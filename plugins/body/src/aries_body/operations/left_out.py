"""Imports that lead to a file which is there, and was left out: vendored, generated, minified, too large."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping

from attrs import define, field

__all__ = ["LeftOut"]

_HEADS = ("mod", "index", "__init__")
"""Files that stand for their folders."""


@define(eq=False)
class LeftOut:
    """What was left out, by the ways in which an import may say it."""

    skipped: Mapping[str, str]
    _folders: tuple[str, ...] = field(init=False)
    _stems: frozenset[str] = field(init=False)
    _homes: frozenset[str] = field(init=False)

    def __attrs_post_init__(self) -> None:
        files = [path for path in self.skipped if not path.endswith("/")]
        self._folders = tuple(path for path in self.skipped if path.endswith("/"))
        self._stems = frozenset(part for path in files for part in (path, posixpath.splitext(path)[0]))
        self._homes = frozenset(home for path in files if (home := posixpath.dirname(path)))

    def holds(self, path: str, module: str) -> bool:
        """Whether an import in the file `path`, which leads to no file, is likely to mean one of these."""
        if not module:
            return False
        beside = posixpath.normpath(posixpath.join(posixpath.dirname(path), module))
        # A module of Rust lies in the folder that has the name of the file which declares it.
        below = posixpath.join(posixpath.splitext(path)[0], module)
        for place in (beside, below):
            files = {place, posixpath.splitext(place)[0], *(f"{place}/{head}" for head in _HEADS)}
            if f"{place}/".startswith(self._folders) or self._stems & files:
                return True
        if module.startswith("."):
            return False
        parts = module.split("/")
        tails = {"/".join(parts[place:]) for place in range(len(parts))}
        # The path of a package ends in its folder.
        return len(parts) > 1 and not tails.isdisjoint(self._homes)
