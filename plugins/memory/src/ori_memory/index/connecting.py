"""Which notes got a link to another one, or from it, while the index was brought up to date (spec C.1, step 4)."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Container, Iterable, Iterator, Sequence
from contextlib import contextmanager

from attrs import define, field

__all__ = ["Connecting"]

_PAIRS = (
    "SELECT DISTINCT src, dst FROM link JOIN note ON num = src "
    "WHERE dst <> src AND {0} IN (SELECT value FROM json_each(?))"
)


@define
class Connecting:
    """Compares links as they were with what they became; asks nothing of notes that nobody wrote."""

    connection: sqlite3.Connection
    _before: set[tuple[int, int]] = field(factory=set)
    _gained: set[tuple[int, int]] = field(factory=set)

    def remember(self, paths: Iterable[str]) -> None:
        """Call it before these notes are written anew, which takes their links away."""
        self._before |= self._pairs("path", list(paths))

    @contextmanager
    def comparing(self, sources: Iterable[tuple[int, str]]) -> Iterator[None]:
        """Around the work that finds out where links of these notes lead."""
        nums = [num for num, _ in sources]
        self._before |= self._pairs("num", nums)
        yield
        self._gained |= self._pairs("num", nums) - self._before

    def ids(self, added: Container[str]) -> tuple[str, ...]:
        """Ids of the notes at both ends of new links; links between two notes that were `added` connect nothing yet."""
        nums = json.dumps(list({num for pair in self._gained for num in pair}))
        rows = self.connection.execute(
            "SELECT num, id, path FROM note WHERE num IN (SELECT value FROM json_each(?))", (nums,)
        )
        notes = {num: (id, path in added) for num, id, path in rows}
        ends = [[notes[num] for num in pair if num in notes] for pair in self._gained]
        return tuple(sorted({id for pair in ends if not all(is_new for _, is_new in pair) for id, _ in pair}))

    def _pairs(self, column: str, values: Sequence[object]) -> set[tuple[int, int]]:
        given = json.dumps(values, ensure_ascii=False)
        return set(self.connection.execute(_PAIRS.format(column), (given,))) if values else set()
