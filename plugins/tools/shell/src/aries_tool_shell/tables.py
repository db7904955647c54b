"""How tables of names are written: one string, names apart by blanks."""

from __future__ import annotations

__all__ = ["names", "ordered_names"]


def names(text: str) -> frozenset[str]:
    """The names in `text`."""
    return frozenset(text.split())


def ordered_names(text: str) -> tuple[str, ...]:
    """The names in `text`, in their order."""
    return tuple(text.split())
