"""Time phrases of a question: "four weeks ago", "in May 2023", "between 2024-01-01 and 2024-02-15"."""

from __future__ import annotations

import datetime
import functools
import re
from collections.abc import Callable, Iterator

from aries_kernel.contracts import Period

__all__ = ["period_of"]

_MONTH_NAMES = "january february march april may june july august september october november december"
_MONTHS = tuple(_MONTH_NAMES.split())
_WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_NUMBERS = {"a": 1, "an": 1} | {word: number for number, word in enumerate(_WORDS, 1)}
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTH = "|".join(f"{name[:3]}(?:{name[3:]})?" if len(name) > 3 else name for name in _MONTHS) + "|sept"
_YEAR = r"(?:19|20)\d\d"
_COUNT = r"(\d{1,3}|" + "|".join(_NUMBERS) + ")"
_UNIT = r"(day|week|month|year)"
_ISO = r"(\d{4})-(\d\d)-(\d\d)"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_OF_MONTH = rf"(?P<month>{_MONTH})\b\.?"
_MAYBE_YEAR = rf"(?:,?\s+(?P<year>{_YEAR}))?"

_ELSEWHERE = r"(?P<name>[^\W\d_]{3,12})"
"""A month in whatever language; the reader knows which words are one."""
_OF = r"(?:\s+|\s+del?\s+)"

_HINT = re.compile(r"\d|\b(?:ago|last|past|this)\b|day|" + "|".join(name[:3] for name in _MONTHS), re.IGNORECASE)
"""What every phrase holds. Most questions do not; the patterns themselves take milliseconds to compile."""

Reader = Callable[[re.Match[str], datetime.date], tuple[datetime.date, datetime.date] | None]


def period_of(text: str, today: datetime.date) -> Period | None:
    """The first stretch of days that `text` speaks of, or None. Later phrases are taken for part of the content."""
    found = min(_readings(text, today), key=lambda one: (one[0], -one[1]), default=None)
    if found is None:
        return None
    start, end, first, last = found
    return Period(first, last, text[start:end])


def _readings(text: str, today: datetime.date) -> Iterator[tuple[int, int, datetime.date, datetime.date]]:
    for pattern, read in _compiled() if _HINT.search(text) else ():
        for match in pattern.finditer(text):
            try:
                days = read(match, today)
            except (ValueError, OverflowError):
                continue  # The 31st of June, or a day before the calendar begins: no date.
            if days is not None and days[0] <= days[1]:
                yield match.start(), match.end(), *days
                break


def _between(match: re.Match[str], today: datetime.date) -> tuple[datetime.date, datetime.date]:
    numbers = [int(part) for part in match.groups()]
    return datetime.date(*numbers[:3]), datetime.date(*numbers[3:])


def _iso(match: re.Match[str], today: datetime.date) -> tuple[datetime.date, datetime.date]:
    day = datetime.date(*map(int, match.groups()))
    return day, day


def _named_day(match: re.Match[str], today: datetime.date) -> tuple[datetime.date, datetime.date]:
    day, month, year = match["day"], _month(match["month"]), match["year"]
    found = datetime.date(int(year) if year else today.year, month, int(day))
    if not year and found > today:
        found = found.replace(year=today.year - 1)
    return found, found


def _named_month(match: re.Match[str], today: datetime.date) -> tuple[datetime.date, datetime.date]:
    month = _month(match["month"])
    year = int(match["year"]) if match["year"] else today.year - (month > today.month)
    return _month_days(year, month)


def _foreign_day(match: re.Match[str], today: datetime.date) -> tuple[datetime.date, datetime.date] | None:
    day, year = int(match["day"]), match["year"]
    month = _foreign_month(match["name"], is_sure=bool(year))
    if month is None:
        return None
    found = datetime.date(int(year) if year else today.year, month, day)
    if not year and found > today:
        found = found.replace(year=today.year - 1)
    return found, found


def _foreign_month_of_year(match: re.Match[str], today: datetime.date) -> tuple[datetime.date, datetime.date] | None:
    month = _foreign_month(match["name"], is_sure=False)
    return None if month is None else _month_days(int(match["year"]), month)


def _foreign_month(name: str, *, is_sure: bool) -> int | None:
    """`is_sure`: a day and a year stand beside it."""
    from ori_memory.retrieval.month_names import MONTH_NAMES, OTHER_WORDS  # Few questions hold a number.

    name = name.lower()
    return MONTH_NAMES.get(name) if is_sure or name not in OTHER_WORDS else None


def _dotted(match: re.Match[str], today: datetime.date) -> tuple[datetime.date, datetime.date]:
    found = datetime.date(int(match["year"]), int(match["number"]), int(match["day"]))
    return found, found


def _month_in_signs(match: re.Match[str], today: datetime.date) -> tuple[datetime.date, datetime.date]:
    return _month_days(int(match["year"]), int(match["number"]))


def _year(match: re.Match[str], today: datetime.date) -> tuple[datetime.date, datetime.date]:
    year = int(match[1])
    return datetime.date(year, 1, 1), datetime.date(year, 12, 31)


def _ago(match: re.Match[str], today: datetime.date) -> tuple[datetime.date, datetime.date]:
    count, unit = _count(match[1]), match[2].lower()
    middle = _back(today, count, unit)
    slack = datetime.timedelta(days={"day": 1, "week": 4, "month": 16, "year": 183}[unit])
    return middle - slack, min(today, middle + slack)


def _within(match: re.Match[str], today: datetime.date) -> tuple[datetime.date, datetime.date]:
    return _back(today, _count(match[1] or "one"), match[2].lower()), today


def _last_unit(match: re.Match[str], today: datetime.date) -> tuple[datetime.date, datetime.date]:
    which, unit = match[1].lower(), match[2].lower()
    back = 1 if which == "last" else 0
    if unit == "week":
        monday = today - datetime.timedelta(days=today.weekday() + 7 * back)
        return monday, min(today, monday + datetime.timedelta(days=6))
    if unit == "month":
        months = today.year * 12 + today.month - 1 - back
        first, last = _month_days(months // 12, months % 12 + 1)
        return first, min(today, last)
    return datetime.date(today.year - back, 1, 1), min(today, datetime.date(today.year - back, 12, 31))


def _weekday(match: re.Match[str], today: datetime.date) -> tuple[datetime.date, datetime.date]:
    back = (today.weekday() - _DAYS.index(match[1].lower())) % 7 or 7
    day = today - datetime.timedelta(days=back)
    return day, day


def _yesterday(match: re.Match[str], today: datetime.date) -> tuple[datetime.date, datetime.date]:
    day = today - datetime.timedelta(days=1 if match[0].lower() == "yesterday" else 0)
    return day, day


def _back(today: datetime.date, count: int, unit: str) -> datetime.date:
    if unit in ("day", "week"):
        return today - datetime.timedelta(days=count * (7 if unit == "week" else 1))
    months = today.year * 12 + today.month - 1 - count * (12 if unit == "year" else 1)
    year, month = months // 12, months % 12 + 1
    return datetime.date(year, month, min(today.day, _length(year, month)))


def _count(word: str) -> int:
    return int(word) if word.isdigit() else _NUMBERS[word.lower()]


def _month(word: str) -> int:
    return next(number for number, name in enumerate(_MONTHS, 1) if name.startswith(word.lower()[:3]))


def _month_days(year: int, month: int) -> tuple[datetime.date, datetime.date]:
    return datetime.date(year, month, 1), datetime.date(year, month, _length(year, month))


def _length(year: int, month: int) -> int:
    import calendar  # Brings the system's languages with it.

    return calendar.monthrange(year, month)[1]


_READERS: tuple[tuple[str, Reader], ...] = (
    (rf"\b(?:between|from)\s+{_ISO}\s+(?:and|to|until)\s+{_ISO}\b", _between),
    (rf"\b{_ISO}\b", _iso),
    (rf"\b(?:the\s+)?{_DAY}\s+(?:of\s+)?{_OF_MONTH}{_MAYBE_YEAR}", _named_day),
    (rf"\b{_OF_MONTH}\s+{_DAY}\b{_MAYBE_YEAR}", _named_day),
    (rf"\b(?:in|during|since|of)\s+{_OF_MONTH}{_MAYBE_YEAR}", _named_month),
    (rf"\b(?P<month>{_MONTH})\s+(?P<year>{_YEAR})\b", _named_month),
    (rf"\b(?:in|during)\s+({_YEAR})\b", _year),
    (rf"(?<![\d.])(?P<day>\d\d?)\.\s?(?P<number>\d\d?)\.\s?(?P<year>{_YEAR})(?!\.?\d)", _dotted),
    (rf"(?<!\d)(?P<year>{_YEAR})\s?[年년]\s?(?P<number>\d\d?)\s?[月월]\s?(?P<day>\d\d?)\s?[日号號일]", _dotted),
    (rf"(?<!\d)(?P<year>{_YEAR})\s?[年년]\s?(?P<number>\d\d?)\s?[月월](?!\s?\d)", _month_in_signs),
    (rf"\b(?P<day>\d\d?)\.?{_OF}{_ELSEWHERE}\b(?:{_OF}(?P<year>{_YEAR})\b)?", _foreign_day),
    (rf"\b{_ELSEWHERE}{_OF}(?P<year>{_YEAR})\b", _foreign_month_of_year),
    (rf"\b{_COUNT}\s+{_UNIT}s?\s+ago\b", _ago),
    (rf"\b(?:in|over|within|during)?\s*the\s+(?:last|past)\s+(?:{_COUNT}\s+)?{_UNIT}s?\b", _within),
    (r"\b(last|this)\s+(week|month|year)\b", _last_unit),
    (r"\b(?:last|on)\s+(" + "|".join(_DAYS) + r")\b", _weekday),
    (r"\b(?:yesterday|today)\b", _yesterday),
)


@functools.cache
def _compiled() -> tuple[tuple[re.Pattern[str], Reader], ...]:
    return tuple((re.compile(pattern, re.IGNORECASE), read) for pattern, read in _READERS)
