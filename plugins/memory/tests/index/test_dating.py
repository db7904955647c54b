"""The day a note was written, in the forms of many programs."""

from __future__ import annotations

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ori_memory.index.dating import created_on, names_of_day, read_day

DAY = datetime.date(2021, 3, 5)


@pytest.mark.parametrize(
    "value",
    [
        DAY,
        datetime.datetime(2021, 3, 5, 8, 30),
        "2021-03-05",
        "2021-03-05T08:30:00.000Z",
        "2021-03-05T08:30:00 (UTC +05:30)",
        "2021/3/5",
        "2021-03-05 08:30Z",
        "05.03.2021",
        "[[2021-03-05 Fri]]",
        "[[Mar 5th, 2021]]",
        "March 5, 2021",
        "Friday, 5 March 2021",
        "Fri Mar 05 2021 08:30:00 GMT+0100",
        1614933000123,
        "1614933000123",
        1614933000,
        20210305,
        202103050830,
        20210305083000123,
    ],
)
def test_a_day_is_read_in_the_form_of_any_program(value: object) -> None:
    assert read_day(value) == DAY


@pytest.mark.parametrize("value", [None, "", True, 3, 2021, "2021", "{{date}}", "2021-13-01", "soon", [DAY], {}, 1.5])
def test_what_names_no_day_is_none(value: object) -> None:
    assert read_day(value) is None


def test_a_day_and_a_month_that_could_be_each_other_are_not_guessed() -> None:
    assert read_day("03/04/2021") is None
    assert read_day("23/04/2021") == read_day("04/23/2021") == datetime.date(2021, 4, 23)


@pytest.mark.parametrize(
    "key", ["created", "Created", "date", "created-at", "created_at", "createdAt", "Date created", "pubDate"]
)
def test_programs_call_it_by_many_keys(key: str) -> None:
    assert created_on({key: "2021-03-05", "updated": "2022-01-01"}, "name") == DAY


def test_the_surest_key_that_says_a_day_counts() -> None:
    assert created_on({"date": "2022-01-01", "created": DAY}, "2023-01-01") == DAY
    assert created_on({"created": "", "date": DAY}, "2023-01-01") == DAY


@pytest.mark.parametrize(
    "stem",
    [
        "2021-03-05",
        "2021_03_05",
        "2021.03.05",
        "20210305",
        "202103050830 Slip",
        "20210305083000123",
        "2021-03-05-a-post",
        "daily.journal.2021.03.05",
        "05.03.2021",
        "Talk with Ann 2021-03-05",
        "March 5th, 2021",
        "Friday, Mar 5, 2021",
        "5 March 2021",
    ],
)
def test_a_file_named_by_a_day_is_of_that_day(stem: str) -> None:
    assert created_on({}, stem) == DAY


@pytest.mark.parametrize(
    "stem",
    [
        "2021",
        "2021-03",
        "20211301",
        "1234567890",
        "1969-07-20 Moon",
        "v1.2021.03.05.7",
        "Report of May 3rd, 2021",
        "May 2021",
        "",
    ],
)
def test_other_numbers_in_a_name_are_no_day(stem: str) -> None:
    assert created_on({}, stem) is None


def test_a_diary_named_with_the_day_first_has_days_where_they_are_sure() -> None:
    assert created_on({}, "21-12-2022") == created_on({}, "12-21-2022") == datetime.date(2022, 12, 21)
    assert created_on({}, "05-03-2021") is None


def test_a_day_long_ago_is_what_the_note_is_about() -> None:
    assert created_on({"date": "1932-01-24"}, "somebody") is None


@given(st.dates(datetime.date(1990, 1, 1), datetime.date(2099, 12, 31)))
def test_every_page_of_a_diary_has_its_names(day: datetime.date) -> None:
    names = names_of_day(day)
    assert {day.isoformat(), day.strftime("%Y_%m_%d"), day.strftime("%d.%m.%Y"), day.strftime("%Y%m%d")} <= set(names)
    assert created_on({}, day.strftime("%Y_%m_%d")) == read_day(names[-1]) == day


@given(st.text(max_size=60) | st.integers())
def test_no_value_is_an_error(value: object) -> None:
    read_day(value)
    created_on({"created": value}, str(value))


@pytest.mark.parametrize(
    "body",
    [
        "# 15. Use DNS\n\nDate: 2021-03-05\n\n## Status\n\nAccepted\n",
        "- Feature Name: pin\n- Start Date: 2021-03-05\n- RFC PR: #3\n",
        "# Minutes\n\n**Meeting date:** March 5, 2021\n",
        "# Tea\n\nCreated time: March 5, 2021 3:02 PM\nTags: drinks\n",
        "Title\n=====\n\n* Date: 05.03.2021 | 22:13\n",
        "| Owner | Ann |\n| --- | --- |\n| Date | 2021-03-05 |\n",
        "# Протокол\n\nДата: 05.03.2021\n",
        "# 会议\n\n日期：2021-03-05\n",
    ],
)
def test_first_lines_say_it_where_there_are_no_properties(body: str) -> None:
    assert created_on({}, "0015-use-dns", body) == DAY


@pytest.mark.parametrize(
    "body",
    [
        "# Log\n\n## First\n\nDate: 2021-03-05\n",
        "# Log\n\n```\ncode\n```\nDate: 2021-03-05\n",
        "# A book\n\nPublished: 2021-03-05\n",
        "# Somebody\n\nDate: 1932-01-24\n",
        "The due date: 2021-03-05 is not far\n",
        "Up date: see 2021\n",
        "Date: soon, by 2021\n",
    ],
)
def test_lines_that_tell_of_something_else_date_no_note(body: str) -> None:
    assert created_on({}, "name", body) is None


def test_a_property_and_a_name_come_before_the_first_lines() -> None:
    assert created_on({"date": "2021-03-05"}, "name", "Date: 2020-01-01\n") == DAY
    assert created_on({}, "2021-03-05", "Date: 2020-01-01\n") == DAY
