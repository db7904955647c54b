"""How many columns of a terminal text takes, and how many there are."""

from __future__ import annotations

import os
import sys
import unicodedata

__all__ = ["cut", "display_width", "terminal_width"]


def terminal_width() -> int | None:
    """Columns of the terminal that standard output is; None where it is none, and nothing may be cut."""
    if not sys.stdout.isatty():
        return None
    said = os.environ.get("COLUMNS", "")
    if said.isdecimal() and int(said) > 0:
        return int(said)
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns or None
    except OSError:
        return None


def display_width(text: str) -> int:
    """Columns that `text` takes: two for wide characters, none for marks that stand above others."""
    return len(text) if text.isascii() else sum(map(_columns, text))


def cut(text: str, width: int) -> str:
    """`text`, or its beginning with an ellipsis, in at most `width` columns."""
    if display_width(text) <= width:
        return text
    taken, used = 0, 1
    for character in text:
        used += _columns(character)
        if used > width:
            break
        taken += 1
    return text[:taken].rstrip() + "…"


def _columns(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
