"""Numbers as Chinese and Japanese write them beside those of everybody."""

from __future__ import annotations

__all__ = ["NUMERAL", "number_of"]

_ONES = "〇一二三四五六七八九"
_TEN = "十"
NUMERAL = rf"(?:\d\d?|[一二三]?{_TEN}[一二三四五六七八九]?|[一二两兩三四五六七八九])"
"""A pattern for 1 to 39."""


def number_of(text: str) -> int:
    """What `NUMERAL` matched."""
    if text.isdecimal():
        return int(text)
    tens, ten, ones = text.replace("两", "二").replace("兩", "二").rpartition(_TEN)
    return 10 * (_ONES.index(tens) if tens else len(ten)) + (_ONES.index(ones) if ones else 0)
