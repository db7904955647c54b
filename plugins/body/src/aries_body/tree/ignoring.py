"""Ignore rules where there is no git to ask: `.gitignore` and `.ignore` files, as git reads them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import frozen

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

__all__ = ["Rules"]

_LARGEST = 1 << 20
_NAMES = (".gitignore", ".ignore")
"""The later one has the last word."""


@frozen
class _Level:
    """The rules of one folder."""

    base: str
    """Of the folder, with a slash at its end; empty for the root."""
    rules: GitIgnoreSpec
    any_rule: re.Pattern[str]
    """Matches wherever one of the rules does: most paths are told to be free by one search."""

    def says(self, path: str) -> bool | None:
        """True: ignored, False: let in again, None: nothing."""
        below = path[len(self.base) :]
        return self.rules.check_file(below).include if self.any_rule.search(below) else None


@frozen
class Rules:
    """What is ignored in a folder: its own rules and those above it; the deepest that says anything decides."""

    levels: tuple[_Level, ...] = ()

    def entering(self, root: Path, folder: str, names: set[str]) -> Rules:
        """The rules inside `folder` (with a slash at its end), which holds files called `names`."""
        lines: list[str] = []
        for name in _NAMES:
            if name in names:
                lines += _lines(root / folder / name)
        level = _level(folder, lines)
        return self if level is None else Rules((*self.levels, level))

    def ignores(self, path: str, *, is_folder: bool) -> bool:
        """A folder that is ignored is not looked into."""
        asked = f"{path}/" if is_folder else path
        for level in reversed(self.levels):
            said = level.says(asked)
            if said is not None:
                return said
        return False


def _lines(file: Path) -> list[str]:
    try:
        with file.open("rb") as opened:
            text = opened.read(_LARGEST).decode("utf-8", "surrogateescape")
    except OSError:
        return []  # What cannot be read ignores nothing, as with git.
    return text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")


def _level(folder: str, lines: list[str]) -> _Level | None:
    if not lines:
        return None
    from pathspec import GitIgnoreSpec

    good = [line for line in lines if line.strip() and not line.startswith("#") and _is_pattern(line)]
    if not good:
        return None
    rules = GitIgnoreSpec.from_lines(good)
    expressions = [getattr(one, "regex", None) for one in rules.patterns]
    parts = [one.pattern for one in expressions if one is not None]
    if not parts:
        return None
    # Groups have names, which may occur once only in an expression.
    combined = "|".join(f"(?:{re.sub(r'[(][?]P<[^>]*>', '(?:', str(part))})" for part in parts)
    return _Level(folder, rules, re.compile(combined))


def _is_pattern(line: str) -> bool:
    from pathspec import GitIgnoreSpec

    try:
        GitIgnoreSpec.from_lines([line])
    except ValueError:
        return False
    return True
