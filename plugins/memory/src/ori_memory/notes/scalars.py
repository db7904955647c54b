"""A scalar of frontmatter as it is written, and the value it stands for."""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping

__all__ = ["Plain", "Raw", "plain_data", "text_of", "texts_of", "typed"]

_INTEGER = re.compile(r"-?(?:0|[1-9]\d{0,17})")
_FLOAT = re.compile(r"-?(?:0|[1-9]\d{0,14})\.\d{1,15}")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_MOMENT = re.compile(r"\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?(?: ?(?:Z|[+-]\d{2}:?\d{2}))?")
_TRUE = frozenset(("true", "True", "TRUE"))
_FALSE = frozenset(("false", "False", "FALSE"))
_NULL = frozenset(("", "~", "null", "Null", "NULL"))


class Plain(str):
    """A scalar written without quotes: only such a one can be a number, a date, true, false or nothing."""

    __slots__ = ()


Raw = str | list["Raw"] | dict[str, "Raw"]
"""Frontmatter before types: `Plain` for scalars without quotes, `str` for the others."""


def typed(raw: Raw) -> object:
    """The value: a number only where writing the number gives the same text, so that `007` and `1.10` stay text."""
    if isinstance(raw, list):
        return [typed(item) for item in raw]
    if isinstance(raw, dict):
        return {key: typed(value) for key, value in raw.items()}
    return _scalar(raw) if isinstance(raw, Plain) else raw


def plain_data(entries: Mapping[str, Raw]) -> dict[str, object]:
    """All of a note's properties as values."""
    return {key: typed(raw) for key, raw in entries.items()}


def text_of(raw: Raw | None) -> str:
    """The text as written, for keys that are titles: `yes`, `2026-01-01` and `1.10` are such; empty for none."""
    if raw is None or isinstance(raw, (list, dict)):
        return ""
    return "" if isinstance(raw, Plain) and raw in _NULL else str(raw).strip()


def texts_of(raw: Raw | None) -> tuple[str, ...]:
    """The texts of a list, or the one text."""
    if isinstance(raw, list):
        return tuple(text for item in raw if (text := text_of(item)))
    text = text_of(raw)
    return (text,) if text else ()


def _scalar(raw: Plain) -> object:
    if raw in _NULL:
        return None
    first = raw[0]
    if first.isdigit() or first == "-":
        return _number_or_date(str(raw))
    if raw in _TRUE:
        return True
    return False if raw in _FALSE else str(raw)


def _number_or_date(raw: str) -> object:
    if not raw.isascii():
        return raw
    if _INTEGER.fullmatch(raw):
        return int(raw) if raw != "-0" else raw
    if _FLOAT.fullmatch(raw):
        return float(raw) if repr(float(raw)) == raw else raw
    try:
        if _DATE.fullmatch(raw):
            return datetime.date.fromisoformat(raw)
        if _MOMENT.fullmatch(raw):
            return datetime.datetime.fromisoformat(raw.replace(" +", "+").replace(" -", "-").replace(" Z", "Z").upper())
    except ValueError:
        return raw
    return raw
