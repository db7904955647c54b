"""Dates in the forms that exports of conversations have."""

from __future__ import annotations

import datetime

import pytest

from ori_memory.evaluation.dates import read_date


@pytest.mark.parametrize(
    "text",
    [
        "1:56 pm on 8 May, 2023",
        "8 May 2023",
        "8th of May, 2023",
        "May 8, 2023",
        "May 8th 2023, 10:15",
        "Mon, 08 May 2023 10:15:00 GMT",
        "2023-05-08",
        "2023-05-08T10:15:00Z",
        "2023/05/08 (Mon) 02:21",
        "8.5.2023, 20:02:14",
        "08-May-2023",
    ],
)
def test_forms_that_name_one_day(text: str) -> None:
    assert read_date(text) == datetime.date(2023, 5, 8)


@pytest.mark.parametrize("text", ["", "5/8/2023", "yesterday", "31 February 2023", "8 Foo 2023", "May 2023"])
def test_what_names_no_day_is_none(text: str) -> None:
    assert read_date(text) is None


def test_a_short_month_is_read_and_a_word_that_begins_like_none_is_not() -> None:
    assert read_date("3 Sept 2021") == datetime.date(2021, 9, 3)
    assert read_date("3 mayonnaise 2021") is None
