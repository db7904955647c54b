"""The vectors of a vault, written: rows in the data file first, their names in the database afterwards."""

from __future__ import annotations

import contextlib
import hashlib
import sqlite3
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from attrs import define, field, frozen

from ori_memory.index.opening import read_error, transaction
from ori_memory.vectors.database import open_database
from ori_memory.vectors.rows import RowsLost
from ori_memory.vectors.schema import CUTTING, NAME
from ori_memory.vectors.tables import NoteStamp, Placed, Tables

__all__ = ["Finished", "Ready", "VectorStore", "digest_of"]


@frozen
class Finished:
    """All passages of a note, each of which has its vector."""

    note: NoteStamp
    passages: Sequence[Placed]
    is_cut_short: bool


@frozen
class Ready:
    """What a step has made: vectors by the digest of their text, and the notes that are complete with them."""

    vectors: Mapping[bytes, bytes]
    finished: Sequence[Finished]
    rate: float = 0.0
    """Passages a second so far, for whoever asks how long it will take."""


def digest_of(text: str) -> bytes:
    """What a passage's vector is known by."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


@define(eq=False)
class VectorStore:
    """Open for writing. Each public method is one transaction or none, and raises Unwritable, Busy or OSError."""

    fingerprint: str
    dimensions: int
    connection: sqlite3.Connection
    tables: Tables
    notices: list[str] = field(factory=list)

    @classmethod
    def open(cls, folder: Path, fingerprint: str, dimensions: int) -> Self:
        """The store of this model; vectors of another one, or without their data, are dropped."""
        connection, notice = open_database(folder / NAME)
        store = cls(fingerprint, dimensions, connection, Tables(connection, folder), [notice] if notice else [])
        try:
            with store._transaction() as tables:
                store._mend(tables)
                tables.sweep()
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
        query = "SELECT 1 FROM passage WHERE digest = ? LIMIT 1"
        with read_error():
            return {one for one in digests if self.connection.execute(query, (one,)).fetchone() is not None}

    def keep(self, make_ready: Callable[[], Ready]) -> Ready:
        """Take new vectors, and settle the notes that are complete.

        `make_ready` is called within the transaction, and must leave out what is no longer in the index: a note that
        is purged meanwhile must not come back.
        """
        with self._transaction() as tables:
            ready = make_ready()
            tables.append(ready.vectors)
            for one in ready.finished:
                tables.settle(one.note, one.passages, is_cut_short=one.is_cut_short)
            if ready.rate:
                tables.set(rate=ready.rate)
            return ready

    def owner_ids(self) -> set[str]:
        with read_error():
            return {id for (id,) in self.connection.execute("SELECT id FROM owner")}

    def drop(self, ids: Collection[str]) -> int:
        """Forget notes that are no more; their rows are reclaimed some day. Gives how many were known."""
        with self._transaction() as tables:
            return tables.drop(ids)

    def tidy(self) -> None:
        """For when nothing is wanting: forget rows whose notes never became complete, and reclaim dead ones."""
        with self._transaction() as tables:
            tables.drop_waiting()
            is_new = tables.compact()
        if is_new:
            with self._transaction() as tables:
                tables.sweep()  # Not before the new file is the named one for good.

    def clear(self) -> None:
        """Forget everything: all is to be embedded anew."""
        with self._transaction() as tables:
            tables.begin(self.fingerprint, self.dimensions)
        with self._transaction() as tables:
            tables.sweep()

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[Tables]:
        with transaction(self.connection, wait=True):
            yield self.tables

    def _mend(self, tables: Tables) -> None:
        made_by = tables.meta("fingerprint"), tables.meta("dimensions")
        if made_by != (self.fingerprint, str(self.dimensions)):
            tables.begin(self.fingerprint, self.dimensions)
            return
        try:
            notice = tables.mend()
        except RowsLost as error:
            notice = f"{error}; all notes are embedded anew."
            tables.begin(self.fingerprint, self.dimensions)
        if notice:
            self.notices.append(notice)
