"""Lines of a text, whatever its line ends, without moving any offset."""

from __future__ import annotations

from bisect import bisect_right

__all__ = ["LineCounter", "flatten", "normalise"]


def flatten(text: str) -> str:
    """The same text with every line end as one LF and every offset where it was: CR LF becomes space LF."""
    if "\r" not in text:
        return text
    return text.replace("\r\n", " \n").replace("\r", "\n")


def normalise(text: str) -> str:
    """The text with LF as its only line end; offsets change."""
    if "\r" not in text:
        return text
    return text.replace("\r\n", "\n").replace("\r", "\n")


class LineCounter:
    """Line numbers (1-based) of offsets in a flattened text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._place, self._line = 0, 1
        self._starts: list[int] | None = None

    def line_of(self, offset: int) -> int:
        if offset >= self._place:
            # Nearly always the next one further on.
            self._line += self._text.count("\n", self._place, offset)
            self._place = offset
            return self._line
        if self._starts is None:
            self._starts = _line_starts(self._text)
        return bisect_right(self._starts, offset)


def _line_starts(text: str) -> list[int]:
    starts = [0]
    position = text.find("\n")
    while position >= 0:
        starts.append(position + 1)
        position = text.find("\n", position + 1)
    return starts
