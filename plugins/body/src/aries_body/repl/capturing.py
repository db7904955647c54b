"""Where user code prints to: standard output and error are one pipe to the host, back in place for each execution."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import TextIO

__all__ = ["Capturing"]


class Capturing:
    """Owns the writing end of the output pipe, which is standard error at the start of the process."""

    def __init__(self) -> None:
        self._pipe = _copy(2)
        self._streams: tuple[TextIO, TextIO] | None = None

    def begin(self) -> None:
        """Put the descriptors and the streams in place, whatever the last execution did to them."""
        for standard in (1, 2):
            os.dup2(self._pipe, standard)
        self._streams = (_stream(1), _stream(2))
        sys.stdout, sys.stderr = self._streams

    def flush(self) -> None:
        """Write what is still held back."""
        for stream in (*(self._streams or ()), sys.stdout, sys.stderr):
            # User code may have closed or replaced them, or put anything in their place.
            with contextlib.suppress(Exception):
                stream.flush()

    def end(self, marker: bytes) -> None:
        """Write what is still held back, then the marker that tells the host that this is all."""
        self.flush()
        if hasattr(os, "set_blocking"):
            os.set_blocking(self._pipe, True)
        while marker:
            marker = marker[os.write(self._pipe, marker) :]


def _stream(descriptor: int) -> TextIO:
    return open(descriptor, "w", encoding="utf-8", errors="backslashreplace", newline="\n", buffering=1, closefd=False)


def _copy(standard: int) -> int:
    try:
        from fcntl import F_DUPFD_CLOEXEC, fcntl
    except ImportError:
        return os.dup(standard)
    return fcntl(standard, F_DUPFD_CLOEXEC, 200)
