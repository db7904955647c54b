"""Who a note is: an id that stays when the file is renamed, moved or edited, and when the index is deleted."""

from __future__ import annotations

import functools
import hashlib
import sqlite3
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TypeVar

from attrs import define, field, frozen

from aries_kernel.errors import AriesError

__all__ = ["IdentityStore", "KeptId", "derived_id", "own_ids"]

T = TypeVar("T")


@frozen
class KeptId:
    """An id that its file does not tell."""

    id: str
    stated: str = ""
    """What the file stated when this was decided, such as an id that another note has. Once it states another, it is
    asked anew."""


def derived_id(path: str) -> str:
    """The id of a note that says none of its own and was never renamed."""
    return _digest(unicodedata.normalize("NFC", path))


def own_ids(path: str) -> Iterator[str]:
    """The derived id, then what a note takes when that is another's: a note that moved away from this path."""
    yield derived_id(path)
    number = 1
    while True:
        yield _digest(f"{path}\0{number}")
        number += 1


@define
class IdentityStore:
    """Ids that the files themselves do not tell, kept in learned.db: the index may be deleted at any time.

    A row stands there for each note whose id is neither in its frontmatter nor derived from its path, and for no other
    note that is there.
    """

    path: Path
    problem: str = field(default="", init=False)
    """Why ids could not be read or kept; the index goes on without."""
    _known: dict[str, KeptId] | None = field(default=None, init=False)

    def of_paths(self) -> Mapping[str, KeptId]:
        """By path. Empty, with `problem` set, where the store cannot be read."""
        if self._known is None:
            nothing: dict[str, KeptId] = {}
            self._known = self._attempt(self._read, nothing)
        return self._known

    def keep(self, changes: Mapping[str, KeptId | None]) -> None:
        """Write ids of paths; None takes the row away. Sets `problem` where they cannot be written."""
        known = self.of_paths()
        rows = {path: kept for path, kept in changes.items() if known.get(path) != kept}
        if rows:
            self._attempt(lambda: self._write(rows), None)
            self._known = None

    def _attempt(self, work: Callable[[], T], otherwise: T) -> T:
        from ori_memory.learned.database import Damaged

        try:
            return work()
        except (sqlite3.Error, AriesError, OSError, Damaged) as error:
            self.problem = (
                f"{self.path.name} cannot be used ({error}); a note that was renamed gets another id if the index is "
                "deleted meanwhile. ori doctor says what can be done."
            )
            return otherwise

    def _read(self) -> dict[str, KeptId]:
        if not self.path.exists():
            return {}
        from ori_memory.learned.database import read

        return read(self.path, _rows, {})

    def _write(self, rows: Mapping[str, KeptId | None]) -> None:
        from ori_memory.learned.database import connect, create_store, transaction
        from ori_memory.learned.schema import IDENTITY

        if not self.path.exists():
            create_store(self.path)
        connection = connect(self.path)
        try:
            with transaction(connection):
                connection.execute(IDENTITY)
                connection.executemany("DELETE FROM identity WHERE path = ?", [(path,) for path in rows])
                present = [(path, kept.id, kept.stated) for path, kept in rows.items() if kept is not None]
                connection.executemany("INSERT INTO identity VALUES(?, ?, ?)", present)
        finally:
            connection.close()


def _rows(connection: sqlite3.Connection) -> dict[str, KeptId]:
    if connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'identity'").fetchone() is None:
        return {}
    rows = connection.execute("SELECT path, id, stated FROM identity")
    return {path: KeptId(id, stated) for path, id, stated in rows}


@functools.lru_cache(maxsize=2048)
def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8"), digest_size=10).hexdigest()
