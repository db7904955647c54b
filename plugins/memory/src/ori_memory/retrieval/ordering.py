"""An order of notes that does not depend on their numbers: an index that was built anew has others."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence

__all__ = ["in_steady_order"]

_AT_ONCE = 100
_ALIKE = 1e-12
"""Sums of the same parts in another order differ by less."""


def in_steady_order(
    connection: sqlite3.Connection, ranked: Sequence[tuple[int, float]], paths: dict[int, str]
) -> Iterator[tuple[int, float]]:
    """`ranked`, best first, with notes of the same score by their paths; no more is looked up than is taken.

    `paths` has those that are known already, and takes in those that are looked up.
    """
    start = 0
    while start < len(ranked):
        end = min(start + _AT_ONCE, len(ranked))
        while end < len(ranked) and ranked[end - 1][1] - ranked[end][1] < _ALIKE:
            end += 1
        yield from _by_path(connection, ranked[start:end], paths)
        start = end


def _by_path(
    connection: sqlite3.Connection, ranked: Sequence[tuple[int, float]], paths: dict[int, str]
) -> Sequence[tuple[int, float]]:
    runs: list[tuple[int, int]] = []
    for place in range(1, len(ranked)):
        if ranked[place - 1][1] - ranked[place][1] < _ALIKE:
            start = runs.pop()[0] if runs and runs[-1][1] == place else place - 1
            runs.append((start, place + 1))
    if not runs:
        return ranked
    missing = [num for start, end in runs for num, _ in ranked[start:end] if num not in paths]
    if missing:
        query = "SELECT num, path FROM note WHERE num IN (SELECT value FROM json_each(?))"
        paths.update(connection.execute(query, (json.dumps(missing),)).fetchall())
    ordered = list(ranked)
    for start, end in runs:
        ordered[start:end] = sorted(ranked[start:end], key=lambda row: paths.get(row[0], ""))
    return ordered
