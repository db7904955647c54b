"""The vectors of a vault, written: rows in the data file first, their names in the database afterwards."""

from __future__ import annotations

import contextlib
import hashlib
import json
import sqlite3
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from attrs import define, field, frozen

from ori_memory.index.opening import read_error, transaction
from ori_memory.vectors.database import open_database
from ori_memory.vectors.rows import PATTERN, RowFile, RowsLost
from ori_memory.vectors.schema import CUTTING, NAME

__all__ = ["NoteStamp", "Placed", "VectorStore", "digest_of"]

_WAITING = 0
"""The owner of rows whose notes are not complete."""


@frozen
class NoteStamp:
    """A note as it is in the index: what its vectors must have been made from."""

    id: str
    num: int
    hash: bytes
    title: str


@frozen
class Placed:
    """A passage of a note by its text's digest."""

    digest: bytes
    start: int
    end: int


def digest_of(text: str) -> bytes:
    """What a passage's vector is known by."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


@define(eq=False)
class VectorStore:
    """Open for writing. Every public method is one transaction or none."""

    folder: Path
    fingerprint: str
    dimensions: int
    connection: sqlite3.Connection
    notices: list[str] = field(factory=list)

    @classmethod
    def open(cls, folder: Path, fingerprint: str, dimensions: int) -> Self:
        """The store of this model; vectors of another one, or without their data, are dropped.

        Raises: Unwritable, Busy, OSError.
        """
        connection, notice = open_database(folder / NAME)
        store = cls(folder, fingerprint, dimensions, connection, [notice] if notice else [])
        try:
            with store._transaction():
                store._mend()
                store._sweep()
        except BaseException:
            store.close()
            raise
        return store

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self.connection.close()

    def wanting(self, notes: Sequence[NoteStamp]) -> list[NoteStamp]:
        """Those without vectors of their present text; the index's numbers of the others are taken down."""
        with read_error():
            rows = self.connection.execute("SELECT id, num, hash, title, cutting FROM owner").fetchall()
        known = {id: (num, (hash, title, cutting)) for id, num, hash, title, cutting in rows}
        found, renumbered = [], []
        for note in notes:
            num, made_from = known.get(note.id, (None, None))
            if made_from != (note.hash, note.title, CUTTING):
                found.append(note)
            elif num != note.num:
                renumbered.append((note.num, note.id))
        if renumbered:
            with self._transaction():
                self.connection.executemany("UPDATE owner SET num = ? WHERE id = ?", renumbered)
        return found

    def known(self, digests: Collection[bytes]) -> set[bytes]:
        """Those that have a vector already, whoever owns it."""
        with read_error():
            ask = self.connection.execute
            query = "SELECT 1 FROM passage WHERE digest = ? LIMIT 1"
            return {one for one in digests if ask(query, (one,)).fetchone() is not None}

    def keep(
        self,
        fresh: Mapping[bytes, bytes],
        complete: Mapping[NoteStamp, tuple[Sequence[Placed], bool]],
        is_there: Callable[[NoteStamp], bool],
    ) -> None:
        """Take new vectors by digest, and settle notes that have all of theirs by now, cut short or not.

        `is_there` is asked within the transaction: a note that was purged meanwhile must not come back.
        Raises: Unwritable, Busy, OSError.
        """
        with self._transaction():
            self._append([(_WAITING, digest, 0, 0, vector) for digest, vector in fresh.items()])
            for note, (passages, is_cut_short) in complete.items():
                if is_there(note):
                    self._settle(note, passages, is_cut_short)

    def drop(self, ids: Collection[str]) -> int:
        """Forget notes that are no more; their rows are reclaimed some day. Gives how many were known."""
        with self._transaction():
            return sum(self._drop(id) for id in ids)

    def drop_waiting(self) -> None:
        """Rows whose notes never became complete; for when no note is wanting."""
        with self._transaction():
            self.connection.execute("DELETE FROM passage WHERE owner = ?", (_WAITING,))

    def owner_ids(self) -> set[str]:
        with read_error():
            return {id for (id,) in self.connection.execute("SELECT id FROM owner")}

    def clear(self) -> None:
        """Drop everything: all is to be embedded anew."""
        with self._transaction():
            self._begin_file()
            self._sweep()

    def _rows(self) -> RowFile:
        return RowFile(self.folder / self._meta("file"), self.dimensions)

    def _meta(self, key: str) -> str:
        row = self.connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return "" if row is None else str(row[0])

    def _set(self, **values: object) -> None:
        pairs = [(key, str(value)) for key, value in values.items()]
        self.connection.executemany("INSERT OR REPLACE INTO meta VALUES(?, ?)", pairs)

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        with transaction(self.connection, wait=True):
            yield

    def _mend(self) -> None:
        """Bring the database to what the data file holds."""
        if self._meta("fingerprint") != self.fingerprint or self._meta("dimensions") != str(self.dimensions):
            return self._begin_file()
        try:
            rows = self._rows().whole_rows()
        except RowsLost as error:
            self.notices.append(f"{error}; all notes are embedded anew.")
            return self._begin_file()
        if rows < int(self._meta("end")):
            lost = "SELECT owner FROM passage WHERE row >= ?"
            self.connection.execute(f"UPDATE owner SET hash = x'' WHERE key IN ({lost})", (rows,))
            self.connection.execute("DELETE FROM passage WHERE row >= ?", (rows,))
            self._set(end=rows)
            self.notices.append(f"{self._meta('file')} was cut short; what is missing is embedded anew.")
        return None

    def _begin_file(self) -> None:
        for table in ("passage", "owner"):
            self.connection.execute(f"DELETE FROM {table}")
        file = RowFile.create(self.folder, self.dimensions)
        self._set(fingerprint=self.fingerprint, dimensions=self.dimensions, file=file.path.name, end=0)

    def _sweep(self) -> None:
        """Remove data files that the database does not name; one that a reader has mapped may have to wait."""
        current = self._meta("file")
        for file in self.folder.glob(PATTERN):
            if file.name != current:
                with contextlib.suppress(OSError):
                    file.unlink()

    def _append(self, entries: Sequence[tuple[int, bytes, int, int, bytes]]) -> None:
        """Owner, digest, start, end and vector each."""
        if not entries:
            return
        first = int(self._meta("end"))
        self._rows().write(first, b"".join(entry[4] for entry in entries))
        named = [(first + place, *entry[:4]) for place, entry in enumerate(entries)]
        self.connection.executemany("INSERT INTO passage VALUES(?, ?, ?, ?, ?)", named)
        self._set(end=first + len(entries))

    def _settle(self, note: NoteStamp, passages: Sequence[Placed], is_cut_short: bool) -> None:
        """Give the note the rows of its passages: its own first, then waiting ones, then copies of others'."""
        key, file = self._owner_key(note, is_cut_short), self._rows()
        free: dict[bytes, list[int]] = {}
        source: dict[bytes, int] = {}
        query = "SELECT row, owner FROM passage WHERE digest = ? ORDER BY owner = ?, row DESC"
        for digest in {one.digest for one in passages}:
            rows = self.connection.execute(query, (digest, key)).fetchall()
            source[digest] = rows[0][0]
            free[digest] = [row for row, owner in rows if owner in (key, _WAITING)]
        kept, copies = [], []
        for one in passages:
            if free[one.digest]:
                kept.append((key, one.start, one.end, free[one.digest].pop()))
            else:
                copies.append((key, one.digest, one.start, one.end, file.read(source[one.digest])))
        marks = json.dumps([row for *_, row in kept])
        unused = "DELETE FROM passage WHERE owner = ? AND row NOT IN (SELECT value FROM json_each(?))"
        self.connection.execute(unused, (key, marks))
        self.connection.executemany("UPDATE passage SET owner = ?, start = ?, end = ? WHERE row = ?", kept)
        self._append(copies)

    def _owner_key(self, note: NoteStamp, is_cut_short: bool) -> int:
        self.connection.execute(
            "INSERT INTO owner(id, num, hash, title, cutting, is_cut_short) VALUES(?, ?, ?, ?, ?, ?) "
            "ON CONFLICT(id) DO UPDATE SET num = excluded.num, hash = excluded.hash, title = excluded.title, "
            "cutting = excluded.cutting, is_cut_short = excluded.is_cut_short",
            (note.id, note.num, note.hash, note.title, CUTTING, int(is_cut_short)),
        )
        return int(self.connection.execute("SELECT key FROM owner WHERE id = ?", (note.id,)).fetchone()[0])

    def _drop(self, id: str) -> bool:
        row = self.connection.execute("DELETE FROM owner WHERE id = ? RETURNING key", (id,)).fetchone()
        if row is not None:
            self.connection.execute("DELETE FROM passage WHERE owner = ?", (row[0],))
        return row is not None
