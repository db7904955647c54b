"""Some lines out of a file of any size, in memory that does not grow with it."""

from __future__ import annotations

import codecs
import threading
from io import RawIOBase

from aries_kernel.errors import ToolFailed
from aries_kernel.tools.output import escape_controls
from aries_tool_files._documents import LINE_END, decode_line

__all__ = ["Window", "read_window"]

_CHUNK = 1 << 20
_LONGEST = 2_000
"""Characters of a line that are shown."""
_NOTE_ROOM = 400
_COUNTED = 256 << 20
"""Bytes after which lines are no longer counted once the window is full."""


class Window:
    """Lines `first` and following as far as they fit, and what is to be said about them."""

    def __init__(self, first: int, limit: int, room: int, is_wide: bool) -> None:
        self.lines: list[str] = []
        self.odd: list[int] = []
        self.cut: list[int] = []
        self.escaped: list[int] = []
        self.is_whole = True
        """False: the file goes on beyond the lines that were counted."""
        self._first, self._limit, self._is_wide = first, limit, is_wide
        self._room = room - _NOTE_ROOM
        self._longest = max(min(_LONGEST, self._room // 8), 20)
        self._ended = 0
        self._start = ""
        self._length = 0
        self._is_full = False

    @property
    def total(self) -> int:
        """Lines seen; a last one without a line end counts."""
        return self._ended + bool(self._length)

    @property
    def is_full(self) -> bool:
        return self._is_full

    def feed(self, text: str) -> None:
        """Take the next piece; a CRLF must not be divided between two."""
        ends = text.count("\n") + text.count("\r") - text.count("\r\n")
        if self._is_full or self._ended + 1 + ends < self._first:
            self._ended += ends
            self._length = self._length + len(text) if not ends else int(not text.endswith(("\n", "\r")))
            return
        parts = LINE_END.split(text)
        for part in parts[:-1]:
            self._grow(part)
            self._end_line()
        self._grow(parts[-1])

    def finish(self) -> None:
        """The file ended."""
        if self._length and self._ended + 1 >= self._first:
            self._keep(self._ended + 1)

    def _grow(self, part: str) -> None:
        room = 4 * self._longest + 4 - len(self._start)  # Four bytes a character, while they are bytes.
        self._start += part[: max(room, 0)]
        self._length += len(part)

    def _end_line(self) -> None:
        self._ended += 1
        if self._ended >= self._first:
            self._keep(self._ended)
        self._start, self._length = "", 0

    def _keep(self, number: int) -> None:
        if self._is_full:
            return
        text, is_odd, is_cut = self._shown()
        shown = escape_controls(text)
        size = len(shown.encode()) + len(str(number)) + 2
        if len(self.lines) >= self._limit or (self.lines and size > self._room):
            self._is_full = True
            return
        self._room -= size
        self.lines.append(shown)
        for numbers, applies in ((self.odd, is_odd), (self.cut, is_cut), (self.escaped, shown != text)):
            if applies:
                numbers.append(number)

    def _shown(self) -> tuple[str, bool, bool]:
        if self._is_wide:
            text, codec = self._start, "utf-8"
        else:
            text, codec = _decode_start(self._start.encode("latin-1"), len(self._start) < self._length)
        is_cut = len(text) > self._longest or len(self._start) < self._length
        if is_cut:
            unit = "characters" if self._is_wide else "bytes"
            text = f"{text[: self._longest]}… [line of {self._length:,} {unit}]"
        return text, codec == "latin-1", is_cut


def _decode_start(data: bytes, is_cut: bool) -> tuple[str, str]:
    if is_cut:  # The cut may lie within a character.
        decoder = codecs.getincrementaldecoder("utf-8")()
        try:
            return decoder.decode(data), "utf-8"
        except UnicodeDecodeError:
            return data.decode("latin-1"), "latin-1"
    return decode_line(data)


def read_window(
    file: RawIOBase, mark: tuple[bytes, str | None], first: int, limit: int, room: int, stop: threading.Event
) -> Window:
    """Read lines from `first` on; bytes of 8-bit files travel as Latin-1 until a line is shown.

    Raises: ToolFailed when the call was cancelled meanwhile.
    """
    bom, codec = mark
    is_wide = codec not in (None, "utf-8")
    window = Window(first, limit, room, is_wide)
    decoder = codecs.getincrementaldecoder(codec if is_wide and codec else "latin-1")("replace")
    file.seek(len(bom))
    held, seen = "", 0
    while chunk := file.read(_CHUNK):
        if stop.is_set():
            raise ToolFailed("The call was cancelled.")
        text = held + decoder.decode(chunk)
        held = "\r" if text.endswith("\r") else ""
        window.feed(text[: len(text) - len(held)])
        seen += len(chunk)
        if window.is_full and seen > _COUNTED:
            window.is_whole = False
            return window
    window.feed(held + decoder.decode(b"", True))
    window.finish()
    return window
