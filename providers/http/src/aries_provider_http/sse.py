"""Server-sent events out of bytes that arrive in pieces of any size."""

from __future__ import annotations

import re

from attrs import frozen

from aries_kernel.errors import StreamCut

__all__ = ["Comment", "Event", "EventReader"]

_LINE_END = re.compile(rb"\r\n|\n|\r")
_BOM = b"\xef\xbb\xbf"
_NEWLINE = 10


@frozen
class Event:
    """One event. `kind` is empty where the server named none."""

    data: str
    kind: str = ""
    is_damaged: bool = False
    """Some of its bytes were no UTF-8; U+FFFD stands for them."""


@frozen
class Comment:
    """A line the server sent to keep the connection open."""

    text: str


class EventReader:
    """Gives the same events however the bytes are cut; the work grows with the bytes, not with the pieces."""

    def __init__(self, max_bytes: int = 16 * 1024 * 1024) -> None:
        self._max_bytes = max_bytes
        self._line: list[bytes] = []
        self._data: list[bytes] = []
        self._kind = b""
        self._line_size = self._data_size = 0
        self._is_first_line = True
        self._skips_newline = False

    def feed(self, chunk: bytes) -> list[Event | Comment]:
        """Take bytes and give what they complete.

        Raises: StreamCut for an event larger than `max_bytes`.
        """
        if self._skips_newline and chunk:
            self._skips_newline = False
            if chunk[0] == _NEWLINE:
                chunk = chunk[1:]
        found: list[Event | Comment] = []
        start = 0
        for match in _LINE_END.finditer(chunk):
            self._extend_line(chunk[start : match.start()])
            found += self._end_line()
            start = match.end()
        self._extend_line(chunk[start:])
        # A lone \r ends its line at once: waiting for a \n would hold back the event of a server that writes \r only.
        self._skips_newline = self._skips_newline or chunk.endswith(b"\r")
        return found

    def end(self) -> list[Event | Comment]:
        """The stream is over: give the last event although its blank line is missing."""
        found = self._end_line() if self._line else []
        return found + self._dispatch()

    def _extend_line(self, piece: bytes) -> None:
        if not piece:
            return
        self._line.append(piece)
        self._line_size += len(piece)
        if self._line_size + self._data_size > self._max_bytes:
            raise StreamCut(f"The server sent one event of more than {self._max_bytes // 1024} KiB; it was given up.")

    def _end_line(self) -> list[Event | Comment]:
        line, self._line, self._line_size = b"".join(self._line), [], 0
        if self._is_first_line:
            self._is_first_line = False
            line = line.removeprefix(_BOM)
        if not line:
            return self._dispatch()
        if line.startswith(b":"):
            return [Comment(_decode(line[1:]).strip())]
        name, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        if name == b"data":
            self._data.append(value)
            self._data_size += len(value) + 1
        elif name == b"event":
            self._kind = value
        return []

    def _dispatch(self) -> list[Event | Comment]:
        data, kind = self._data, self._kind
        self._data, self._kind, self._data_size = [], b"", 0
        return [_event(b"\n".join(data), kind)] if data else []


def _event(data: bytes, kind: bytes) -> Event:
    try:
        return Event(data.decode("utf-8"), _decode(kind))
    except UnicodeDecodeError:
        return Event(_decode(data), _decode(kind), is_damaged=True)


def _decode(raw: bytes) -> str:
    return raw.decode("utf-8", errors="replace")
