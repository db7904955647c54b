"""What stands at a definition for people: its head in one line, and the first line of its documentation."""

from __future__ import annotations

import re
from collections.abc import Iterable

__all__ = ["documentation", "file_documentation", "head"]

_LONGEST_HEAD = 240
_LONGEST_DOC = 200
_GAP = 100
_LONGEST_COMMENT = 4000
_MOST_LINES = 100
_TAG = re.compile(r"@(?:description|desc|summary|fileoverview|file|overview|module|packageDocumentation)\b[ \t]*(.*)")
_NOT_FOR_PEOPLE = re.compile(
    r"(?:<reference|<amd|eslint|jshint|jslint|globals?\b|@ts-|ts-|prettier|istanbul|c8\b|v8\b|biome|tslint|#(?:end)?region|#__|"
    r"sourceMappingURL|@flow|@format|webpack|@vite|@__|TODO|FIXME|-{3}|={3})",
    re.IGNORECASE,
)
_LICENSE = re.compile(r"copyright|licen[cs]e|all rights reserved|\(c\)", re.IGNORECASE)
_ABOUT_FILE = re.compile(r"@(?:fileoverview|file|overview|module|packageDocumentation)\b")
_FIRST = re.compile(
    rb"\s*+(?:#![^\n]*\n\s*+)?(?:(?:'use strict'|\"use strict\");?\s*+)?(/\*.*?\*/|(?://[^\n]*\n?[ \t]*)+)", re.DOTALL
)


def head(source: bytes, start: int, end: int) -> str:
    """The text between two places in one line, without the bracket that opens the body."""
    text = " ".join(source[start : min(end, start + 4 * _LONGEST_HEAD)].decode("utf-8", "replace").split())
    text = text.rstrip("{ ").removesuffix("=>").rstrip(" ;,")
    return text if len(text) <= _LONGEST_HEAD else text[: _LONGEST_HEAD - 1].rstrip() + "…"


def documentation(source: bytes, start: int) -> str:
    """The first line of the comment that stands right before a place; empty where none does."""
    window = source[max(0, start - _GAP) : start]
    text = window.rstrip()
    place = start - len(window) + len(text)
    gap = window.count(b"\n", len(text))
    if text.endswith(b"*/"):
        begin = source.rfind(b"/*", 0, place)
        if begin < 0 or (gap > 1 and not source.startswith(b"/**", begin)):
            return ""
        return _first_line(_block(source[begin : min(place, begin + _LONGEST_COMMENT)]))
    line = source[source.rfind(b"\n", 0, place) + 1 : place] if gap < 2 else b""
    if not line.lstrip().startswith(b"//"):
        return ""
    lines: list[str] = []
    while line.lstrip().startswith(b"//") and len(lines) < _MOST_LINES:
        lines.append(line.strip().lstrip(b"/").strip().decode("utf-8", "replace"))
        place -= len(line) + 1
        line = source[source.rfind(b"\n", 0, max(place, 0)) + 1 : place] if place > 0 else b""
    return _first_line(reversed(lines))


def file_documentation(source: bytes, first: int) -> str:
    """The first line of the comment that a file begins with, unless it is that of its first definition, at `first`."""
    found = _FIRST.match(source)
    if not found:
        return ""
    comment = found[1]
    lines = _block(comment) if comment.startswith(b"/*") else _slashes(comment)
    between = source[found.end(1) : first]
    is_of_file = any(_ABOUT_FILE.match(line) for line in lines)
    if not is_of_file and first >= 0 and not between.strip() and between.count(b"\n") < 2:
        return ""
    return _first_line(lines)


def _block(comment: bytes) -> list[str]:
    text = comment.decode("utf-8", "replace").strip().removeprefix("/*").removesuffix("*/")
    return [line.strip().lstrip("*!").strip() for line in text.split("\n")]


def _slashes(comment: bytes) -> list[str]:
    return [line.strip().lstrip("/").strip() for line in comment.decode("utf-8", "replace").split("\n")]


def _first_line(lines: Iterable[str]) -> str:
    for line in lines:
        tagged = _TAG.match(line)
        text = tagged[1] if tagged else line
        if text.startswith("@") and not _NOT_FOR_PEOPLE.match(text):
            return ""
        if text and not _NOT_FOR_PEOPLE.match(text) and not _LICENSE.search(text) and any(map(str.isalnum, text)):
            return text if len(text) <= _LONGEST_DOC else text[: _LONGEST_DOC - 1] + "…"
    return ""
