"""A file as bytes and lines: where a byte stands, heads of definitions in one line, comments above them."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate
from operator import add

__all__ = ["Text", "plain"]

_SPACE = re.compile(r"\s+")
_INNER = re.compile(r"(?<=[(\[<]) | (?=[)\],;])")
_UNTIDY = re.compile(r"[^\S ]|  |[(\[<] | [)\],;]").search
_MARKER = re.compile(r"^\s*(?://[/!]?|/\*+!?|\*+(?!/)|#(?!\w))?<?\s*")
_LETTER = re.compile(r"[^\W_]")
_DIRECTIVE = re.compile(r"(?:go:|nolint|export |\+build|clang-format|NOLINT|eslint|@formatter|-\*-)")
_LONGEST_HEAD = 300
_LONGEST_DOC = 200
_MOST_COMMENT_LINES = 200


class Text:
    """The source of one file."""

    def __init__(self, source: bytes) -> None:
        self.source = source
        self.lines = source.split(b"\n")
        ends = accumulate(map(len, self.lines))
        self.starts = [0, *map(add, ends, range(1, len(self.lines)))]
        """The first bytes of the lines."""

    def line(self, place: int) -> int:
        """The line of a byte, from 1."""
        return bisect_right(self.starts, place)

    def head(self, start: int, end: int) -> str:
        """What stands there in one line, without comments, cut where nobody would read on."""
        return plain(self.source[start : min(end, start + 4 * _LONGEST_HEAD)])

    def doc_above(self, line: int, attribute: bytes = b"") -> str:
        """The first line of the comment that ends right above this line, markers removed; empty where there is none.

        Lines that begin with `attribute` may stand between.
        """
        above = line - 2
        while attribute and above >= 0 and self.lines[above].lstrip().startswith(attribute):
            above -= 1
        if above < 0:
            return ""
        first = self._comment_start(above)
        return self.comment(first, above) if first <= above else ""

    def comment(self, first: int, last: int) -> str:
        """The first line with words of the comment between these places of `lines`."""
        for place in range(first, last + 1):
            words = _MARKER.sub("", self.lines[place].decode("utf-8", "replace"), count=1)
            words = words.rstrip().removesuffix("*/").strip()
            if _LETTER.search(words) and not _DIRECTIVE.match(words):
                return words[:_LONGEST_DOC]
        return ""

    def _comment_start(self, last: int) -> int:
        """The place of the first line of the comment that ends at `last`; after it where none ends there."""
        line, stop = self.lines[last].strip(), max(-1, last - _MOST_COMMENT_LINES)
        if line.startswith(b"//"):
            first = last
            while first - 1 > stop and self.lines[first - 1].lstrip().startswith(b"//"):
                first -= 1
            return first
        if line.endswith(b"*/"):
            for first in range(last, stop, -1):
                opening = self.lines[first].lstrip()
                if b"/*" in opening:
                    return first if opening.startswith(b"/*") else last + 1
        return last + 1


def plain(head: bytes) -> str:
    """Code in one line: comments gone, each run of blanks one blank."""
    text = head.decode("utf-8", "replace")
    if "//" in text or "/*" in text:
        text = re.sub(r"/\*.*?\*/|(?<!:)//[^\n]*", " ", text, flags=re.DOTALL)
    if _UNTIDY(text):
        text = _INNER.sub("", _SPACE.sub(" ", text))
    text = text.strip()
    return text if len(text) <= _LONGEST_HEAD else text[: _LONGEST_HEAD - 1] + "…"
