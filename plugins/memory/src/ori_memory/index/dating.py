"""When a note was written: as its properties say in the forms of many programs, its file's name, or its first lines."""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping

__all__ = ["created_on", "exact_day", "names_of_day", "read_day"]

_KEYS = (
    *("created", "createdat", "datecreated", "creationdate", "createdtime", "createdon", "date"),
    *("publishdate", "publishedat", "published", "pubdate"),
)
"""The surest first, without case, blanks, dashes and underscores."""
_APART = re.compile(r"[\s_-]+")
_LINE_KEYS = frozenset(
    (
        *(*_KEYS[:7], "startdate", "createddate", "creationtime", "meetingdate", "writtenon"),
        *("datum", "fecha", "data", "дата", "日期", "日付", "날짜"),
    )
)
"""`Date: 2018-03-06`, as records of decisions, proposals, minutes and exports have it without properties. What was
published then is mostly a book that the note is about."""
_LINE = re.compile(
    r"^[ \t]*(?:[-*+>|][ \t]+)?[*_]{0,3}(?P<key>[^\W\d_][^\W\d]{1,10}(?:[ -][^\W\d]{1,10})?)"
    r"[*_]{0,3}[ \t]*[:\uff1a|][*_]{0,3}[ \t]*(?P<value>[^\n]{4,60})",
    re.IGNORECASE | re.MULTILINE,
)
_ANY_YEAR = re.compile(r"(?:19|20)\d\d")
_HEADING = re.compile(r"^(?:#{1,6}[ \t]|(?:=|-){3,}[ \t]*$|```|~~~)", re.MULTILINE)
_HEAD = 1_500
"""Characters of a body that its head has at most."""
_LONGEST_KEY = 20

_ISO = re.compile(r"\W*(\d{4})([-/._])(\d\d?)\2(\d\d?)(?!\d)")
_RUN = re.compile(r"\s*((?:19|20)\d\d)(\d\d)(\d\d)(?:T?\d{4,9}Z?)?\s*")
_LATE_YEAR = re.compile(r"\W*(\d\d?)([-/.])(\d\d?)\2(\d{4})(?!\d)")
_MONTH_NAMES = tuple(
    "January February March April May June July August September October November December".split()  # noqa: SIM905
)
_MONTHS = tuple(name[:3].lower() for name in _MONTH_NAMES)
_LETTER = re.compile(r"[A-Za-z]{3}")
_SECONDS = (10**8, 5 * 10**9)
_MILLISECONDS = (10**11, 5 * 10**12)
"""Moments since 1970, of 1973 to 2128; what reads as a day with a time, as 202204011530, is none."""

_NAME_WRITTEN = re.compile(
    r"(?:[A-Za-z]{2,10},? )?(?:[A-Za-z]{3,9}\.? \d\d?(?:st|nd|rd|th)?|\d\d?(?:st|nd|rd|th)? [A-Za-z]{3,9}\.?),? \d{4}"
)
"""`May 3rd, 2024`, `Friday, 3 May 2024`: the name is the day and nothing else."""
_WEEKDAYS = r"(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}"
_EXACT = re.compile(rf"(?:{_WEEKDAYS},? )?([^ ][^a-z]{{6,10}}|[a-z0-9., ]{{8,24}}?)(?: {_WEEKDAYS})?", re.IGNORECASE)
_EXACT_FORMS = (
    re.compile(r"\d{4}([-/._])\d\d?\1\d\d?"),
    re.compile(r"(?:19|20)\d{6}"),
    re.compile(r"\d\d?([-/.])\d\d?\1\d{4}"),
)
_EAST = re.compile(r"(\d{4})年(\d\d?)月(\d\d?)日")
_LONGEST_DAY = 32
_FIRST_YEAR = 1990
"""Earlier days are of what happened then; nobody kept notes in files."""
_NAME_BEGINS = re.compile(r"(?:((?:19|20)\d\d)([-_.])(\d\d)\2(\d\d)|((?:19|20)\d\d)(\d\d)(\d\d)(?:T?\d{4,9})?)(?![\d])")
_NAME_ENDS = re.compile(r"(?<![\d.])(?:.*[^\d.-]|)[.]?((?:19|20)\d\d)([-_.])(\d\d)\2(\d\d)", re.DOTALL)


def created_on(properties: Mapping[str, object], stem: str, body: str = "") -> datetime.date | None:
    """The day, or None where neither the properties nor the name of the file nor the first lines say one.

    `stem`: the file's name without `.md`. Diaries and boxes of slips are named by days and moments.
    """
    said: dict[str, object] = {}
    for key, value in properties.items():
        if len(key) <= _LONGEST_KEY:
            said.setdefault(_APART.sub("", key).lower(), value)
    for key in _KEYS if said else ():
        day = read_day(said.get(key))
        # `date: 1932-01-24` is when somebody was born.
        if day is not None and (key == _KEYS[0] or day.year >= _FIRST_YEAR):
            return day
    return _day_of_name(stem) or _day_of_head(body[:_HEAD])


def read_day(value: object) -> datetime.date | None:
    """The day that a value of a property names; None for none, and for `03/04/2024`, which is two days."""
    if isinstance(value, datetime.datetime):
        return value.date()
    if isinstance(value, datetime.date):
        return value
    if isinstance(value, int | str) and not isinstance(value, bool):
        text = str(value)
        return _read(text) or (_since_1970(int(text)) if text.isascii() and text.isdigit() else None)
    return None


def exact_day(name: str) -> datetime.date | None:
    """The day, where a name is one and says nothing else, as pages of a diary are named and linked."""
    if not 8 <= len(name) <= _LONGEST_DAY:
        return None
    if (east := _EAST.fullmatch(name)) is not None:
        return _day(*east.groups())
    found = _EXACT.fullmatch(name)
    if found is None:
        return None
    is_day = _NAME_WRITTEN.fullmatch(found[1]) or any(form.fullmatch(found[1]) for form in _EXACT_FORMS)
    return _read(found[1]) if is_day else None


def names_of_day(day: datetime.date) -> tuple[str, ...]:
    """What diaries call a page, in the orders and with the signs that programs offer."""
    year, month, number = f"{day.year:04}", f"{day.month:02}", f"{day.day:02}"
    orders = ((year, month, number), (number, month, year), (month, number, year))
    written = _MONTH_NAMES[day.month - 1]
    names = [sign.join(order) for order in orders for sign in "-_."]
    names += [f"{year}{month}{number}", f"{day.day} {written} {year}", f"{written} {day.day}, {year}"]
    ending = "th" if day.day in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(day.day % 10, "th")
    short = written[:3].capitalize()
    names += [f"{name} {day.day}{ending}, {year}" for name in (short, written)]
    weekday = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")[day.weekday()]
    return (*names, f"{year}-{month}-{number} {weekday}", f"{weekday}, {day.day} {short} {year}")


def _since_1970(number: int) -> datetime.date | None:
    seconds = number if _SECONDS[0] <= number < _SECONDS[1] else number // 1000
    is_moment = seconds == number or _MILLISECONDS[0] <= number < _MILLISECONDS[1]
    return datetime.datetime.fromtimestamp(seconds, datetime.UTC).date() if is_moment else None


def _read(text: str) -> datetime.date | None:
    if (found := _ISO.match(text)) is not None:
        return _day(found[1], found[3], found[4])
    if (found := _RUN.fullmatch(text)) is not None:
        return _day(found[1], found[2], found[3])
    if (found := _LATE_YEAR.match(text)) is not None:
        first, sign, second, year = found.groups()
        days = {_day(year, second, first), None if sign == "." else _day(year, first, second)} - {None}
        return days.pop() if len(days) == 1 else None
    return _written(text) if _LETTER.search(text) is not None else None


def _written(text: str) -> datetime.date | None:
    """`5 March 2021`, `Mar 5th, 2021`, each with a weekday or without."""
    number, month = r"(?P<day>\d\d?)(?:st|nd|rd|th)?", rf"(?P<month>{'|'.join(_MONTHS)})[a-z]*\.?"
    for order in (rf"{month}\s+{number}", rf"{number}\s+{month}"):
        found = re.match(rf"\W*(?:[a-z]+,?\s+)?{order},?\s+(?P<year>\d{{4}})(?!\d)", text, re.IGNORECASE)
        if found is not None:
            return _day(found["year"], str(_MONTHS.index(found["month"].lower()) + 1), found["day"])
    return None


def _day_of_head(head: str) -> datetime.date | None:
    """What a line such as `- Start Date: 2018-03-30` says, above the second heading: below it a note tells of more."""
    if not _ANY_YEAR.search(head):
        return None
    headings = [found.start() for found in _HEADING.finditer(head)]
    for line in _LINE.finditer(head, 0, headings[1] if len(headings) > 1 else len(head)):
        if _APART.sub("", line["key"]).lower() in _LINE_KEYS:
            day = read_day(line["value"].strip())
            if day is not None and day.year >= _FIRST_YEAR:
                return day
    return None


def _day_of_name(stem: str) -> datetime.date | None:
    found = _NAME_BEGINS.match(stem)
    parts = [part for part in found.groups() if part and part.isdigit()] if found else []
    if not parts and (found := _NAME_ENDS.fullmatch(stem)) is not None:
        parts = [found[1], found[3], found[4]]
    is_day = not parts and (_LATE_YEAR.fullmatch(stem) or _NAME_WRITTEN.fullmatch(stem)) is not None
    day = _day(*parts) if parts else _read(stem) if is_day else None
    return day if day is not None and day.year >= _FIRST_YEAR else None


def _day(year: str, month: str, day: str) -> datetime.date | None:
    try:
        return datetime.date(int(year), int(month), int(day))
    except ValueError:
        return None
