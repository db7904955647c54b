"""Replacing text in a document so that every byte that was not named stays."""

from __future__ import annotations

import difflib
from bisect import bisect_right
from collections.abc import Callable

from aries_tool_files._documents import Document, encode

__all__ = ["find_all", "splice", "to_view"]

_ALIGNED = 4_000_000
"""Product of line counts up to which old and new lines are aligned; beyond, they are paired in order."""


def to_view(text: str) -> str:
    """`text` with LF for every line end, as documents are matched."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def find_all(view: str, old: str, *, overlapping: bool) -> list[int]:
    """Where `old` is in `view`."""
    found: list[int] = []
    place = view.find(old)
    while place >= 0:
        found.append(place)
        place = view.find(old, place + (1 if overlapping else len(old)))
    return found


def splice(document: Document, places: list[int], old: str, new: str, to_bytes: Callable[[str, str], bytes]) -> bytes:
    """The file with `new` in place of `old` at `places` of its view.

    Lines of `new` that are also in `old` keep their bytes and line ends; others take the line end of their neighbours.
    `to_bytes(text, codec)` encodes new text, and may refuse. An empty `old` fits only an empty document.
    """
    return _Splicer(document, old.split("\n"), new.split("\n"), to_bytes).run(places, len(old))


class _Splicer:
    def __init__(
        self, document: Document, old: list[str], new: list[str], to_bytes: Callable[[str, str], bytes]
    ) -> None:
        self._document, self._new, self._to_bytes = document, new, to_bytes
        self._partners = _pair(old, new)
        self._starts = document.starts()
        self._out: list[bytes] = [document.bom]
        self._line = self._column = 0

    def run(self, places: list[int], length: int) -> bytes:
        for place in places:
            self._copy_to(*self._position(place))
            self._put(*self._position(place + length))
        last = len(self._document.texts) - 1
        self._copy_to(last, len(self._document.texts[last]))
        return b"".join(self._out)

    def _position(self, place: int) -> tuple[int, int]:
        line = bisect_right(self._starts, place) - 1
        return line, place - self._starts[line]

    def _copy_to(self, line: int, column: int) -> None:
        document = self._document
        if line > self._line:
            rest = document.texts[self._line][self._column :] + document.ends[self._line]
            self._out.append(encode(rest, document.codecs[self._line]))
            self._out.append(document.lines_as_bytes(self._line + 1, line))
            self._line, self._column = line, 0
        self._out.append(encode(document.texts[line][self._column : column], document.codecs[line]))
        self._column = column

    def _put(self, last: int, column: int) -> None:
        """Write the new text for what lies between here and `last`, `column`, and go on behind it."""
        document, first = self._document, self._line
        end = document.ends[last] or (document.ends[first - 1] if first else "") or "\n"
        for index, text in enumerate(self._new):
            partner = self._partners[index]
            line = first if partner is None else first + partner
            self._out.append(self._to_bytes(text, document.codecs[line]))
            if index < len(self._new) - 1:
                if partner is not None and line < last:
                    end = document.ends[line]
                self._out.append(encode(end, document.codecs[line]))
        self._line, self._column = last, column


def _pair(old: list[str], new: list[str]) -> list[int | None]:
    """For each new line, the old line whose place it takes; None for lines that are added."""
    if len(old) * len(new) > _ALIGNED:
        return [index if index < len(old) else None for index in range(len(new))]
    partners: list[int | None] = [None] * len(new)
    for kind, i1, i2, j1, j2 in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind in ("equal", "replace"):
            for offset in range(min(i2 - i1, j2 - j1)):
                partners[j1 + offset] = i1 + offset
    return partners
