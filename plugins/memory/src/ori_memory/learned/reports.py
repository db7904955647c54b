"""What the store answers of itself and of what was taken out of it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from aries_kernel.values import frozen

__all__ = ["ForgetReport", "LearnedStatus", "Reset"]


@frozen
class ForgetReport:
    rows: int
    """How many rows were deleted."""
    remaining: tuple[Path, ...]
    """Files of the store in whose bytes the id is still found: held open by somebody else, or set aside."""


@frozen
class Reset:
    rows: int
    """How many rows went, or came back."""
    kept: Path
    """The export of what there was before."""


@frozen
class LearnedStatus:
    exists: bool
    revision: int
    rows: Mapping[str, int]
    size: int
    """Bytes, with the journal."""
    soundness: str
    """`ok`, or what is wrong with the file; `absent` where there is none."""
    recoveries: tuple[str, ...]
