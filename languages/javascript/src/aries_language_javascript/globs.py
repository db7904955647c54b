"""Patterns of folders and files in settings: `packages/*`, `src/**/*`."""

from __future__ import annotations

import re
from functools import lru_cache

__all__ = ["matches", "matches_any"]

_SIGNS = re.compile(r"[*?{]")


def matches(pattern: str, path: str) -> bool:
    """Whether a path is one of those that a pattern names."""
    return matches_any((pattern,), path)


def matches_any(patterns: tuple[str, ...], path: str) -> bool:
    """Whether a path is one of those that some patterns name."""
    literal, below, further = _sorted(patterns)
    if path in literal or path.startswith(below):
        return True
    return bool(further) and _compiled(further).fullmatch(path) is not None


@lru_cache(1024)
def _sorted(patterns: tuple[str, ...]) -> tuple[frozenset[str], tuple[str, ...], tuple[str, ...]]:
    """Those without a sign, the folders with all that is below them, and those that need an expression.

    Nearly all are of the first two kinds, and an expression costs more to make than a thousand questions.
    """
    literal, below, further = [], [], []
    for pattern in patterns:
        folder = pattern.removesuffix("**/*") if pattern.endswith("**/*") else pattern.removesuffix("**")
        if not _SIGNS.search(pattern):
            literal.append(pattern)
        elif folder != pattern and (not folder or folder.endswith("/")) and not _SIGNS.search(folder):
            below.append(folder)
        else:
            further.append(pattern)
    return frozenset(literal), tuple(below), tuple(further)


@lru_cache(1024)
def _compiled(patterns: tuple[str, ...]) -> re.Pattern[str]:
    # One expression for all: some projects list a hundred, and ask for each file.
    return re.compile("|".join(f"(?:{_expression(one)})" for one in patterns))


def _expression(pattern: str) -> str:
    parts = []
    place = 0
    while place < len(pattern):
        if pattern.startswith("**/", place):
            parts.append("(?:[^/]+/)*")
            place += 3
        elif pattern.startswith("**", place):
            parts.append(".*")
            place += 2
        elif pattern[place] == "{" and (end := pattern.find("}", place)) > 0:
            choices = pattern[place + 1 : end].split(",")
            parts.append("(?:" + "|".join(map(re.escape, choices)) + ")")
            place = end + 1
        else:
            parts.append({"*": "[^/]*", "?": "[^/]"}.get(pattern[place]) or re.escape(pattern[place]))
            place += 1
    return "".join(parts)
