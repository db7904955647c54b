"""What user code printed, kept within bounds: the beginning, the end, and how much there was."""

from __future__ import annotations

import threading

from attrs import frozen

__all__ = ["OutputTail", "Printed"]

_ROOM = 128 * 1024


@frozen
class Printed:
    """Output of one execution; `text` has a line in its middle where something was left out."""

    text: str
    size: int
    """Bytes printed in all."""
    is_cut: bool = False
    """Whether some of it is gone."""


class OutputTail:
    """Takes bytes from one thread and gives them to another, up to a marker that ends an execution's output."""

    def __init__(self, room: int = _ROOM) -> None:
        self._half = max(room // 2, 1)
        self._changed = threading.Condition()
        self._head, self._tail, self._size = bytearray(), bytearray(), 0
        self._pending = b""
        self._marker = b""
        self._is_marked = self._is_ended = False

    def expect(self, marker: bytes) -> None:
        """From now on `marker` ends the output; what was there before it stays."""
        with self._changed:
            self._marker, self._is_marked = marker, False

    def add(self, data: bytes) -> None:
        """Take bytes; empty ones mean the end of the stream."""
        with self._changed:
            if not data:
                self._is_ended = True
            data = self._pending + data
            self._pending = b""
            marker = self._marker
            if marker and not self._is_marked:
                found = data.find(marker)
                if found >= 0:
                    self._keep(data[:found])
                    data, self._is_marked = data[found + len(marker) :], True
                elif not self._is_ended:
                    held = _overlap(data, marker)
                    data, self._pending = data[: len(data) - held], data[len(data) - held :]
            # What comes after the marker was printed by a thread or a child between two executions.
            self._keep(data)
            if self._is_marked or self._is_ended:
                self._changed.notify_all()

    def take(self, seconds: float) -> Printed:
        """Wait for the marker or the end, at most so long; give what is there and forget it."""
        with self._changed:
            self._changed.wait_for(lambda: self._is_marked or self._is_ended, seconds)
            printed = self._printed()
            self._head, self._tail, self._size = bytearray(), bytearray(), 0
            return printed

    def _keep(self, data: bytes) -> None:
        self._size += len(data)
        room = self._half - len(self._head)
        if room > 0:
            self._head += data[:room]
            data = data[room:]
        self._tail += data[-self._half :]
        del self._tail[: -self._half]

    def _printed(self) -> Printed:
        left_out = self._size - len(self._head) - len(self._tail)
        head, tail = self._head.decode("utf-8", "replace"), self._tail.decode("utf-8", "replace")
        if left_out <= 0:
            return Printed((self._head + self._tail).decode("utf-8", "replace"), self._size)
        return Printed(f"{head}\n[{left_out:,} bytes left out here]\n{tail}", self._size, is_cut=True)


def _overlap(data: bytes, marker: bytes) -> int:
    """How many bytes at the end of `data` may be the beginning of `marker`."""
    for length in range(min(len(marker) - 1, len(data)), 0, -1):
        if data.endswith(marker[:length]):
            return length
    return 0
