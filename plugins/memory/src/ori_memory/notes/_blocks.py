"""The block structure of a note, as far as it decides what is code: quotes, lists, fences, indentation, paragraphs."""

from __future__ import annotations

import re

__all__ = ["BlockWalk"]

_QUOTE = -1
_MOST_CONTAINERS = 64
"""Deeper nesting is read as text; without a bound a line of a million `>` would cost a million times a million."""

# What a line must begin with for the patterns below; most lines begin with a letter or a bracket.
_CONTAINER_SIGNS = frozenset(">-+*0123456789")
_LEAF_SIGNS = frozenset("`~#-_*=<%$")
_BLOCK_SIGNS = _CONTAINER_SIGNS | _LEAF_SIGNS

_BLANKS = re.compile(r" *")
_QUOTE_MARK = re.compile(r" {0,3}> ?")
_ITEM_MARK = re.compile(r" {0,3}(?:[-+*]|\d{1,9}[.)])(?=( +|$))")
_DEEP_ITEM_MARK = re.compile(r" {4,}(?:[-+*]|\d{1,9}[.)])(?=( +))")
_RULE = re.compile(r" {0,3}([-*_])(?: *\1){2,} *$")
_FENCE = re.compile(r" {0,3}(?:(`{3,})[^`]*$|(~{3,}))")
_FENCE_END = re.compile(r" {0,3}(`{3,}|~{3,}) *$")
_HEADING = re.compile(r" {0,3}#{1,6}(?: |$)")
_UNDERLINE = re.compile(r" {0,3}(?:=+|-+) *$")
_RAW = re.compile(r" {0,3}(<!--|<%|%%|\$\$|<(?:pre|script|style|textarea)(?=[\s>]|$))", re.IGNORECASE)
_RAW_CLOSERS = {"<!--": "-->", "<%": "%>", "%%": "%%", "$$": "$$"}


class BlockWalk:
    """One walk over the lines of a flattened text from `start`; afterwards `code` and `segments` are filled.

    `code`: fences, indented code and raw blocks. `segments`: stretches of text that one inline element may span.
    """

    def __init__(self, text: str, start: int) -> None:
        self.code: list[tuple[int, int]] = []
        self.segments: list[tuple[int, int]] = []
        self._text, self._start = text, start
        self._stack: list[int] = []
        self._is_paragraph = False
        self._is_indented_code = False
        self._segment_start: int | None = None
        self._fence: tuple[str, int, int] | None = None
        self._fence_start = 0
        self._skip_to = start
        self._unclosed: set[str] = set()

    def run(self) -> None:
        """Walk."""
        offset = self._start
        for line in self._text[self._start :].split("\n"):
            end = offset + len(line)
            if end > self._skip_to or offset >= self._skip_to:
                self._take(line, offset, end)
            offset = end + 1
        self._end_segment(len(self._text))
        if self._fence is not None:
            self.code.append((self._fence_start, len(self._text)))

    def _take(self, line: str, offset: int, end: int) -> None:
        if offset < self._skip_to:
            self._begin_segment(self._skip_to)
            self._is_paragraph = True
            return
        if "\t" in line:
            line = line.expandtabs(4)
        if line.strip(" ") == "":
            self._take_blank(offset)
            return
        position, depth = self._match_containers(line)
        if self._fence is not None:
            if depth >= self._fence[2]:
                self._take_fenced(line, position, end)
                return
            self._close_fence(offset)
        self._take_block(line, position, depth, offset, end)

    def _take_blank(self, offset: int) -> None:
        if _QUOTE in self._stack:
            depth = self._stack.index(_QUOTE)
            if self._fence is not None and self._fence[2] > depth:
                self._close_fence(offset)
            if self._fence is None:
                del self._stack[depth:]
        if self._fence is None:
            self._end_segment(offset)
            self._is_paragraph = False

    def _match_containers(self, line: str) -> tuple[int, int]:
        position = depth = 0
        for width in self._stack:
            if width == _QUOTE:
                mark = _QUOTE_MARK.match(line, position)
                if mark is None:
                    break
                position = mark.end()
            elif line[position : position + width].strip(" "):
                break
            else:
                position += width
            depth += 1
        return position, depth

    def _take_fenced(self, line: str, position: int, end: int) -> None:
        assert self._fence is not None
        close = _FENCE_END.match(line, position)
        if close is not None and close.group(1)[0] == self._fence[0] and len(close.group(1)) >= self._fence[1]:
            self._close_fence(end)

    def _close_fence(self, end: int) -> None:
        self.code.append((self._fence_start, end))
        self._fence = None

    def _take_block(self, line: str, position: int, depth: int, offset: int, end: int) -> None:
        if depth < len(self._stack):
            if self._is_paragraph and not self._starts_block(line, position):
                return
            del self._stack[depth:]
            self._end_segment(offset)
            self._is_paragraph = False
        position = self._open_containers(line, position, offset)
        self._take_leaf(line, position, offset, end)

    def _starts_block(self, line: str, position: int) -> bool:
        return _first_sign(line, position) in _BLOCK_SIGNS and any(
            mark.match(line, position) is not None for mark in (_QUOTE_MARK, _ITEM_MARK, _FENCE, _HEADING, _RULE, _RAW)
        )

    def _open_containers(self, line: str, position: int, offset: int) -> int:
        while len(self._stack) < _MOST_CONTAINERS:
            sign = _first_sign(line, position)
            if sign not in _CONTAINER_SIGNS:
                break
            quote = _QUOTE_MARK.match(line, position) if sign == ">" else None
            if quote is not None:
                self._stack.append(_QUOTE)
                position = quote.end()
            else:
                item = _ITEM_MARK.match(line, position) or self._deep_item(line, position)
                if item is None or _RULE.match(line, position) is not None:
                    break
                blanks = len(item.group(1))
                # Five blanks and more are one blank and then indented code.
                width = item.end() - position + (blanks if 1 <= blanks <= 4 else 1)
                self._stack.append(width)
                position += width
            self._end_segment(offset)
            self._is_paragraph = self._is_indented_code = False
        return position

    def _deep_item(self, line: str, position: int) -> re.Match[str] | None:
        """An item indented like code with no code above it: an outline whose upper levels are headings or are missing.

        CommonMark calls it code; whoever writes `## Monday` and then a list indented by a tab means a list.
        """
        if self._is_paragraph or self._is_indented_code:
            return None
        return _DEEP_ITEM_MARK.match(line, position)

    def _take_leaf(self, line: str, position: int, offset: int, end: int) -> None:
        first = _first_place(line, position)
        if first >= len(line):
            return
        if first - position >= 4:
            if not self._is_paragraph:
                self.code.append((offset, end))
                self._is_indented_code = True
                return
        elif line[first] in _LEAF_SIGNS and self._takes_special_leaf(line, position, offset, end):
            self._is_indented_code = False
            return
        self._is_indented_code = False
        self._begin_segment(offset)
        self._is_paragraph = True
        if line[first] == "|":
            self._end_segment(end)

    def _takes_special_leaf(self, line: str, position: int, offset: int, end: int) -> bool:
        fence = _FENCE.match(line, position)
        if fence is not None:
            self._end_segment(offset)
            self._is_paragraph = False
            run = fence.group(1) or fence.group(2)
            self._fence = (run[0], len(run), len(self._stack))
            self._fence_start = offset
            return True
        if _HEADING.match(line, position) is not None or (_RULE.match(line, position) is not None):
            self._end_segment(offset)
            self._begin_segment(offset)
            self._end_segment(end)
            self._is_paragraph = False
            return True
        if self._is_paragraph and _UNDERLINE.match(line, position) is not None:
            self._end_segment(offset)
            self._is_paragraph = False
            return True
        return self._takes_raw(line, position, offset, end)

    def _takes_raw(self, line: str, position: int, offset: int, end: int) -> bool:
        raw = _RAW.match(line, position)
        if raw is None:
            return False
        sign = raw.group(1).lower()
        start = self._text.find(raw.group(1), offset, end)
        close = self._raw_close(sign, start + len(sign))
        if close is None or (sign in _RAW_CLOSERS and close <= end):
            return False
        self._end_segment(offset)
        self._is_paragraph = False
        self.code.append((start, close))
        self._skip_to = close
        if close < end:
            self._begin_segment(close)
            self._is_paragraph = True
        return True

    def _raw_close(self, sign: str, start: int) -> int | None:
        if sign in self._unclosed:
            return None
        closer = _RAW_CLOSERS.get(sign)
        if closer is not None:
            position = self._text.find(closer, start)
            if position >= 0:
                return position + len(closer)
        else:
            match = re.compile(f"</{sign[1:]}>", re.IGNORECASE).search(self._text, start)
            if match is not None:
                return match.end()
        self._unclosed.add(sign)
        return None

    def _begin_segment(self, offset: int) -> None:
        if self._segment_start is None:
            self._segment_start = offset

    def _end_segment(self, offset: int) -> None:
        if self._segment_start is not None:
            self.segments.append((self._segment_start, offset))
            self._segment_start = None


def _first_place(line: str, position: int) -> int:
    """Where the blanks from `position` end."""
    if line[position : position + 1] != " ":
        return position
    blanks = _BLANKS.match(line, position)
    assert blanks is not None
    return blanks.end()


def _first_sign(line: str, position: int) -> str:
    first = _first_place(line, position)
    return line[first : first + 1]
