"""Notes that link to the same notes: what ties them before anybody used them together (bibliographic coupling)."""

from __future__ import annotations

import json
import math
import sqlite3
from collections.abc import Collection

__all__ = ["coupled"]

_HUB = 128
"""A note that more others link to connects nothing."""
_LEAST = 0.1
_WORTH = 0.15
_SHARED = f"""
WITH asked(num) AS (SELECT value FROM json_each(?)),
leads(num, dst) AS (
    SELECT DISTINCT asked.num, dst FROM asked JOIN link ON link.src = asked.num WHERE dst NOTNULL AND dst != link.src),
known(dst) AS (
    SELECT dst FROM (SELECT DISTINCT dst FROM leads) t
    WHERE (SELECT count(*) FROM (SELECT DISTINCT src FROM link WHERE link.dst = t.dst LIMIT {_HUB + 1})) <= {_HUB})
SELECT leads.num, link.src, count(DISTINCT link.dst) FROM leads JOIN known USING (dst) JOIN link ON link.dst = leads.dst
WHERE link.src != leads.num GROUP BY leads.num, link.src
"""
_LEADS = (
    "SELECT value, (SELECT count(DISTINCT dst) FROM link WHERE src = value AND dst NOTNULL AND dst != src) "
    "FROM json_each(?)"
)


def coupled(connection: sqlite3.Connection, notes: Collection[int]) -> dict[int, dict[int, float]]:
    """Of each note those that link to the same, by how much of what both link to they share; at most 0.15."""
    rows = connection.execute(_SHARED, (json.dumps(list(notes)),)).fetchall()
    if not rows:
        return {}
    every = {num for row in rows for num in row[:2]}
    leads = dict(connection.execute(_LEADS, (json.dumps(sorted(every)),)).fetchall())
    found: dict[int, dict[int, float]] = {}
    for one, other, shared in rows:
        share = shared / math.sqrt(leads[one] * leads[other])
        if share >= _LEAST:
            found.setdefault(one, {})[other] = _WORTH * min(1.0, share)
    return found
