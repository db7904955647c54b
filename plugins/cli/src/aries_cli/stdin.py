"""The prompt that comes through a pipe; a pipe that says nothing is not waited for."""

from __future__ import annotations

import os
import stat
import threading

__all__ = ["read_piped"]

_PATIENCE = 1.0
"""Seconds until the first byte; after that it is read to its end."""


def read_piped(*, wait: bool) -> str | None:
    """What stands on standard input, where that is a file or a pipe with data; None otherwise.

    `wait`: the caller was told that there is data, so wait for it as long as it takes.
    """
    try:
        mode = os.fstat(0).st_mode
    except OSError:
        return None  # Closed.
    if stat.S_ISREG(mode):
        return _decoded(_read_all())
    if not (stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)):
        return None
    return _read_pipe(None if wait else _PATIENCE)


def _read_pipe(patience: float | None) -> str | None:
    # A thread, since a pipe cannot be polled on every system; a silent one stays behind as a daemon.
    chunks: list[bytes] = []
    has_begun, has_ended = threading.Event(), threading.Event()

    def read() -> None:
        while chunk := os.read(0, 65536):
            chunks.append(chunk)
            has_begun.set()
        has_begun.set()
        has_ended.set()

    threading.Thread(target=read, daemon=True).start()
    if not has_begun.wait(patience):
        return None
    has_ended.wait()
    return _decoded(b"".join(chunks))


def _read_all() -> bytes:
    chunks = []
    while chunk := os.read(0, 65536):
        chunks.append(chunk)
    return b"".join(chunks)


def _decoded(data: bytes) -> str | None:
    text = data.decode("utf-8-sig", errors="replace")
    return text if text.strip() else None
