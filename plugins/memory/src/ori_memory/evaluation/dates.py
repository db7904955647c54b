"""Dates as people write them into exports of conversations."""

from __future__ import annotations

import datetime
import re

__all__ = ["read_date"]

_MONTHS = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
           "november", "december")  # fmt: skip
_ISO = re.compile(r"(?<!\d)(?P<year>\d{4})[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})(?!\d)")
_DOTTED = re.compile(r"(?<!\d)(?P<day>\d{1,2})\.\s?(?P<month>\d{1,2})\.\s?(?P<year>\d{4})(?!\d)")
_DAY_FIRST = re.compile(
    r"(?<!\d)(?P<day>\d{1,2})(?:st|nd|rd|th|\.)?(?:\s+of)?[\s-]+(?P<name>[a-z]{3,9})\.?,?[\s-]+(?P<year>\d{4})(?!\d)"
)
_MONTH_FIRST = re.compile(r"\b(?P<name>[a-z]{3,9})\.?\s+(?P<day>\d{1,2})(?:st|nd|rd|th)?,?\s+(?P<year>\d{4})(?!\d)")


def read_date(text: str) -> datetime.date | None:
    """The first day that a text names: ISO, `8 May, 2023`, `May 8th, 2023`, `8.5.2023`; None for anything else.

    `5/8/2023` is May in one country and August in another, so it is None too.
    """
    text = text.lower()
    for form in (_ISO, _DAY_FIRST, _MONTH_FIRST, _DOTTED):
        for found in form.finditer(text):
            month = _month(found)
            try:
                return datetime.date(int(found["year"]), month, int(found["day"]))
            except ValueError:
                continue
    return None


def _month(found: re.Match[str]) -> int:
    """0 where the word is no month."""
    if "name" not in found.groupdict():
        return int(found["month"])
    name = "sep" if found["name"] == "sept" else found["name"]
    return next((number for number, month in enumerate(_MONTHS, 1) if month.startswith(name)), 0)
