"""Time phrases of a question: "four weeks ago", "in May 2023", "vor vier Wochen", "5月4号"."""

from __future__ import annotations

import datetime
import functools
import importlib
import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from aries_kernel.contracts import Period
from ori_memory.index.asking import words_of
from ori_memory.retrieval.function_words import holds_english

if TYPE_CHECKING:
    from ori_memory.retrieval.dates_said import Reader
    from ori_memory.retrieval.day_steps import Now

__all__ = ["MODIFIERS", "period_of"]

MODIFIERS = ("since", "after", "before", "until", "till")
"""Words that make another stretch of the one that follows, whose own words no note of it needs to hold."""

_LONGEST = 2_000
"""Of a pasted page the rest is content."""
_MODULE = "ori_memory.retrieval."
_DATES, _BACK, _ELSEWHERE = (_MODULE + name for name in ("dates_said", "days_back", "days_back_elsewhere"))
_HINTS = {
    _DATES: re.compile(
        r"\d\d?[./-]\d|\d[年년]|[月월]|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|\bq[1-4]\b|"
        r"\b(?:in|during|since|after|before|until|till)\s+(?:19|20)\d\d|\b\d\d?\.?\s+[^\W\d]|[^\W\d]\s+(?:19|20)\d\d\b",
        re.IGNORECASE,
    ),
    _BACK: re.compile(r"\b(?:ago|back|last|past|this|weekend|\w{2,6}day|tonight)\b", re.IGNORECASE),
}
"""What every phrase of a group holds. Most hold none; the patterns take milliseconds to compile."""
_HINTS_ELSEWHERE = (
    *("heute", "gestern", "woche", "monat", "jahr", "tag", "mittwoch", "sonnabend", "hier", "semaine", "mois", "jour"),
    *("di ", "dim", "hoy", "ayer", "antier", "seman", "mes", "año", "ano", "ann", " an", "día", "dia", "lun", "mar"),
    *("miér", "juev", "vier", "sáb", "dom", "sab", "ieri", "oggi", "settim", "giorn", "mercol", "giov", "vener"),
    *("hoje", "ontem", "mês", "segunda", "terça", "feira", "gister", "vandaag", "week", "weken", "maand", "jaar"),
    *("dagen", "wczoraj", "dzi", "dni", "tyg", "miesi", "lat", "rok", "ponied", "wtor", "środ", "czw", "piąt", "niedz"),
    *("igår", "vecka", "veckor", "månad", "år", "dün", "gün", "hafta", "yıl", "sene", "pazar", "salı", "çarş", "perş"),
    *("cuma", "geçen", "bu ay"),
)
"""Of languages with Latin letters, where the question is not English; other letters are always looked through."""
_MODIFIER = rf"(?<!\w)(?:({'|'.join(MODIFIERS)})|(week) (?:of|beginning|starting))(?: the)? ?\Z"
"""Compiled where a time is named, which most questions do not."""


def period_of(
    text: str, today: datetime.date, newest: Callable[[], datetime.date | None] = lambda: None
) -> Period | None:
    """The first stretch of days that `text` speaks of, or None. Later phrases are taken for part of the content.

    `newest`: the day of the newest note. Where that is long ago, a day without a year is the last one before it.
    """
    text = text[:_LONGEST]
    groups = list(_groups(text))
    if not groups:
        return None
    from ori_memory.retrieval.day_steps import Now

    now = Now(today, newest)
    found = min(_readings(text, groups, now), key=lambda one: (one[0], -one[1]), default=None)
    if found is None:
        return None
    start, end, first, last = found
    return _modified(text, start, end, first, last, today)


def _groups(text: str) -> Iterator[str]:
    yield from (module for module, hint in _HINTS.items() if hint.search(text))
    low = text.lower()
    if (not low.isascii() and any(letter > "ʯ" for letter in low)) or (
        any(hint in low for hint in _HINTS_ELSEWHERE) and not holds_english(words_of(text))
    ):
        yield _ELSEWHERE


def _readings(text: str, groups: list[str], now: Now) -> Iterator[tuple[int, int, datetime.date, datetime.date]]:
    for pattern, read in (one for group in groups for one in _compiled(group)):
        for match in pattern.finditer(text):
            try:
                days = read(match, now)
            except (ValueError, OverflowError):
                continue  # The 31st of June, or a day before the calendar begins: no date.
            if days is not None and days[0] <= days[1]:
                yield match.start(), match.end(), *days
                break


def _modified(
    text: str, start: int, end: int, first: datetime.date, last: datetime.date, today: datetime.date
) -> Period | None:
    """What "since", "before" and their like make of it."""
    before = re.search(_MODIFIER, text[max(0, start - 30) : start], re.IGNORECASE)
    word = (before[1] or before[2] if before else text[start:end].partition(" ")[0]).lower()
    if before:
        start = max(0, start - 30) + before.start()
    day = datetime.timedelta(days=1)
    if word == "week" and before:
        first -= first.weekday() * day
        last = first + min(6, (datetime.date.max - first).days) * day
    elif word == "since":
        last = max(today, last)
    elif word == "after" and last < datetime.date.max:
        first, last = last + day, today if today > last else datetime.date.max
    elif word == "before" and first > datetime.date.min:
        first, last = datetime.date.min, first - day
    elif word in ("until", "till"):
        first = datetime.date.min
    is_loose = word not in MODIFIERS and last == today and first in _beginnings(today)
    return Period(first, last, text[start:end], is_loose)


def _beginnings(today: datetime.date) -> tuple[datetime.date, ...]:
    """Of this day, week, month and year."""
    monday = today - today.weekday() * datetime.timedelta(days=1)
    return today, monday, today.replace(day=1), today.replace(month=1, day=1)


@functools.cache
def _compiled(module: str) -> tuple[tuple[re.Pattern[str], Reader], ...]:
    readers = importlib.import_module(module).READERS
    return tuple((re.compile(pattern, re.IGNORECASE), read) for pattern, read in readers)
