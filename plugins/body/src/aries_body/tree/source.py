"""The bytes of a file as UTF-8 text with line feeds, or the reason why it is none."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable

from attrs import frozen

__all__ = ["Source", "Unreadable", "decoded", "read_bytes"]

_UTF8_MARK = b"\xef\xbb\xbf"
_WIDE_MARKS = (b"\xff\xfe", b"\xfe\xff")
_HEAD = 4_096
_BINARY = "binary: it holds NUL bytes"


class Unreadable(Exception):
    """The file is no text that can be read; the message says why, in a few words."""


@frozen
class Source:
    """Text as every language pack gets it."""

    data: bytes
    """UTF-8, no byte order mark, lines end in a single line feed."""
    note: str = ""
    """What had to be guessed."""


def read_bytes(place: str, most: int) -> bytes:
    """What is in a regular file; a link or a pipe that took its place is not opened.

    Raises: Unreadable.
    """
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        descriptor = os.open(place, flags)
    except (OSError, ValueError) as error:
        raise Unreadable(getattr(error, "strerror", None) or str(error)) from error
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise Unreadable("not a regular file any more")
        if status.st_size > most:
            raise Unreadable(f"larger than {most:,} bytes")
        return _content(descriptor, status.st_size)
    except OSError as error:
        raise Unreadable(error.strerror or str(error)) from error
    finally:
        os.close(descriptor)


def _content(descriptor: int, size: int) -> bytes:
    head = os.read(descriptor, min(size, _HEAD))
    # Pictures and archives are known by their first bytes: the rest need not be read.
    if b"\0" in head and not head.startswith(_WIDE_MARKS):
        raise Unreadable(_BINARY)
    parts, missing = [head], size - len(head)
    while missing > 0 and (part := os.read(descriptor, missing)):
        parts.append(part)
        missing -= len(part)
    return b"".join(parts)


def decoded(raw: bytes, encoding: Callable[[bytes], str | None] = lambda head: None) -> Source:
    """`raw` as text. `encoding` reads what the file's head declares.

    Raises: Unreadable for what is binary, or in an encoding of more than one byte a letter that is not UTF-8.
    """
    if raw.startswith(_WIDE_MARKS):
        raise Unreadable("UTF-16, which no compiler of these languages reads")
    data, note = raw.removeprefix(_UTF8_MARK), ""
    if b"\0" in data:
        raise Unreadable(_BINARY)
    if not data.isascii():
        data, note = _to_utf8(data, encoding(data[:_HEAD]))
    elif (declared := encoding(data[:_HEAD])) and _is_stateful(declared):
        data, note = _to_utf8(data, declared)
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return Source(data, note)


def _to_utf8(data: bytes, declared: str | None) -> tuple[bytes, str]:
    if declared is not None:
        try:
            return data.decode(declared).encode("utf-8"), ""
        except (LookupError, UnicodeError, ValueError):
            note = f"declared as {declared[:40]}, and is not"
        try:
            data.decode("utf-8")
            return data, note
        except UnicodeDecodeError:
            return data.decode("latin-1").encode("utf-8"), f"{note}; read as latin-1"
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        return data.decode("latin-1").encode("utf-8"), f"not UTF-8 at byte {error.start}, read as latin-1"
    return data, ""


def _is_stateful(declared: str) -> bool:
    """Encodings in which ASCII bytes may mean other letters."""
    return declared.lower().replace("_", "-") in ("utf-7", "iso-2022-jp", "hz", "rot13", "rot-13")
