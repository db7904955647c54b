"""How long a server asks us to wait, out of its headers, its error record or its words."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Mapping
from datetime import datetime
from email.utils import parsedate_to_datetime

__all__ = ["asked_wait", "wait_in_text"]

_LONGEST = 31 * 86_400.0
"""A longer wait means the same: not in this session."""
_NUMBER = re.compile(r"\+?[0-9]{1,300}(\.[0-9]{0,50})?")
_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86_400.0}
_UNIT = r"(?:ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?)"
_STEP = rf"[0-9]{{1,9}}(?:\.[0-9]{{1,9}})?\s?{_UNIT}"
_PHRASE = re.compile(rf"(?:retry|again|wait)\s(?:(?:after|in|for)\s)?((?:{_STEP}\s?){{1,4}})(?![a-z])", re.IGNORECASE)
_DURATION = re.compile(rf"(?:{_STEP}\s?){{1,4}}", re.IGNORECASE)
_RESET = re.compile(r"(?P<head>(?:[a-z]+-)*(?:x-)?ratelimit-(?:[a-z-]+-)?)reset(?P<tail>(?:-[a-z-]+)?)")
_AN_EPOCH_IN_SECONDS = 1_000_000_000.0
"""A number above it is a point in time, not a duration."""
_DELAY = re.compile(rf"([0-9]{{1,9}}(?:\.[0-9]{{1,9}})?)\s?({_UNIT})", re.IGNORECASE)


def asked_wait(headers: Mapping[str, str], details: object, text: str) -> float | None:
    """Seconds to wait; None where the server said nothing that can be understood. Header names are lower case."""
    for found in (
        _scaled(headers.get("retry-after-ms", ""), 0.001),
        _retry_after(headers),
        _retry_info(details),
        wait_in_text(text),
        _until_reset(headers),
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


def _until_reset(headers: Mapping[str, str]) -> float | None:
    """Until the last of the limits that are used up comes back, where the server tells its limits and no wait."""
    waits = []
    for name, value in headers.items():
        match = _RESET.fullmatch(name)
        # OpenAI and Groq write the limit's name at the end, Anthropic before; OpenRouter has one limit.
        if match and headers.get(f"{match['head']}remaining{match['tail']}", "").strip() in ("0", "0.0"):
            waits.append(_reset_in(value.strip(), headers))
    known = [wait for wait in waits if wait is not None]
    return max(known) if known else None


def _reset_in(value: str, headers: Mapping[str, str]) -> float | None:
    """A duration (`6m0s`), a date, or a number: seconds, seconds since 1970, or milliseconds since then."""
    if _DURATION.fullmatch(value):
        return _duration(value)
    number = _scaled(value, 1.0)
    now = _timestamp(headers.get("date", "")) or time.time()
    if number is not None:
        since = number / 1000 if number > _AN_EPOCH_IN_SECONDS * 100 else number
        return max(0.0, since - now) if since > _AN_EPOCH_IN_SECONDS else number
    try:
        when = datetime.fromisoformat(value).timestamp()
    except (ValueError, OverflowError, OSError):
        return None  # Not a date: the header is treated as if it were absent.
    return max(0.0, when - now)


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
