"""What is read and written in vectors.db and its data file, within a transaction of the caller."""

from __future__ import annotations

import contextlib
import itertools
import json
import sqlite3
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from attrs import frozen

from ori_memory.vectors.rows import PATTERN, RowFile
from ori_memory.vectors.schema import CUTTING

__all__ = ["WAITING", "NoteStamp", "Placed", "Tables"]

WAITING = 0
"""The owner of rows whose notes are not complete."""
_CHUNK = 4096
_FEW = 256
"""Rows for which no file is written anew."""


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


@frozen
class Tables:
    """The tables and the rows they name."""

    connection: sqlite3.Connection
    folder: Path

    @property
    def rows(self) -> RowFile:
        return RowFile(self.folder / self.meta("file"), int(self.meta("dimensions")))

    def meta(self, key: str) -> str:
        """Empty where it was never set."""
        row = self.connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return "" if row is None else str(row[0])

    def set(self, **values: object) -> None:
        pairs = [(key, str(value)) for key, value in values.items()]
        self.connection.executemany("INSERT OR REPLACE INTO meta VALUES(?, ?)", pairs)

    def begin(self, fingerprint: str, dimensions: int) -> None:
        """Forget everything and begin a data file."""
        for table in ("passage", "owner", "meta"):
            self.connection.execute(f"DELETE FROM {table}")
        file = RowFile.create(self.folder, dimensions)
        self.set(fingerprint=fingerprint, dimensions=dimensions, file=file.path.name, end=0)

    def mend(self) -> str:
        """Forget what the data file does not hold; gives what a person should know. Raises: RowsLost."""
        rows = self.rows.whole_rows()
        if rows >= int(self.meta("end")):
            return ""
        lost = "SELECT owner FROM passage WHERE row >= ?"
        self.connection.execute(f"UPDATE owner SET hash = x'' WHERE key IN ({lost})", (rows,))
        self.connection.execute("DELETE FROM passage WHERE row >= ?", (rows,))
        self.set(end=rows)
        return f"{self.meta('file')} was cut short; what is missing is embedded anew."

    def sweep(self) -> None:
        """Remove data files that are not named; one that a reader has mapped may have to wait."""
        current = self.meta("file")
        for file in self.folder.glob(PATTERN):
            if file.name != current:
                with contextlib.suppress(OSError):
                    file.unlink()

    def append(self, vectors: Mapping[bytes, bytes]) -> None:
        """Keep vectors by digest until their notes are complete."""
        self._append([(WAITING, digest, 0, 0, vector) for digest, vector in vectors.items()])

    def settle(self, note: NoteStamp, passages: Sequence[Placed], *, is_cut_short: bool) -> None:
        """Give the note the rows of its passages: its own first, then waiting ones, then copies of others'."""
        key, file = self._owner_key(note, is_cut_short), self.rows
        free: dict[bytes, list[int]] = {}
        source: dict[bytes, int] = {}
        query = "SELECT row, owner FROM passage WHERE digest = ? ORDER BY owner = ?, row DESC"
        for digest in {one.digest for one in passages}:
            rows = self.connection.execute(query, (digest, key)).fetchall()
            source[digest] = rows[0][0]
            free[digest] = [row for row, owner in rows if owner in (key, WAITING)]
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

    def drop(self, ids: Collection[str]) -> int:
        """Forget notes; gives how many were known."""
        found = 0
        for id in ids:
            row = self.connection.execute("DELETE FROM owner WHERE id = ? RETURNING key", (id,)).fetchone()
            if row is not None:
                found += 1
                self.connection.execute("DELETE FROM passage WHERE owner = ?", (row[0],))
        return found

    def drop_waiting(self) -> None:
        self.connection.execute("DELETE FROM passage WHERE owner = ?", (WAITING,))

    def live_rows(self) -> list[int]:
        """In their order."""
        return [row for (row,) in self.connection.execute("SELECT row FROM passage ORDER BY row")]

    def compact(self) -> bool:
        """Write the data file anew where more than half of its rows are dead. Raises: OSError."""
        end, live = int(self.meta("end")), self.live_rows()
        if end < _FEW or 2 * len(live) >= end:
            return False
        old = self.rows
        new = RowFile.create(self.folder, old.dimensions)
        for first in range(0, len(live), _CHUNK):
            new.write(first, b"".join(old.read_many(live[first : first + _CHUNK])))
        # Rising, each row moves to a place that is free by then.
        moves = [(place, row) for place, row in zip(itertools.count(), live, strict=False) if place != row]
        self.connection.executemany("UPDATE passage SET row = ? WHERE row = ?", moves)
        self.set(file=new.path.name, end=len(live))
        return True

    def _append(self, entries: Sequence[tuple[int, bytes, int, int, bytes]]) -> None:
        """Owner, digest, start, end and vector each."""
        if not entries:
            return
        first = int(self.meta("end"))
        self.rows.write(first, b"".join([entry[4] for entry in entries]))
        named = [(first + place, *entry[:4]) for place, entry in enumerate(entries)]
        self.connection.executemany("INSERT INTO passage VALUES(?, ?, ?, ?, ?)", named)
        self.set(end=first + len(entries))

    def _owner_key(self, note: NoteStamp, is_cut_short: bool) -> int:
        self.connection.execute(
            "INSERT INTO owner(id, num, hash, title, cutting, is_cut_short) VALUES(?, ?, ?, ?, ?, ?) "
            "ON CONFLICT(id) DO UPDATE SET num = excluded.num, hash = excluded.hash, title = excluded.title, "
            "cutting = excluded.cutting, is_cut_short = excluded.is_cut_short",
            (note.id, note.num, note.hash, note.title, CUTTING, int(is_cut_short)),
        )
        return int(self.connection.execute("SELECT key FROM owner WHERE id = ?", (note.id,)).fetchone()[0])
