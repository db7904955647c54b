"""How much was learned, and whether what holds it is sound."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

__all__ = ["Census"]


class Census(NamedTuple):
    """A look at a store; nothing in it is taken on trust."""

    revision: int
    rows: Mapping[str, int]
    size: int
    """Bytes, with the journal."""
    soundness: str
    """`ok`, or what is wrong; `absent` where there is nothing."""
    recoveries: tuple[str, ...]
    """What was ever put back."""
