"""A request as bytes: the same input gives the same bytes."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

__all__ = ["as_object", "is_object", "to_bytes"]

_SURROGATES = re.compile("[\ud800-\udbff][\udc00-\udfff]|[\ud800-\udfff]")


def to_bytes(body: Mapping[str, object]) -> bytes:
    """JSON in UTF-8, keys in the order they were put in; halves of surrogate pairs become U+FFFD.

    Raises: ValueError for numbers that JSON does not have.
    """
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:  # Halves of pairs, which are rare: looking for them first would cost every request.
        return _SURROGATES.sub(_mended, text).encode("utf-8")


def as_object(raw: str) -> dict[str, object] | None:
    """The arguments of a call as an object, which is all that servers take back; None where they are none."""
    try:
        found = json.loads(raw, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def is_object(raw: str) -> bool:
    """Whether the arguments of a call are a JSON object."""
    return as_object(raw) is not None


def _mended(match: re.Match[str]) -> str:
    found = match.group()
    if len(found) == 1:
        return "\ufffd"
    return chr(0x10000 + ((ord(found[0]) - 0xD800) << 10) + (ord(found[1]) - 0xDC00))


def _refuse(name: str) -> float:
    raise ValueError(name)
