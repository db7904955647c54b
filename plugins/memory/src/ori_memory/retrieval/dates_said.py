"""Days and months that a question names: "3 May 2023", "in May", "between 2024-01-01 and 2024-02-15", "5月4号"."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable

from ori_memory.retrieval.day_steps import Days, Now, month_days
from ori_memory.retrieval.signs import NUMERAL, number_of

__all__ = ["READERS"]

Reader = Callable[[re.Match[str], Now], Days | None]

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_NAMES = "january february march april may june july august september october november december"
_MONTH = "|".join(f"{name[:3]}(?:{name[3:]})?" if len(name) > 3 else name for name in _NAMES.split()) + "|sept"
_YEAR = r"(?:19|20)\d\d"
_ISO = r"(\d{4})-(\d\d)-(\d\d)"
_ORDINAL = r"(?:st|nd|rd|th)?"
_DAY = rf"(?P<day>\d{{1,2}}){_ORDINAL}"
_OF_MONTH = rf"(?P<month>{_MONTH})\b\.?"
_MAYBE_YEAR = rf"(?:(?:,\s?|\s+)(?P<year>{_YEAR})\b)?"
_TO = r"\s?(?:[-–]|\bto\b|\band\b|\buntil\b|\bthrough\b)\s?"
_ELSEWHERE = r"(?P<name>[^\W\d_][^\s\d_.,;:!?()/-]{1,13})"
"""A month in whatever language; the reader knows which words are one."""
_OF = r"(?P<of>\s+del?\s+|\s+)"
_PARTS = {"early": (1, 10), "beginning": (1, 10), "start": (1, 10), "mid": (11, 20), "middle": (11, 20)}
_SIGNED = r"\d一二三四五六七八九十"
_QUARTER = 3


def _between(match: re.Match[str], now: Now) -> Days:
    numbers = [int(part) for part in match.groups()]
    return datetime.date(*numbers[:3]), datetime.date(*numbers[3:])


def _iso(match: re.Match[str], now: Now) -> Days:
    day = datetime.date(int(match["year"]), int(match["number"]), int(match["day"]))
    return day, day


def _either_order(match: re.Match[str], now: Now) -> Days | None:
    """`27/05/2023` and `05/27/2023`; what could be two days is none."""
    first, second, year = (int(part) for part in match.groups())
    if first != second and max(first, second) <= len(_MONTHS):
        return None
    return now.day(min(first, second), max(first, second), year)


def _named_day(match: re.Match[str], now: Now) -> Days:
    return now.day(_month(match["month"]), int(match["day"]), _year_in(match))


def _named_month(match: re.Match[str], now: Now) -> Days:
    return now.month(_month(match["month"]), _year_in(match))


def _days_of_month(match: re.Match[str], now: Now) -> Days:
    """From one day of a month to another."""
    month, year = _month(match["month"]), _year_in(match)
    last, _ = now.day(month, int(match["last"]), year)
    return last.replace(day=int(match["day"])), last


def _months(match: re.Match[str], now: Now) -> Days:
    """From one month to another: "from November to January" leads into the next year."""
    first, last, year = _month(match["first"]), _month(match["month"]), _year_in(match)
    end = now.month(last, year)
    return month_days(end[1].year - (first > last), first)[0], end[1]


def _day_to_day(match: re.Match[str], now: Now) -> Days:
    month = _month(match["month"])
    _, end = now.day(month, int(match["last"]), _year_in(match))
    first = _month(match["first"])
    return datetime.date(end.year - (first > month), first, int(match["day"])), end


def _part_of_month(match: re.Match[str], now: Now) -> Days:
    first, last = _named_month(match, now)
    begin, end = _PARTS.get(match["part"].lower(), (21, last.day))
    return first.replace(day=begin), last.replace(day=end)


def _quarter(match: re.Match[str], now: Now) -> Days:
    last = _QUARTER * int(match["quarter"])
    end = now.month(last, _year_in(match))
    return month_days(end[1].year, last - 2)[0], end[1]


def _foreign_day(match: re.Match[str], now: Now) -> Days | None:
    year = _year_in(match)
    month = _foreign_month(match["name"], is_sure=year is not None or bool(match["of"].strip()))
    return None if month is None else now.day(month, int(match["day"]), year)


def _foreign_month_of_year(match: re.Match[str], now: Now) -> Days | None:
    month = _foreign_month(match["name"], is_sure=False)
    return None if month is None else month_days(int(match["year"]), month)


def _foreign_month(name: str, *, is_sure: bool) -> int | None:
    """`is_sure`: a day and a year stand beside it, or it is the 2nd *of* it."""
    from ori_memory.retrieval.month_names import MONTH_NAMES, OTHER_WORDS  # Few questions hold a number.

    name = name.lower()
    return MONTH_NAMES.get(name) if is_sure or name not in OTHER_WORDS else None


def _day_in_signs(match: re.Match[str], now: Now) -> Days:
    return now.day(number_of(match["number"]), number_of(match["day"]), _year_in(match))


def _month_in_signs(match: re.Match[str], now: Now) -> Days:
    return now.month(number_of(match["number"]), _year_in(match))


def _year(match: re.Match[str], now: Now) -> Days:
    year = int(match["year"])
    return datetime.date(year, 1, 1), datetime.date(year, 12, 31)


def _year_in(match: re.Match[str]) -> int | None:
    year = match.groupdict().get("year")
    return int(year) if year else None


def _month(word: str) -> int:
    return _MONTHS.index(word.lower()[:3]) + 1


READERS: tuple[tuple[str, Reader], ...] = (
    (rf"\b(?:between|from)\s+{_ISO}\s+(?:and|to|until)\s+{_ISO}\b", _between),
    (r"\b(?P<year>\d{4})([-/])(?P<number>\d\d?)\2(?P<day>\d\d?)\b", _iso),
    (r"(?<![\d/])(\d\d?)/(\d\d?)/((?:19|20)\d\d)(?![\d/])", _either_order),
    (rf"(?<![\d/-])(?P<year>{_YEAR})-(?P<number>0[1-9]|1[0-2])(?![\d/-])", _month_in_signs),
    (
        rf"\b(?:(?:from|between)\s+)?{_DAY}{_TO}(?P<last>\d{{1,2}}){_ORDINAL}\s+(?:of\s+)?{_OF_MONTH}{_MAYBE_YEAR}",
        _days_of_month,
    ),
    (rf"\b{_OF_MONTH}\s+{_DAY}\s?[-–]\s?(?P<last>\d{{1,2}})\b{_MAYBE_YEAR}", _days_of_month),
    (rf"\b(?:from|between)\s+(?P<first>{_MONTH})\b\.?{_TO}{_OF_MONTH}{_MAYBE_YEAR}", _months),
    (
        rf"\b(?:from|between)\s+(?P<first>{_MONTH})\b\.?\s+{_DAY}{_TO}{_OF_MONTH}\s+(?P<last>\d{{1,2}}){_ORDINAL}\b"
        rf"{_MAYBE_YEAR}",
        _day_to_day,
    ),
    (
        rf"\b(?:from|between)\s+{_DAY}\s+(?:of\s+)?(?P<first>{_MONTH})\b\.?{_TO}(?P<last>\d{{1,2}}){_ORDINAL}\s+"
        rf"(?:of\s+)?{_OF_MONTH}{_MAYBE_YEAR}",
        _day_to_day,
    ),
    (rf"\b(?:the\s+)?{_DAY}\s+(?:of\s+)?{_OF_MONTH}{_MAYBE_YEAR}", _named_day),
    (rf"\b{_OF_MONTH}\s+{_DAY}\b{_MAYBE_YEAR}", _named_day),
    (
        r"\b(?:the\s+)?(?P<part>early|late|mid|middle|beginning|start|end)(?:\s+of|\s+in)?[\s-]+"
        rf"{_OF_MONTH}{_MAYBE_YEAR}",
        _part_of_month,
    ),
    (
        rf"\b(?:in|during|since|of|after|before|until|till)\s+{_OF_MONTH}(?!\s+\d\d?{_ORDINAL}\b){_MAYBE_YEAR}",
        _named_month,
    ),
    (rf"\b(?P<month>{_MONTH})\s+(?P<year>{_YEAR})\b", _named_month),
    (rf"\b(?:in|during|since|after|before|until|till)\s+(?P<year>{_YEAR})\b(?![-/.]?\d)", _year),
    (rf"\b(?:(?:in|during)\s+)?Q(?P<quarter>[1-4])[\s/-]+(?:of\s+)?(?P<year>{_YEAR})\b", _quarter),
    (r"\b(?:in|during|since|before|after)\s+Q(?P<quarter>[1-4])\b", _quarter),
    (rf"(?<![\d.])(?P<day>\d\d?)\.\s?(?P<number>\d\d?)\.\s?(?P<year>{_YEAR})(?!\.?\d)", _day_in_signs),
    (
        rf"(?:(?<!\d)(?P<year>{_YEAR})\s?[年년]\s?)?(?<![{_SIGNED}])(?P<number>{NUMERAL})\s?[月월]\s?"
        rf"(?P<day>{NUMERAL})\s?[日号號일]",
        _day_in_signs,
    ),
    (rf"(?<!\d)(?P<year>{_YEAR})\s?[年년]\s?(?P<number>{NUMERAL})\s?[月월](?!\s?\d)", _month_in_signs),
    (
        rf"(?<![\d年년一二三四五六七八九十])(?P<number>{NUMERAL})[月월](?![\d前間间后後전一二三四五六七八九十])",
        _month_in_signs,
    ),
    (rf"\b(?P<day>\d\d?)\.?{_OF}{_ELSEWHERE}(?:(?:\s+del?)?\s+(?P<year>{_YEAR})\b)?", _foreign_day),
    (rf"\b{_ELSEWHERE}{_OF}(?P<year>{_YEAR})\b", _foreign_month_of_year),
    (rf"\b(?P<day>\d\d?)\s+tháng\s+(?P<number>\d\d?)(?:\s+năm\s+(?P<year>{_YEAR}))?\b", _day_in_signs),
)
