"""The days that notes are about."""

from __future__ import annotations

import datetime

import pytest

from aries_kernel.contracts import NoteView, Period
from ori_signal_time.days import Days, days_in, days_of

THIRD_OF_MAY = datetime.date(2024, 5, 3)


@pytest.mark.parametrize(
    "text",
    [
        "2024-05-03", "standup 2024-05-03 notes", "2024_05_03", "2024.05.03", "2024-5-3", "daily/2024/05/03",
        "20240503", "202405031215 thought", "20240503T121500", "3.5.2024", "03.05.2024", "3 May 2024",
        "3rd of May 2024", "May 3, 2024", "may 3rd, 2024", "Mai 2024-05-03", "2023/old/2024-05-03 x",
        "2024-01/2024-05-03",
    ],
)  # fmt: skip
def test_a_day_is_read_in_the_forms_people_use(text: str) -> None:
    assert days_in(text) == Days(THIRD_OF_MAY, THIRD_OF_MAY)


@pytest.mark.parametrize("text", ["2024-02", "journal/2024/02/walk", "February 2024", "Feb 2024", "feb. 2024"])
def test_a_month_is_all_its_days(text: str) -> None:
    assert days_in(text) == Days(datetime.date(2024, 2, 1), datetime.date(2024, 2, 29))


@pytest.mark.parametrize(
    "text",
    [
        "", "May", "2024", "2024-13-40", "31.2.2024", "version 1.2.2024.5", "10.1.2.2024", "120240503",
        "tel 2024050312", "3 May", "mayor 2024", "12024-05-03", "1999x-05", "1824-05-03", "99999999",
    ],
)  # fmt: skip
def test_what_is_no_day_is_none(text: str) -> None:
    assert days_in(text) is None


def test_of_a_day_that_the_month_does_not_have_the_month_is_left() -> None:
    assert days_in("2024-02-30") == days_in("2024-02")


def test_what_the_note_says_comes_first_then_its_title_then_its_path_then_its_last_change() -> None:
    year = [datetime.date(year, 1, 1) for year in (2020, 2021, 2022, 2023)]
    view = NoteView("id", "log/2022-01-01.md", "Log of 2021-01-01", created=year[0], modified=year[3])
    assert days_of(view) == Days(year[0], year[0])
    assert days_of(NoteView("id", view.path, view.title, modified=year[3])) == Days(year[1], year[1])
    assert days_of(NoteView("id", view.path, "Log", modified=year[3])) == Days(year[2], year[2])
    assert days_of(NoteView("id", "log.md", "Log", modified=year[3])) == Days(year[3], year[3], is_said=False)
    assert days_of(NoteView("id", "log.md", "Log")) is None


def test_a_distance_is_counted_from_the_nearer_end() -> None:
    period = Period(datetime.date(2024, 5, 10), datetime.date(2024, 5, 12), "then")
    days = [datetime.date(2024, 5, day) for day in (7, 10, 12, 13)]
    assert [Days(day, day).distance(period) for day in days] == [3, 0, 0, 1]
    assert Days(days[0], days[3]).distance(period) == 0
