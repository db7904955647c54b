"""Numbers of tokens as servers write them."""

from __future__ import annotations

import json

from aries_kernel.errors import StreamCut

__all__ = ["counted_tokens", "read_count"]

_MOST = 10**10
"""More tokens than any request or window has: a server that says so is wrong, and its figure would ruin all sums."""


def read_count(value: object) -> int | None:
    """A number of tokens, 0 included; None for whatever is none."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return int(value) if 0 <= value <= _MOST else None


def counted_tokens(body: bytes, name: str) -> int:
    """What a server answers that was asked to count, from the member `name`. Raises: StreamCut."""
    try:
        record = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise StreamCut("The server's count of tokens cannot be read.") from error
    count = read_count(record.get(name)) if isinstance(record, dict) else None
    if count is None:
        raise StreamCut("The server's count of tokens cannot be read.")
    return count
