"""Which days a note is about: as it says, as its title or path says, or when it was last changed."""

from __future__ import annotations

import calendar
import datetime
import re
from collections.abc import Iterator

from attrs import frozen

from aries_kernel.contracts import NoteView, Period

__all__ = ["Days", "days_in", "days_of"]

_YEAR = r"(?P<year>(?:19|20)\d\d)"
_NAMES = tuple(name.lower() for name in calendar.month_name[1:])
_NAME = (
    "(?P<name>" + "|".join(f"{name[:3]}(?:{name[3:]})?" if len(name) > 3 else name for name in _NAMES) + r"|sept)\b\.?"
)
_DAY = r"(?<!\d)(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_PATTERNS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?<!\d){_YEAR}(?P<sign>[-_./])(?P<month>\d\d?)(?P=sign)(?P<day>\d\d?)(?!\d)",
        rf"(?<!\d){_YEAR}(?P<month>\d\d)(?P<day>\d\d)(?:T?\d{{4}}(?:\d\d)?)?(?!\d)",
        rf"(?<![\d.])(?P<day>\d\d?)\.(?P<month>\d\d?)\.{_YEAR}(?!\.?\d)",
        rf"{_DAY}[\s_-]+(?:of\s+)?{_NAME}[\s,_-]+{_YEAR}(?!\d)",
        rf"\b{_NAME}[\s_-]*{_DAY}[\s,_-]+{_YEAR}(?!\d)",
        rf"(?<!\d){_YEAR}[-_./](?P<month>\d\d)(?!\d)",
        rf"\b{_NAME}[\s,_-]+{_YEAR}(?!\d)",
    )
)
"""A form that names the day comes before one that names the month only."""


_ANY_YEAR = re.compile(r"(?:19|20)\d\d")


@frozen
class Days:
    """A stretch of days, both ends included."""

    first: datetime.date
    last: datetime.date
    is_said: bool = True
    """By the note itself; else it is the day on which the note was last changed."""

    def distance(self, period: Period) -> int:
        """Days between the two; 0 where they meet."""
        return max(0, (period.first - self.last).days, (self.first - period.last).days)


def days_of(view: NoteView) -> Days | None:
    """The days that a note is about, or None."""
    if view.created:
        return Days(view.created, view.created)
    named = days_in(view.title) or days_in(view.path.removesuffix(".md"))
    if named is None and view.modified:
        return Days(view.modified, view.modified, is_said=False)
    return named


def days_in(text: str) -> Days | None:
    """The day, or else the month, that a title or a path names last; None where there is none."""
    # Every form has a year: most texts have none, and are looked through once.
    for pattern in _PATTERNS if _ANY_YEAR.search(text) else ():
        found = list(_readings(pattern, text))
        if found:
            return found[-1]
    return None


def _readings(pattern: re.Pattern[str], text: str) -> Iterator[Days]:
    for match in pattern.finditer(text):
        parts = match.groupdict()
        year, month = int(parts["year"]), _month(parts)
        if not 1 <= month <= 12:
            continue
        length = calendar.monthrange(year, month)[1]
        first, last = (int(parts["day"]),) * 2 if "day" in parts else (1, length)
        if 1 <= first <= length:
            yield Days(datetime.date(year, month, first), datetime.date(year, month, last))


def _month(parts: dict[str, str]) -> int:
    if "month" in parts:
        return int(parts["month"])
    return next(number for number, name in enumerate(_NAMES, 1) if name.startswith(parts["name"].lower()[:3]))
