"""An order of notes that does not depend on their numbers: an index that was built anew has others."""

from __future__ import annotations

import json
import math
import sqlite3
from collections.abc import Iterator, Sequence

__all__ = ["in_steady_order"]

_AT_ONCE = 100
_ALIKE = 1e-12
"""Sums of the same parts in another order differ by less."""


def in_steady_order(connection: sqlite3.Connection, ranked: Sequence[tuple[int, float]]) -> Iterator[tuple[int, float]]:
    """`ranked`, best first, with notes of the same score by their paths; no more is looked up than is taken."""
    start = 0
    while start < len(ranked):
        end = min(start + _AT_ONCE, len(ranked))
        while end < len(ranked) and ranked[end - 1][1] - ranked[end][1] < _ALIKE:
            end += 1
        yield from _by_path(connection, ranked[start:end])
        start = end


def _by_path(connection: sqlite3.Connection, ranked: Sequence[tuple[int, float]]) -> Iterator[tuple[int, float]]:
    runs: list[list[tuple[int, float]]] = []
    last = math.inf
    for row in ranked:
        if last - row[1] < _ALIKE:
            runs[-1].append(row)
        else:
            runs.append([row])
        last = row[1]
    alike = [num for run in runs if len(run) > 1 for num, _ in run]
    query = "SELECT num, path FROM note WHERE num IN (SELECT value FROM json_each(?))"
    paths = dict(connection.execute(query, (json.dumps(alike),)).fetchall()) if alike else {}
    for run in runs:
        yield from sorted(run, key=lambda row: paths.get(row[0], "")) if len(run) > 1 else run
