"""Keys of names and link targets as numbers, which take a fifth of the room of their texts."""

from __future__ import annotations

import zlib

__all__ = ["key_number"]


def key_number(key: str) -> int:
    """Two keys may share a number: then a note is looked at in vain, since the resolver compares the names themselves.

    Stable between runs and machines, unlike `hash`.
    """
    return zlib.crc32(key.encode("utf-8", "replace"))
