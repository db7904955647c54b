"""How much of a tree is read."""

from __future__ import annotations

from attrs import frozen

__all__ = ["Limits"]


@frozen
class Limits:
    """What is above a limit is left out and named, never silently."""

    max_files: int = 100_000
    """Files of one tree; the first by path are taken."""
    max_file_bytes: int = 1_000_000
    """Size of one file."""
    max_bytes: int = 1 << 30
    """Size of all files together."""
    seconds: float = 60.0
    """For one answer of git, and for the reading of one file."""
