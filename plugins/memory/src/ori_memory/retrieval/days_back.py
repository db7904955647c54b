"""Days that a question counts back from its own, in English: "four weeks ago", "last Friday", "this month"."""

from __future__ import annotations

import re

from ori_memory.retrieval.dates_said import Reader
from ori_memory.retrieval.day_steps import Days, Now, ago, unit_back, weekday, within

__all__ = ["READERS"]

_WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_VAGUE = {"few": 3, "several": 4, "some": 3}
_NUMBERS = {"a": 1, "an": 1, "couple": 2} | {word: number for number, word in enumerate(_WORDS, 1)} | _VAGUE
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_COUNT = r"(?:a\s+)?(?P<count>\d{1,3}|" + "|".join(_NUMBERS) + r")(?:\s+of)?"
_UNIT = r"(?P<unit>day|week|month|year)"
_SATURDAY = 5


def _ago(match: re.Match[str], now: Now) -> Days:
    return ago(now.today, _count(match["count"]), match["unit"].lower(), is_vague=match["count"].lower() in _VAGUE)


def _within(match: re.Match[str], now: Now) -> Days:
    return within(now.today, _count(match["count"] or "one"), match["unit"].lower())


def _last_unit(match: re.Match[str], now: Now) -> Days:
    return unit_back(now.today, 1 if match["which"].lower() == "last" else 0, match["unit"].lower())


def _weekday(match: re.Match[str], now: Now) -> Days:
    return weekday(now.today, _DAYS.index(match["name"].lower()))


def _weekend(match: re.Match[str], now: Now) -> Days:
    """The last one that has begun."""
    first, last = unit_back(now.today, (now.today.weekday() - _SATURDAY) % 7, "day")
    return first, min(now.today, last.fromordinal(min(last.toordinal() + 1, last.max.toordinal())))


def _near(match: re.Match[str], now: Now) -> Days:
    phrase = " ".join(match[0].lower().split())
    if "before yesterday" in phrase:
        return unit_back(now.today, 2, "day")
    first, last = unit_back(now.today, 1 if phrase in ("yesterday", "last night") else 0, "day")
    return first, now.today if phrase == "last night" else last


def _count(word: str) -> int:
    return int(word) if word.isdecimal() else _NUMBERS[word.lower()]


READERS: tuple[tuple[str, Reader], ...] = (
    (rf"\b{_COUNT}\s+{_UNIT}s?\s+(?:ago|back)\b", _ago),
    (rf"\b(?:in|over|within|during)?\s*the\s+(?:last|past)\s+(?:{_COUNT}\s+)?{_UNIT}s?\b", _within),
    (r"\b(?P<which>last|this)\s+(?P<unit>week|month|year)\b", _last_unit),
    (r"\b(?:last|on|since|after|before|until|till|this\s+past)\s+(?P<name>" + "|".join(_DAYS) + r")\b", _weekday),
    (r"\b(?:last|this|the|this\s+past)\s+weekend\b", _weekend),
    (
        r"\b(?:the\s+day\s+before\s+yesterday|yesterday|today|tonight|last\s+night|this\s+(?:morning|afternoon|evening))\b",
        _near,
    ),
)
