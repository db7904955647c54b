"""Steps in the calendar that phrases such as "four weeks ago" take from the day on which something is asked."""

from __future__ import annotations

import datetime
from collections.abc import Callable

__all__ = ["Days", "Now", "ago", "back", "month_days", "of_week", "unit_back", "weekday", "within"]

Days = tuple[datetime.date, datetime.date]
"""The first and the last."""

_DAY = datetime.timedelta(days=1)
_SLACK = {"day": 1, "week": 4, "month": 16, "year": 183}
_AHEAD = datetime.timedelta(days=31)
_WEEK = 7


class Now:
    """The day on which a question is asked, and the days that one without a year may mean."""

    def __init__(self, today: datetime.date, newest: Callable[[], datetime.date | None]) -> None:
        """`newest`: the day of the newest note, None where no note tells its day."""
        self.today = today
        self._newest = newest
        self._latest: datetime.date | None = None

    @property
    def latest(self) -> datetime.date:
        """Today; where the notes end long before, a month after the newest: "in May" is the last May they know."""
        if self._latest is None:
            newest = self._newest()
            self._latest = min(self.today, newest + _AHEAD) if newest and self.today - newest > _AHEAD else self.today
        return self._latest

    def day(self, month: int, day: int, year: int | None = None) -> Days:
        """The last such day there was, where no year is said. Raises: ValueError where there is none."""
        found = datetime.date(year or self.latest.year, month, day)
        if year is None and found > self.latest:
            found = found.replace(year=found.year - 1)
        return found, found

    def month(self, month: int, year: int | None = None) -> Days:
        """The last such month there was, where no year is said."""
        return month_days(year or self.latest.year - (month > self.latest.month), month)


def month_days(year: int, month: int) -> Days:
    return datetime.date(year, month, 1), datetime.date(year, month, _length(year, month))


def ago(today: datetime.date, count: int, unit: str, *, is_vague: bool = False) -> Days:
    """Around the day so long ago; who says "a few weeks" means about three, give or take more."""
    middle = back(today, count, unit)
    slack = datetime.timedelta(days=_SLACK[unit] * (2 if is_vague else 1))
    return middle - slack, min(today, middle + slack)


def within(today: datetime.date, count: int, unit: str) -> Days:
    return back(today, count, unit), today


def unit_back(today: datetime.date, count: int, unit: str) -> Days:
    """This day, week, month or year (`count` 0), the last one (1), or one before; none goes on after today."""
    if unit == "day":
        day = today - count * _DAY
        return day, day
    if unit == "week":
        first, last = of_week(today - _WEEK * count * _DAY)
    elif unit == "month":
        months = today.year * 12 + today.month - 1 - count
        first, last = month_days(months // 12, months % 12 + 1)
    else:
        first, last = datetime.date(today.year - count, 1, 1), datetime.date(today.year - count, 12, 31)
    return first, min(today, last)


def of_week(day: datetime.date) -> Days:
    """The Monday before and the Sunday after."""
    monday = day - day.weekday() * _DAY
    return monday, monday + 6 * _DAY


def weekday(today: datetime.date, number: int) -> Days:
    """The last such day before today; 0 is Monday."""
    day = today - ((today.weekday() - number) % _WEEK or _WEEK) * _DAY
    return day, day


def back(today: datetime.date, count: int, unit: str) -> datetime.date:
    if unit in ("day", "week"):
        return today - count * (_WEEK if unit == "week" else 1) * _DAY
    months = today.year * 12 + today.month - 1 - count * (12 if unit == "year" else 1)
    year, month = months // 12, months % 12 + 1
    return datetime.date(year, month, min(today.day, _length(year, month)))


def _length(year: int, month: int) -> int:
    import calendar  # Brings the system's languages with it.

    return calendar.monthrange(year, month)[1]
