"""What a command prints, kept in bounded memory: the first and the last of it, and a file with all of it."""

from __future__ import annotations

import os
from collections import deque
from pathlib import Path

__all__ = ["Capture"]

_MOST_ON_DISK = 64 * 1024 * 1024


class Capture:
    """Takes bytes as they arrive. The file is made when they no longer fit an answer, and closed by `close`."""

    def __init__(self, file: Path, room: int) -> None:
        self.file, self._room = file, room
        self.size = 0
        self.lines = 0
        self.head = bytearray()
        self._tail: deque[bytes] = deque()
        self._tail_size = 0
        self._descriptor: int | None = None
        self._on_disk = 0

    @property
    def is_spilled(self) -> bool:
        """Whether there is more than `head` holds."""
        return self.size > len(self.head)

    @property
    def is_file_whole(self) -> bool:
        """Whether the file has everything; it is cut at a size no one reads."""
        return self._on_disk == self.size

    @property
    def tail(self) -> bytes:
        """The last bytes, as many as `room`, or all there is."""
        return b"".join(self._tail)[-self._room :]

    def add(self, data: bytes) -> None:
        """Take what arrived. Raises: OSError where the file cannot be written."""
        self.size += len(data)
        self.lines += data.count(b"\n")
        first = data[: self._room - len(self.head)]
        if len(first) < len(data):
            self._open()
        self.head += first
        if self._descriptor is not None:
            self._write(data)
        self._tail.append(data)
        self._tail_size += len(data)
        while self._tail_size - len(self._tail[0]) >= self._room:
            self._tail_size -= len(self._tail.popleft())

    def keep(self) -> Path:
        """Write the file now, for output that is short but has too many lines."""
        self._open()
        return self.file

    def close(self) -> None:
        """Close the file; more than once is fine."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = -1

    def _open(self) -> None:
        if self._descriptor is None:
            self.file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
            self._descriptor = os.open(self.file, flags, 0o600)
            self._write(bytes(self.head))

    def _write(self, data: bytes) -> None:
        view = memoryview(data)[: max(_MOST_ON_DISK - self._on_disk, 0)]
        while view and self._descriptor is not None:
            written = os.write(self._descriptor, view)
            self._on_disk += written
            view = view[written:]
