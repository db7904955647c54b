"""Which note has which id, within one transaction that hands ids out."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping

__all__ = ["Claims"]


class Claims:
    """Ids as they are after the notes so far, asked of the database in one go for all that may be wanted."""

    def __init__(self, connection: sqlite3.Connection, ids: Mapping[int, str], asked: Iterable[str]) -> None:
        """`ids`: of the notes to be written that are there already. `asked`: ids that may be claimed."""
        self._connection = connection
        self._ids = dict(ids)
        self._owners: dict[str, tuple[int, str] | None] = dict.fromkeys(asked)
        query = "SELECT id, num, path FROM note WHERE id IN (SELECT value FROM json_each(?))"
        wanted = json.dumps([*self._owners, *self._ids.values()], ensure_ascii=False)
        self._owners.update((id, (num, path)) for id, num, path in connection.execute(query, (wanted,)))

    def id_of(self, num: int) -> str | None:
        """None for a new note."""
        return self._ids.get(num)

    def is_free(self, id: str, num: int) -> bool:
        """Whether the note may have the id."""
        found = self._owner(id)
        return found is None or found[0] == num

    def owner(self, id: str) -> str | None:
        """The path of the note that has the id."""
        found = self._owner(id)
        return None if found is None else found[1]

    def take(self, num: int, id: str, path: str) -> None:
        """The note has this id from now on and leaves the one it had."""
        old = self._ids.get(num)
        if old is not None:
            self._owners[old] = None
        self._ids[num] = id
        self._owners[id] = (num, path)

    def _owner(self, id: str) -> tuple[int, str] | None:
        if id not in self._owners:
            row = self._connection.execute("SELECT num, path FROM note WHERE id = ?", (id,)).fetchone()
            self._owners[id] = None if row is None else (int(row[0]), str(row[1]))
        return self._owners[id]
