"""Notes by the day that they say they are of."""

from __future__ import annotations

import datetime
import sqlite3
from collections.abc import Collection

__all__ = ["newest_day", "notes_of_days"]


def notes_of_days(
    connection: sqlite3.Connection,
    first: datetime.date,
    last: datetime.date,
    at_most: int,
    within: Collection[int] | None = None,
) -> list[int]:
    """Notes of these days, both ends included, of those `within`; none where there are more than `at_most`."""
    rows = connection.execute(
        "SELECT num FROM note WHERE created BETWEEN ? AND ? ORDER BY created, path",
        (first.isoformat(), last.isoformat()),
    )
    found = []
    for (num,) in rows:
        if within is None or num in within:
            found.append(num)
            if len(found) > at_most:
                return []
    return found


def newest_day(connection: sqlite3.Connection, today: datetime.date) -> datetime.date | None:
    """The last day up to today that a note is of; None where none says so."""
    day = connection.execute("SELECT max(created) FROM note WHERE created <= ?", (today.isoformat(),)).fetchone()[0]
    return None if day is None else datetime.date.fromisoformat(day)
