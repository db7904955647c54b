"""What travels between host and body: a length, then one JSON object with an id and a type."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Mapping
from typing import Any

from attrs import frozen

__all__ = ["LARGEST", "BrokenFrame", "Frame", "encode", "read_frame"]

LARGEST = 16 * 1024 * 1024
"""Bytes of one frame; whoever has more to say cuts it or refuses."""
_LENGTH = struct.Struct(">I")


class BrokenFrame(Exception):
    """The bytes are no frame; whatever follows cannot be read either."""


@frozen
class Frame:
    """One message. An answer bears the id of what it answers."""

    type: str
    id: int
    data: Mapping[str, Any]


def encode(frame: Frame) -> bytes:
    """The bytes of a frame.

    Raises: BrokenFrame where it is too large, TypeError and ValueError for data that is not JSON.
    """
    body = json.dumps({"type": frame.type, "id": frame.id, "data": frame.data}, allow_nan=True).encode("ascii")
    if len(body) > LARGEST:
        raise BrokenFrame(f"{len(body):,} bytes are more than a frame may hold ({LARGEST:,})")
    return _LENGTH.pack(len(body)) + body


def read_frame(read: Callable[[int], bytes]) -> Frame | None:
    """The next frame, None at the end of the stream; `read(n)` gives at most n bytes and waits for at least one.

    Raises: BrokenFrame, also where the stream ends in the middle of a frame.
    """
    head = _exactly(read, _LENGTH.size, is_start=True)
    if head is None:
        return None
    (length,) = _LENGTH.unpack(head)
    if length > LARGEST:
        raise BrokenFrame(f"a frame of {length:,} bytes was announced")
    return _decode(_exactly(read, length) or b"")


def _exactly(read: Callable[[int], bytes], count: int, *, is_start: bool = False) -> bytes | None:
    pieces: list[bytes] = []
    missing = count
    while missing:
        piece = read(min(missing, 1 << 20))
        if not piece:
            if is_start and missing == count:
                return None
            raise BrokenFrame("the stream ended within a frame")
        pieces.append(piece)
        missing -= len(piece)
    return b"".join(pieces)


def _decode(body: bytes) -> Frame:
    try:
        found = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise BrokenFrame(f"a frame holds no JSON: {error}") from error
    match found:
        case {"type": str(kind), "id": int(number), "data": dict(data)}:
            return Frame(kind, number, data)
    raise BrokenFrame("a frame has no type, id or data")
