"""The first line of a docstring."""

from __future__ import annotations

import re

__all__ = ["doc_at", "doc_of_file"]

_QUOTES = rb"[rRuU]?(\"\"\"|'''|\"|')"
_OPENING = re.compile(rb"\s*" + _QUOTES)
_OPENING_OF_FILE = re.compile(rb"(?:\s|#[^\n]*\n)*" + _QUOTES)
_LONGEST = 200


def doc_at(source: bytes, start: int, end: int) -> str:
    """Of the body that stands there; empty where it begins with something else."""
    if source[start : start + 1] not in b"\"'rRuU":
        return ""
    line = _first_line(source, _OPENING.match(source, start), end)
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"


def doc_of_file(source: bytes) -> str:
    """Of the module."""
    return _first_line(source, _OPENING_OF_FILE.match(source), len(source))[:_LONGEST]


def _first_line(source: bytes, opening: re.Match[bytes] | None, end: int) -> str:
    close = source.find(opening[1], opening.end(), end) if opening is not None else -1
    if opening is None or close < 0:
        return ""
    inside = source[opening.end() : close].lstrip()
    # Docstrings are long: only their first line is decoded, unless that is blank in a way that bytes do not show.
    first = inside.split(b"\n", 1)[0].decode("utf-8", "replace").strip()
    lines = (first or inside.decode("utf-8", "replace").strip()).splitlines()
    return lines[0].strip() if lines else ""
