"""Reminders are classed by the dates that they state, and by nothing else."""

from __future__ import annotations

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ori_memory.operations.temporal import When, read_reminders, wording, worth_showing

TODAY = datetime.date(2026, 3, 10)


def day(text: str) -> datetime.date | None:
    return datetime.date.fromisoformat(text) if text else None


@pytest.mark.parametrize(
    ("line", "when", "captured", "event"),
    [
        ("- [ ] 2026-03-01: call Ann on 2026-03-15", When.UPCOMING, "2026-03-01", "2026-03-15"),
        ("- [ ] 2026-03-01: call Ann on 2026-03-10", When.DUE, "2026-03-01", "2026-03-10"),
        ("- [ ] 2026-03-01: call Ann by 2026-03-09", When.EXPIRED, "2026-03-01", "2026-03-09"),
        ("- [ ] 2026-03-01: call Ann", When.NOTE, "2026-03-01", ""),
        ("- [ ] 2026-03-10: call Ann", When.DUE, "2026-03-10", ""),
        ("- [ ] 2026-03-20: call Ann", When.UPCOMING, "", "2026-03-20"),
        ("- [ ] 2026-03-01: trip 2026-03-12", When.UPCOMING, "2026-03-01", "2026-03-12"),
        ("- [ ] seen 2026-03-01, again 2026-04-01", When.UPCOMING, "", "2026-04-01"),
        ("- [ ] seen 2026-04-01, due: 2026-03-02", When.EXPIRED, "", "2026-03-02"),
        ("* call Ann for 2026-03-11T09:30", When.UPCOMING, "", "2026-03-11"),
        ("1. call Ann", When.NOTE, "", ""),
        ("- [ ] 2026-02-30: no such day", When.NOTE, "", ""),
        ("- [ ] tomorrow or in March", When.NOTE, "", ""),
        ("- [ ] ticket 12026-03-010 and 2026-03-01-x", When.NOTE, "", ""),
    ],
)
def test_a_reminder_has_the_class_of_its_dates(line: str, when: When, captured: str, event: str) -> None:
    [found] = read_reminders([line], TODAY)
    assert (found.when, found.captured, found.event) == (when, day(captured), day(event))


@pytest.mark.parametrize("line", ["- [x] 2026-03-20: a", "- [X] a", "- [-] a", "a", "", "- [ ]", "-", "  text - [ ] a"])
def test_done_items_and_other_lines_are_none(line: str) -> None:
    assert read_reminders([line], TODAY) == []


def test_due_comes_before_upcoming_before_notes_and_what_is_over_is_not_shown() -> None:
    lines = [
        "- [ ] note without a date",
        "- [ ] 2026-02-20: newer note",
        "- [ ] 2026-02-08: thirty days old",
        "- [ ] 2026-02-07: thirty-one days old",
        "- [ ] 2026-03-12: sooner",
        "- [ ] 2026-04-01: later",
        "- [ ] a by 2026-03-09",
        "- [ ] b by 2026-03-10",
    ]
    shown = [wording(one, TODAY) for one in worth_showing(read_reminders(lines, TODAY), TODAY)]
    assert shown == [
        "due today: b by 2026-03-10",
        "2026-03-12 (in 2 days): sooner",
        "2026-04-01 (in 22 days): later",
        "since 2026-02-20: newer note",
        "since 2026-02-08: thirty days old",
        "note without a date",
    ]


@given(st.lists(st.text(alphabet="-*[] x0123456789:2026onatdue\t", max_size=40), max_size=5))
def test_no_line_makes_it_fail(lines: list[str]) -> None:
    for one in worth_showing(read_reminders(lines, TODAY), TODAY):
        assert "\n" not in wording(one, TODAY)
