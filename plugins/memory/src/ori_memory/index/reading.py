"""One note's file, read."""

from __future__ import annotations

import hashlib
import os
import time
from pathlib import Path

from attrs import frozen

from ori_memory.scanning.walk import FileStamp

__all__ = ["NotReadable", "ReadFile", "read_file"]


_READING = os.O_RDONLY | getattr(os, "O_BINARY", 0)
_MORE = 1 << 20


class NotReadable(Exception):
    """This file cannot be a note now; the others go on.

    `is_certain`: the file itself is the reason, not that it could not be looked into; what is known of it is void.
    """

    def __init__(self, reason: str, *, is_certain: bool) -> None:
        super().__init__(reason)
        self.is_certain = is_certain


@frozen
class ReadFile:
    """A file's content and what it looked like just before."""

    stamp: FileStamp
    checked_ns: int
    data: bytes
    hash: bytes


def read_file(root: Path, stamp: FileStamp, max_bytes: int) -> ReadFile:
    """Raises: NotReadable, with the reason; FileNotFoundError where it has just been removed."""
    if stamp.size > max_bytes:
        raise NotReadable(f"it has {stamp.size:,} bytes; index.max_bytes allows {max_bytes:,}", is_certain=True)
    checked = time.time_ns()
    try:
        data = _content(f"{root}/{stamp.path}", stamp.size)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise NotReadable(f"it cannot be read: {error.strerror or error}", is_certain=False) from error
    return ReadFile(stamp, checked, data, hashlib.blake2b(data, digest_size=16).digest())


def _content(path: str, size: int) -> bytes:
    # Ten thousand path and file objects would take longer to put together than the files to read.
    descriptor = os.open(path, _READING)
    try:
        data = os.read(descriptor, size + 1)
        while more := os.read(descriptor, _MORE):
            data += more
        return data
    finally:
        os.close(descriptor)
