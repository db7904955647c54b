"""How long a server asks us to wait, out of its headers, its error record or its words."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime

__all__ = ["asked_wait", "wait_in_text"]

_LONGEST = 31 * 86_400.0
"""A longer wait means the same: not in this session."""
_NUMBER = re.compile(r"\+?[0-9]{1,300}(\.[0-9]{0,50})?")
_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86_400.0}
_UNIT = r"(?:ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?)"
_STEP = rf"[0-9]{{1,9}}(?:\.[0-9]{{1,9}})?\s?{_UNIT}"
_PHRASE = re.compile(rf"(?:retry|again|wait)\s(?:(?:after|in|for)\s)?((?:{_STEP}\s?){{1,4}})(?![a-z])", re.IGNORECASE)
_DELAY = re.compile(rf"([0-9]{{1,9}}(?:\.[0-9]{{1,9}})?)\s?({_UNIT})", re.IGNORECASE)


def asked_wait(headers: Mapping[str, str], details: object, text: str) -> float | None:
    """Seconds to wait; None where the server said nothing that can be understood. Header names are lower case."""
    for found in (
        _scaled(headers.get("retry-after-ms", ""), 0.001),
        _retry_after(headers),
        _retry_info(details),
        wait_in_text(text),
    ):
        if found is not None:
            return min(found, _LONGEST)
    return None


def wait_in_text(text: str) -> float | None:
    """The wait in a phrase such as "try again in 1m20.5s"; None where there is none."""
    match = _PHRASE.search(text[:4000])
    return _duration(match.group(1)) if match else None


def _retry_after(headers: Mapping[str, str]) -> float | None:
    value = headers.get("retry-after", "").strip()
    seconds = _scaled(value, 1.0)
    if seconds is not None:
        return seconds
    when = _timestamp(value)
    if when is None:
        return None
    # The server's own clock, where it shows it, is the one its date is measured by.
    now = _timestamp(headers.get("date", ""))
    return max(0.0, when - (time.time() if now is None else now))


def _timestamp(value: str) -> float | None:
    if not value:
        return None
    try:
        return parsedate_to_datetime(value).timestamp()
    except (ValueError, TypeError, OverflowError, OSError, IndexError):
        return None  # Not a date: the header is treated as if it were absent.


def _scaled(value: str, factor: float) -> float | None:
    value = value.strip()
    if not _NUMBER.fullmatch(value):
        return None
    seconds = float(value) * factor
    return seconds if math.isfinite(seconds) else _LONGEST


def _retry_info(details: object) -> float | None:
    for detail in details if isinstance(details, list) else ():
        delay = detail.get("retryDelay") if isinstance(detail, dict) else None
        if isinstance(delay, str) and _DELAY.fullmatch(delay.strip()):
            return _duration(delay)
    return None


def _duration(text: str) -> float:
    total = 0.0
    for number, unit in _DELAY.findall(text):
        name = unit.lower()
        total += float(number) * _UNITS["ms" if name.startswith(("ms", "milli")) else name[0]]
    return total
