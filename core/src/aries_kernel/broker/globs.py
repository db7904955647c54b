"""Path patterns of rules: gitignore-like, relative to the workspace, absolute, or under the home folder."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterator
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path, PurePath

__all__ = ["PathPattern"]

_WILD = re.compile(r"[*?\[]")


class PathPattern:
    """One pattern. What names a folder covers everything below it.

    Without an inner slash it fits at any depth of the workspace (`*.md`), with one it starts at the root (`docs/**`);
    a leading slash, drive or `~` makes it absolute.
    """

    def __init__(self, text: str) -> None:
        expanded = str(Path(text).expanduser()) if text == "~" or text.startswith(("~/", "~\\")) else text
        slashed = expanded.replace("\\", "/") if os.name == "nt" else expanded
        self._is_absolute = slashed.startswith("/") or PurePath(expanded).is_absolute()
        self._segments = tuple(part for part in slashed.split("/") if part not in ("", "."))
        self._floats = not self._is_absolute and "/" not in slashed.rstrip("/")

    def covers(self, path: Path, root: Path) -> bool:
        """Whether an absolute `path` is meant, to the letter: how an allow rule reads it."""
        return any(_fits(segments, _segments(path)) for segments in self._placed(root))

    def touches(self, path: Path, root: Path) -> bool:
        """Whether `path` may be meant: how a deny rule reads it, blind to case, a floating pattern fits anywhere."""
        parts = _folded(_segments(path))
        placed = self._placed(root)
        if self._floats:
            placed = (*placed, ("**", *self._segments))
        return any(_fits(_folded(segments), parts) for segments in placed)

    def reaches_into(self, folder: Path, root: Path) -> bool:
        """Whether something that exists below the tree `folder` may be meant."""
        parts = _folded(_segments(folder))
        placed = self._placed(root)
        if self._floats:
            placed = (*placed, ("**", *self._segments))
        for segments in placed:
            for position in _reached(_folded(segments), parts):
                wanted = segments[position:]
                if wanted and folder.joinpath(*_literal_start(wanted)).exists():
                    return True
        return False

    def names(self, part: str) -> bool:
        """Whether the pattern spells out `part`, so that whoever wrote it meant that very place."""
        return any(segment.casefold() == part.casefold() for segment in self._segments)

    def _placed(self, root: Path) -> tuple[tuple[str, ...], ...]:
        if self._is_absolute:
            segments = self._segments
        elif self._floats:
            segments = (*_segments_escaped(root), "**", *self._segments)
        else:
            segments = (*_segments_escaped(root), *self._segments)
        resolved = _resolve_start(segments)
        return (segments,) if resolved == segments else (segments, resolved)


def _segments(path: Path) -> tuple[str, ...]:
    return tuple(part for part in path.as_posix().split("/") if part)


def _segments_escaped(path: Path) -> tuple[str, ...]:
    return tuple(_WILD.sub(r"[\g<0>]", part) for part in _segments(path))


def _literal_start(segments: tuple[str, ...]) -> tuple[str, ...]:
    found: list[str] = []
    for segment in segments:
        plain = re.sub(r"\[([*?\[])\]", r"\1", segment)
        if _WILD.search(re.sub(r"\[([*?\[])\]", "", segment)):
            break
        found.append(plain)
    return tuple(found)


def _resolve_start(segments: tuple[str, ...]) -> tuple[str, ...]:
    literal = _literal_start(segments)
    if os.name == "nt" or not literal:
        return segments
    real = Path(os.path.realpath(Path("/", *literal)))
    return (*_segments_escaped(real), *segments[len(literal) :])


def _folded(segments: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(unicodedata.normalize("NFC", segment).casefold() for segment in segments)


@lru_cache(maxsize=4096)
def _fits(pattern: tuple[str, ...], parts: tuple[str, ...]) -> bool:
    """Whether the path or a folder above it fits; a last `**` wants at least one more part."""
    wanted = (*pattern, "*") if pattern and pattern[-1] == "**" else pattern
    return any(len(wanted) in reached for reached in _walk(wanted, parts))


def _reached(pattern: tuple[str, ...], parts: tuple[str, ...]) -> set[int]:
    """The positions in `pattern` that may come next once `parts` are consumed."""
    *_, last = _walk(pattern, parts)
    return last


def _walk(pattern: tuple[str, ...], parts: tuple[str, ...]) -> Iterator[set[int]]:
    reached = _past_stars({0}, pattern)
    yield reached
    for part in parts:
        following = set()
        for position in reached:
            if position < len(pattern) and pattern[position] == "**":
                following.add(position)
            elif position < len(pattern) and fnmatchcase(part, pattern[position]):
                following.add(position + 1)
        reached = _past_stars(following, pattern)
        yield reached


def _past_stars(positions: set[int], pattern: tuple[str, ...]) -> set[int]:
    found = set(positions)
    for start in positions:
        position = start
        while position < len(pattern) and pattern[position] == "**":
            position += 1
            found.add(position)
    return found
