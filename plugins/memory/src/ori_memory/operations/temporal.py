"""When a reminder is about: explicit ISO dates only, nothing guessed from words."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable
from enum import StrEnum

from attrs import frozen

__all__ = ["Reminder", "When", "read_reminders", "wording", "worth_showing"]

_KEPT_DAYS = 30
"""How long what has no date of its own is shown after it was written down."""

_DATE = re.compile(r"(?<![\w-])(\d{4}-\d{2}-\d{2})(?:[T ]\d{2}:\d{2}(?::\d{2})?)?(?![\w-])")
_ITEM = re.compile(r"\s*(?:[-*+]|\d{1,9}[.)])\s+(?:\[(?P<mark>.)\]\s+)?(?P<text>(?!\[.\]\s*$)\S.*)")
_CAPTURED = re.compile(rf"{_DATE.pattern}\s*(?:[:：]|[–—-](?=\s)|$)\s*")
_EVENT = re.compile(rf"(?<!\w)(?:on|at|for|due|by)\b:?\s*{_DATE.pattern}", re.IGNORECASE)
_OPEN_MARKS = (None, " ")


class When(StrEnum):
    """How a reminder stands to today, in the order in which they are shown."""

    DUE = "due"
    UPCOMING = "upcoming"
    NOTE = "note"
    """It has no date of its own."""
    EXPIRED = "expired"


@frozen
class Reminder:
    """One open item."""

    text: str
    """Without the mark and the date in front."""
    when: When
    captured: datetime.date | None
    """When it was written down."""
    event: datetime.date | None
    """When it is due."""


def read_reminders(lines: Iterable[str], today: datetime.date) -> list[Reminder]:
    """The open items among `lines`; done ones (`[x]` and any other mark) are left out."""
    found = (_ITEM.fullmatch(line.rstrip()) for line in lines)
    return [_reminder(item["text"], today) for item in found if item and item["mark"] in _OPEN_MARKS]


def worth_showing(reminders: Iterable[Reminder], today: datetime.date) -> list[Reminder]:
    """What is due, then what comes next, then what has no date, the newest first; nothing that is over."""
    kept = [one for one in reminders if one.when is not When.EXPIRED and not _is_stale(one, today)]
    return sorted(kept, key=_order)


def wording(reminder: Reminder, today: datetime.date) -> str:
    """One line for a brief."""
    if reminder.when is When.DUE:
        return f"due today: {reminder.text}"
    if reminder.when is When.UPCOMING and reminder.event is not None:
        days = (reminder.event - today).days
        return f"{reminder.event} (in {days} day{'' if days == 1 else 's'}): {reminder.text}"
    return f"since {reminder.captured}: {reminder.text}" if reminder.captured else reminder.text


def _reminder(text: str, today: datetime.date) -> Reminder:
    front = _CAPTURED.match(text)
    captured = _read(front[1]) if front else None
    rest = text[front.end() :] if front and captured else text
    if captured is not None and captured > today:
        # Nothing is written down in the future: the date in front says when it is due.
        event: datetime.date | None = captured
        captured = None
    else:
        event = _event(rest, has_captured=captured is not None)
    return Reminder(rest.strip() or text, _class_of(event, captured, today), captured, event)


def _event(text: str, *, has_captured: bool) -> datetime.date | None:
    """The date after on, at, for, due or by; otherwise the second date of the whole, or the only one."""
    named = [date for found in _EVENT.finditer(text) if (date := _read(found[1]))]
    if named:
        return named[0]
    dates = [date for found in _DATE.finditer(text) if (date := _read(found[1]))]
    if has_captured:
        return dates[0] if dates else None
    return dates[1] if len(dates) > 1 else dates[0] if dates else None


def _read(text: str) -> datetime.date | None:
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        return None


def _class_of(event: datetime.date | None, captured: datetime.date | None, today: datetime.date) -> When:
    if event is None:
        # The file's own form puts the due date in front; on that very day it is due.
        return When.DUE if captured == today else When.NOTE
    if event == today:
        return When.DUE
    return When.UPCOMING if event > today else When.EXPIRED


def _is_stale(reminder: Reminder, today: datetime.date) -> bool:
    if reminder.when is not When.NOTE or reminder.captured is None:
        return False
    return (today - reminder.captured).days > _KEPT_DAYS


def _order(reminder: Reminder) -> tuple[int, int, str]:
    rank = list(When).index(reminder.when)
    if reminder.when is When.UPCOMING and reminder.event is not None:
        return rank, reminder.event.toordinal(), reminder.text
    return rank, -reminder.captured.toordinal() if reminder.captured else 0, reminder.text
