"""The files of a tree that belong to the work: what ignore files exclude, version stores and links are left out."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path

from attrs import evolve, frozen

from aries_kernel.atomic import is_temporary
from aries_kernel.errors import ToolFailed
from aries_tool_files._patterns import IgnoreRule, parse_ignore_line

__all__ = ["Entry", "Walk"]

_STORES = {".git", ".hg", ".svn", ".jj", ".bzr", "CVS"}
_LARGEST_IGNORE_FILE = 1 << 20


@frozen
class Entry:
    """Something in the tree."""

    path: str
    """From the tree's root, with forward slashes."""
    is_folder: bool
    is_link: bool
    is_regular: bool


@frozen
class _Rules:
    """Ignore rules that hold in a folder; each level is the folder's path with a slash, and its rules.

    `.ignore` wins over `.gitignore`, both over `.git/info/exclude`; within one kind the deeper level wins.
    """

    ignore: tuple[tuple[str, tuple[IgnoreRule, ...]], ...] = ()
    gitignore: tuple[tuple[str, tuple[IgnoreRule, ...]], ...] = ()
    exclude: tuple[tuple[str, tuple[IgnoreRule, ...]], ...] = ()

    def entering(self, folder: Path) -> _Rules:
        """The rules inside `folder`. A repository does not see the `.gitignore` of what lies above it."""
        found = self
        if os.path.lexists(folder / ".git"):
            found = _Rules(ignore=self.ignore, exclude=_level(folder, Path(".git", "info", "exclude")))
        return evolve(
            found,
            ignore=found.ignore + _level(folder, Path(".ignore")),
            gitignore=found.gitignore + _level(folder, Path(".gitignore")),
        )

    def ignores(self, path: str, name: str, is_folder: bool) -> bool:
        for kind in (self.ignore, self.gitignore, self.exclude):
            for prefix, rules in reversed(kind):
                below = path[len(prefix) :]
                for rule in reversed(rules):
                    if rule.matches(below, name, is_folder):
                        return not rule.is_negated
        return False


def _level(folder: Path, name: Path) -> tuple[tuple[str, tuple[IgnoreRule, ...]], ...]:
    try:
        with (folder / name).open("rb") as opened:
            text = opened.read(_LARGEST_IGNORE_FILE).decode("utf-8", "surrogateescape").removeprefix("\ufeff")
    except OSError:
        return ()  # An ignore file that is missing, unreadable or no file ignores nothing.
    lines = (line.removesuffix("\r") for line in text.split("\n"))
    rules = tuple(rule for rule in map(parse_ignore_line, lines) if rule)
    return ((_as_prefix(folder), rules),) if rules else ()


def _as_prefix(folder: Path) -> str:
    return folder.as_posix().rstrip("/") + "/"


class Walk:
    """Goes through `root` in the order of names; `unreadable` holds afterwards what could not be listed.

    Rules of the folders above count up to the repository's root, or to `top` outside of one. Where `root` itself
    is ignored, it was asked for by name: then the rules above do not count.
    """

    def __init__(self, root: Path, top: Path, stop: threading.Event) -> None:
        self.unreadable: list[tuple[str, str]] = []
        self._root, self._stop = root, stop
        self._rules = _rules_above(root, top)

    def __iter__(self) -> Iterator[Entry]:
        # A stack, not recursion: trees may be deeper than Python's limit.
        rules = self._rules.entering(self._root)
        stack = [(self._entries(self._root, "", rules), rules)]
        while stack:
            entries, rules = stack[-1]
            entry = next(entries, None)
            if entry is None:
                stack.pop()
                continue
            yield entry
            if entry.is_folder:
                inner = self._root / entry.path
                below = rules.entering(inner)
                stack.append((self._entries(inner, f"{entry.path}/", below), below))

    def _entries(self, folder: Path, before: str, rules: _Rules) -> Iterator[Entry]:
        if self._stop.is_set():
            raise ToolFailed("The call was cancelled.")
        try:
            with os.scandir(folder) as listed:
                found = sorted(listed, key=lambda entry: entry.name)
        except OSError as error:
            self.unreadable.append((before.rstrip("/") or ".", error.strerror or str(error)))
            return
        prefix = _as_prefix(folder)
        for one in found:
            is_folder = one.is_dir(follow_symlinks=False)
            if one.name in _STORES or is_temporary(one.name) or rules.ignores(prefix + one.name, one.name, is_folder):
                continue
            yield Entry(before + one.name, is_folder, one.is_symlink(), one.is_file(follow_symlinks=False))


def _rules_above(root: Path, top: Path) -> _Rules:
    """Rules of the folders above `root`, outermost first."""
    rules = _Rules()
    for folder in _folders_above(root, top):
        rules = rules.entering(folder)
        child = folder / root.relative_to(folder).parts[0]
        if rules.ignores(child.as_posix(), child.name, True):
            rules = _Rules()
    return rules


def _folders_above(root: Path, top: Path) -> list[Path]:
    parents = list(root.parents)
    last = parents.index(top) if top in parents else -1
    if not os.path.lexists(root / ".git"):
        repository = next((index for index, one in enumerate(parents) if os.path.lexists(one / ".git")), -1)
        last = max(last, repository)
    return parents[last::-1] if last >= 0 else []
