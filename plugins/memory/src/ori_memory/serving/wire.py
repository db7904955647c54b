"""Standard input and output as lines of JSON that nothing else can touch."""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Iterator
from typing import Any

from attrs import define, field

__all__ = ["LONGEST", "Wire", "claim_standard_streams"]

LONGEST = 32 << 20
"""Bytes of a line; a longer one is no question anybody asks."""
_CHUNK = 1 << 16


@define(eq=False)
class Wire:
    """A connection by two file descriptors. Lines may be written from several threads."""

    incoming: int
    outgoing: int
    is_broken: bool = field(default=False, init=False)
    """Nobody reads any more."""
    _lock: threading.Lock = field(factory=threading.Lock, init=False)

    def send(self, message: dict[str, Any]) -> None:
        """Write one message."""
        self.send_text(json.dumps(message, ensure_ascii=False, separators=(",", ":")))

    def send_text(self, text: str) -> None:
        """Write one line; where nobody reads any more, nothing happens."""
        data = memoryview(text.encode("utf-8", "replace") + b"\n")
        with self._lock:
            while data and not self.is_broken:
                try:
                    data = data[os.write(self.outgoing, data) :]
                except OSError:
                    self.is_broken = True

    def lines(self) -> Iterator[bytes | None]:
        """Each line as it comes, until the input ends; None for one that is longer than allowed."""
        parts: list[bytes] = []
        size = 0
        while chunk := self._read():
            first, *others = chunk.split(b"\n")
            parts.append(first)
            size += len(first)
            for part in others:
                yield b"".join(parts) if size <= LONGEST else None
                parts, size = [part], len(part)
            if size > LONGEST:
                parts = []
        if size:
            yield b"".join(parts) if size <= LONGEST else None

    def _read(self) -> bytes:
        try:
            return os.read(self.incoming, _CHUNK)
        except OSError:
            return b""


def claim_standard_streams() -> Wire:
    """Keep standard input and output for the protocol alone.

    Whatever else writes to standard output, also a library in C or a child process, reaches standard error; whoever
    reads standard input finds it empty.
    """
    incoming, outgoing = os.dup(0), os.dup(1)
    if sys.platform == "win32":
        import msvcrt

        msvcrt.setmode(incoming, os.O_BINARY)
        msvcrt.setmode(outgoing, os.O_BINARY)
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    try:
        os.dup2(2, 1)
    except OSError:  # Started without a standard error.
        os.dup2(nowhere, 1)
    os.close(nowhere)
    return Wire(incoming, outgoing)
