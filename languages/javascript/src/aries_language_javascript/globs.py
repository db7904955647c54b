"""Patterns of folders and files in settings: `packages/*`, `src/**/*`."""

from __future__ import annotations

import re
from functools import lru_cache

__all__ = ["matches", "matches_any"]


def matches(pattern: str, path: str) -> bool:
    """Whether a path is one of those that a pattern names."""
    return matches_any((pattern,), path)


def matches_any(patterns: tuple[str, ...], path: str) -> bool:
    """Whether a path is one of those that some patterns name."""
    return bool(_compiled(patterns).fullmatch(path))


@lru_cache(1024)
def _compiled(patterns: tuple[str, ...]) -> re.Pattern[str]:
    # One expression for all: some projects list a hundred, and ask for each file.
    return re.compile("|".join(f"(?:{_expression(one)})" for one in patterns) or r"(?!)")


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
