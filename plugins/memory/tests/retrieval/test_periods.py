"""Time phrases of a question, asked on Wednesday the 12th of June 2024."""

from __future__ import annotations

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ori_memory.retrieval.periods import period_of

TODAY = datetime.date(2024, 6, 12)


def days(text: str, today: datetime.date = TODAY, newest: datetime.date | None = None) -> str:
    """`first..last`, one day as itself, nothing as an empty text."""
    found = period_of(text, today, lambda: newest)
    if found is None:
        return ""
    return str(found.first) if found.first == found.last else f"{found.first}..{found.last}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("what happened on 2024-03-05", "2024-03-05"),
        ("between 2024-01-01 and 2024-02-15", "2024-01-01..2024-02-15"),
        ("from 2024-01-01 to 2024-02-15", "2024-01-01..2024-02-15"),
        ("from 2024-01-01 until 2024-02-15", "2024-01-01..2024-02-15"),
        ("on 3 May 2023", "2023-05-03"),
        ("the 3rd of May", "2024-05-03"),
        ("May 3rd, 2023", "2023-05-03"),
        ("May 3, 2023", "2023-05-03"),
        ("on May 21st", "2024-05-21"),
        ("Sept. 1 2023", "2023-09-01"),
        ("in May 2023", "2023-05-01..2023-05-31"),
        ("in may", "2024-05-01..2024-05-31"),
        ("during Feb. 2024", "2024-02-01..2024-02-29"),
        ("since January", "2024-01-01..2024-06-12"),
        ("the notes of March", "2024-03-01..2024-03-31"),
        ("March 2022", "2022-03-01..2022-03-31"),
        ("in 2021", "2021-01-01..2021-12-31"),
        ("a day ago", "2024-06-10..2024-06-12"),
        ("3 days ago", "2024-06-08..2024-06-10"),
        ("four weeks ago", "2024-05-11..2024-05-19"),
        ("two months ago", "2024-03-27..2024-04-28"),
        ("a year ago", "2022-12-11..2023-12-12"),
        ("in the last week", "2024-06-05..2024-06-12"),
        ("over the past 3 months", "2024-03-12..2024-06-12"),
        ("within the last ten days", "2024-06-02..2024-06-12"),
        ("last week", "2024-06-03..2024-06-09"),
        ("this week", "2024-06-10..2024-06-12"),
        ("last month", "2024-05-01..2024-05-31"),
        ("this month", "2024-06-01..2024-06-12"),
        ("last year", "2023-01-01..2023-12-31"),
        ("this year", "2024-01-01..2024-06-12"),
        ("last monday", "2024-06-10"),
        ("on Friday", "2024-06-07"),
        ("on Wednesday", "2024-06-05"),
        ("Yesterday", "2024-06-11"),
        ("today", "2024-06-12"),
        ("since last week", "2024-06-03..2024-06-12"),
        ("before May 2023", "0001-01-01..2023-04-30"),
        ("after 3 May 2023", "2023-05-04..2024-06-12"),
        ("until June", "0001-01-01..2024-06-30"),
        ("the week of 8 May 2023", "2023-05-08..2023-05-14"),
        ("in the week starting May 8", "2024-05-06..2024-05-12"),
        ("early May", "2024-05-01..2024-05-10"),
        ("at the end of March 2023", "2023-03-21..2023-03-31"),
        ("mid-June 2023", "2023-06-11..2023-06-20"),
        ("from March to May 2023", "2023-03-01..2023-05-31"),
        ("between November and January", "2023-11-01..2024-01-31"),
        ("between August 11 and August 15 2023", "2023-08-11..2023-08-15"),
        ("from 28 December to 3 January", "2023-12-28..2024-01-03"),
        ("5-9 May 2023", "2023-05-05..2023-05-09"),
        ("May 5–9", "2024-05-05..2024-05-09"),
        ("between 5 and 9 May", "2024-05-05..2024-05-09"),
        ("May 3,2023", "2023-05-03"),
        ("the meeting of May 8, 2023", "2023-05-08"),
        ("Q3 2023", "2023-07-01..2023-09-30"),
        ("in Q1", "2024-01-01..2024-03-31"),
        ("a couple of weeks ago", "2024-05-25..2024-06-02"),
        ("a few days ago", "2024-06-07..2024-06-11"),
        ("two years back", "2021-12-11..2022-12-12"),
        ("last weekend", "2024-06-08..2024-06-09"),
        ("the day before yesterday", "2024-06-10"),
        ("last night", "2024-06-11..2024-06-12"),
        ("this morning", "2024-06-12"),
        ("on 05/27/2023", "2023-05-27"),
        ("on 27/05/2023", "2023-05-27"),
        ("2023/05/04", "2023-05-04"),
        ("the notes of 2023-05", "2023-05-01..2023-05-31"),
    ],
)
def test_every_form_of_a_phrase_has_its_days(text: str, expected: str) -> None:
    assert days(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("was geschah am 21. Dezember 2022", "2022-12-21"),
        ("am 5. März", "2024-03-05"),
        ("Notiz vom 21.12.2022", "2022-12-21"),
        ("Notizen im Mai 2024", "2024-05-01..2024-05-31"),
        ("le 5 mars 2021", "2021-03-05"),
        ("août 2023", "2023-08-01..2023-08-31"),
        ("el 21 de diciembre de 2022", "2022-12-21"),
        ("em dezembro de 2022", "2022-12-01..2022-12-31"),
        ("il 3 marzo del 2020", "2020-03-03"),
        ("заметка за 21 декабря 2022", "2022-12-21"),
        ("в мае 2023 года", "2023-05-01..2023-05-31"),
        ("2022年12月21日の日記", "2022-12-21"),
        ("2023年5月", "2023-05-01..2023-05-31"),
        ("2022년 12월 21일", "2022-12-21"),
        ("el 2 de mayo", "2024-05-02"),
        ("le 14 juillet", "2023-07-14"),
        ("5 मई 2023", "2023-05-05"),
        ("ngày 5 tháng 5", "2024-05-05"),
        ("在5月4号这天", "2024-05-04"),
        ("五月四号", "2024-05-04"),
        ("十二月二十五日", "2023-12-25"),
        ("3月に", "2024-03-01..2024-03-31"),
        ("5월 4일", "2024-05-04"),
    ],
)
def test_days_and_months_of_other_languages_have_their_days(text: str, expected: str) -> None:
    assert days(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("was habe ich gestern gemacht", "2024-06-11"),
        ("vor vier Wochen", "2024-05-11..2024-05-19"),
        ("letzte Woche", "2024-06-03..2024-06-09"),
        ("im letzten Monat", "2024-05-01..2024-05-31"),
        ("vor ein paar Tagen", "2024-06-07..2024-06-11"),
        ("in den letzten drei Wochen", "2024-05-22..2024-06-12"),
        ("am Montag", "2024-06-10"),
        ("qu'ai-je fait hier ?", "2024-06-11"),
        ("il y a deux semaines", "2024-05-25..2024-06-02"),
        ("la semaine dernière", "2024-06-03..2024-06-09"),
        ("l'année dernière", "2023-01-01..2023-12-31"),
        ("les trois derniers mois", "2024-03-12..2024-06-12"),
        ("hace tres días", "2024-06-08..2024-06-10"),
        ("el mes pasado", "2024-05-01..2024-05-31"),
        ("los últimos 3 meses", "2024-03-12..2024-06-12"),
        ("due settimane fa", "2024-05-25..2024-06-02"),
        ("quest'anno", "2024-01-01..2024-06-12"),
        ("há duas semanas", "2024-05-25..2024-06-02"),
        ("ontem", "2024-06-11"),
        ("drie weken geleden", "2024-05-18..2024-05-26"),
        ("vorige maand", "2024-05-01..2024-05-31"),
        ("dwa tygodnie temu", "2024-05-25..2024-06-02"),
        ("w zeszłym tygodniu", "2024-06-03..2024-06-09"),
        ("две недели назад", "2024-05-25..2024-06-02"),
        ("на прошлой неделе", "2024-06-03..2024-06-09"),
        ("вчера", "2024-06-11"),
        ("för två veckor sedan", "2024-05-25..2024-06-02"),
        ("iki hafta önce", "2024-05-25..2024-06-02"),
        ("दो दिन पहले", "2024-06-09..2024-06-11"),
        ("पिछले हफ्ते", "2024-06-03..2024-06-09"),
        ("昨天", "2024-06-11"),
        ("上周", "2024-06-03..2024-06-09"),
        ("上周五", "2024-06-07"),
        ("星期三", "2024-06-05"),
        ("三天前", "2024-06-08..2024-06-10"),
        ("3个月前", "2024-02-25..2024-03-28"),
        ("最近三天", "2024-06-09..2024-06-12"),
        ("去年", "2023-01-01..2023-12-31"),
        ("这个月", "2024-06-01..2024-06-12"),
        ("昨日", "2024-06-11"),
        ("先週の金曜日", "2024-06-07"),
        ("2週間前", "2024-05-25..2024-06-02"),
        ("今年", "2024-01-01..2024-06-12"),
        ("어제", "2024-06-11"),
        ("지난주 금요일", "2024-06-07"),
        ("3일 전", "2024-06-08..2024-06-10"),
        ("작년", "2023-01-01..2023-12-31"),
        ("이번 달", "2024-06-01..2024-06-12"),
    ],
)
def test_other_languages_count_back_too(text: str, expected: str) -> None:
    assert days(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("on May 4th", "2023-05-04"),
        ("in May", "2023-05-01..2023-05-31"),
        ("am 5. Mai", "2023-05-05"),
        ("5月4号", "2023-05-04"),
        ("on June 1", "2023-06-01"),
        ("in October", "2022-10-01..2022-10-31"),
        ("on 4 May 2024", "2024-05-04"),
        ("last week", "2024-06-03..2024-06-09"),
    ],
)
def test_where_the_notes_end_long_ago_a_day_without_a_year_is_the_last_one_they_know(text: str, expected: str) -> None:
    assert days(text, newest=datetime.date(2023, 5, 6)) == expected


def test_notes_of_days_to_come_or_of_this_month_change_nothing() -> None:
    assert days("in May", newest=datetime.date(2030, 1, 1)) == "2024-05-01..2024-05-31"
    assert days("on 10 June", newest=datetime.date(2024, 5, 20)) == "2024-06-10"


@pytest.mark.parametrize(
    "text",
    ["Mars 2020", "version 1.2.2024.5", "3 cats of 2021", "12 mars bars", "41.12.2022", "mayo 2"],
)
def test_other_words_beside_numbers_are_no_month(text: str) -> None:
    assert days(text) == ""


@pytest.mark.parametrize(
    "text",
    [
        "why did we choose rye",
        "may I bake",
        "march on",
        "the 2024 model",
        "ticket 12024-03-050",
        "version 2024.3.1",
        "a week of work",
        "weeks ahead",
        "she may go",
        "in a maybe",
        "was steht hier",
        "vor dem Haus",
        "der Tag der Arbeit",
        "hace falta",
        "the last straw",
        "on 05/06/2023",
        "3个月",
        "meeting with May",
        "what did Plácido Domingo sing for her",
        "which of the vendredi papers is it",
    ],
)
def test_words_that_only_look_like_time_are_none(text: str) -> None:
    assert days(text) == ""


@pytest.mark.parametrize(
    "text",
    ["2024-02-30", "February 30", "2024-13-01", "0000-00-00", "on 99 May", "999 years ago " * 3],
)
def test_a_day_that_no_calendar_has_is_no_period(text: str) -> None:
    assert days(text, datetime.date(600, 1, 1)) == ""


def test_of_a_day_that_its_month_does_not_have_the_month_is_kept() -> None:
    assert days("on 31 June 2024") == "2024-06-01..2024-06-30"


def test_a_stretch_whose_end_comes_first_is_read_as_its_first_day() -> None:
    assert days("between 2024-02-15 and 2024-01-01") == "2024-02-15"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("in July", "2023-07-01..2023-07-31"),
        ("on 13 June", "2023-06-13"),
        ("on 12 June", "2024-06-12"),
        ("in June", "2024-06-01..2024-06-30"),
        ("on December 24", "2023-12-24"),
    ],
)
def test_a_day_without_a_year_is_the_last_one_there_was(text: str, expected: str) -> None:
    assert days(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [("today", True), ("this week", True), ("heute", True), ("今年", True), ("yesterday", False),
     ("since Monday", False), ("in the last five days", False), ("last month", False), ("on 11 June", False)],
)  # fmt: skip
def test_words_for_the_present_may_mean_no_days(text: str, expected: bool) -> None:
    found = period_of(text, TODAY)
    assert found is not None and found.is_loose is expected


def test_a_date_that_is_written_whole_may_lie_ahead() -> None:
    assert days("due on 2025-01-01") == "2025-01-01"
    assert days("in May 2025") == "2025-05-01..2025-05-31"


def test_a_leap_day_without_a_year_is_that_of_this_year_or_none() -> None:
    assert days("on 29 February") == "2024-02-29"
    assert days("on 29 February", datetime.date(2023, 6, 1)) == ""


def test_a_month_back_from_its_last_day_stays_in_the_calendar() -> None:
    assert days("in the last month", datetime.date(2024, 3, 31)) == "2024-02-29..2024-03-31"


def test_the_months_before_january_are_of_the_year_before() -> None:
    assert days("last month", datetime.date(2024, 1, 15)) == "2023-12-01..2023-12-31"
    assert days("last week", datetime.date(2024, 1, 1)) == "2023-12-25..2023-12-31"


def test_the_first_phrase_counts_and_is_told() -> None:
    found = period_of("in May 2023 or 2024-01-01", TODAY)
    assert found is not None and found.phrase == "in May 2023"


def test_a_longer_phrase_that_begins_at_the_same_place_counts() -> None:
    assert days("from 2024-01-01 to 2024-01-05") == "2024-01-01..2024-01-05"


def test_an_impossible_date_does_not_hide_a_possible_one_of_the_same_form() -> None:
    assert days("2024-02-30, no: 2024-02-28") == "2024-02-28"


@given(st.text(), st.dates())
def test_any_text_on_any_day_has_a_period_or_none(text: str, today: datetime.date) -> None:
    found = period_of(text, today)
    assert found is None or (found.first <= found.last and found.phrase in text)


PHRASES = st.sampled_from(
    ["999 weeks ago", "999 years ago", "last week", "last month", "last year", "the past 999 months", "yesterday",
     "on monday", "5 May", "in May", "week of 9999-12-31", "after 9999-12-31", "before 0001-01-01", "last weekend",
     "vor 999 Jahren", "999年前", "上周五", "letzte Woche", "until May"]
)  # fmt: skip


@given(PHRASES, st.dates())
def test_a_phrase_that_leads_out_of_the_calendar_is_none_and_no_error(text: str, today: datetime.date) -> None:
    found = period_of(text, today)
    assert found is None or found.first <= found.last <= datetime.date.max
