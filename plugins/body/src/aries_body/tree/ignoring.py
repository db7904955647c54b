"""Ignore rules where there is no git to ask: `.gitignore` and `.ignore` files, as git reads them."""

from __future__ import annotations

import re
from pathlib import Path

from attrs import frozen

__all__ = ["Rules"]

_LARGEST = 1 << 20
_NAMES = (".gitignore", ".ignore")
"""The later one has the last word."""
_SLASH = "ps_d"
"""The group by which pathspec marks that a folder matched, and what lies in it with it."""


@frozen
class _Level:
    """The rules of one folder."""

    base: str
    """Of the folder, with a slash at its end; empty for the root."""
    rules: tuple[tuple[re.Pattern[str], bool], ...]
    """Expressions, the last one first, and whether what matches is ignored."""
    any_rule: re.Pattern[str]
    """Matches wherever one of the rules does: most paths are told to be free by one search."""

    def says(self, path: str) -> bool | None:
        """True: ignored, False: let in again, None: nothing. Folders end with a slash."""
        below = path[len(self.base) :]
        if self.any_rule.search(below) is None:
            return None
        for expression, is_ignored in self.rules:
            if any(_is_of_itself(found, below) for found in expression.finditer(below)):
                return is_ignored
        return None


def _is_of_itself(found: re.Match[str], path: str) -> bool:
    """Whether a rule means the path, and not a folder above: those are asked about one by one, as git does."""
    if _SLASH in found.re.groupindex:
        return found.end(_SLASH) in (-1, len(path))
    # `a/**` means all that lies in `a`, and not `a`.
    return not found.re.pattern.endswith("/") or found.end() < len(path)


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
    rules: list[tuple[re.Pattern[str], bool]] = []
    for one in GitIgnoreSpec.from_lines(good).patterns:
        expression = getattr(one, "regex", None)
        # pathspec says "include" of what git ignores.
        if expression is not None and one.include is not None:
            rules.append((expression, one.include))
    if not rules:
        return None
    # Groups have names, which may occur once only in an expression.
    parts = (re.sub(r"[(][?]P<[^>]*>", "(?:", expression.pattern) for expression, _ in rules)
    combined = re.compile("|".join(f"(?:{part})" for part in parts))
    return _Level(folder, tuple(reversed(rules)), combined)


def _is_pattern(line: str) -> bool:
    from pathspec import GitIgnoreSpec

    try:
        GitIgnoreSpec.from_lines([line])
    except ValueError:
        return False
    return True
