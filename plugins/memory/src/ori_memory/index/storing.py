"""A note's text in the two search tables, written and taken out again.

Both tables keep no text of their own (their size would double); what was written is kept once, compressed, because
taking a note out needs it exactly as it was.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Sequence

from attrs import frozen

from ori_memory.index.schema import FTS_COLUMNS
from ori_memory.index.words import folded, parts, spread
from ori_memory.model import NoteRecord

__all__ = ["StoredText", "remove_text", "stored_text", "write_text"]

_COLUMNS = ", ".join(FTS_COLUMNS)
_MARKS = ", ".join("?" * len(FTS_COLUMNS))


@frozen
class StoredText:
    """What of a note can be searched."""

    title: str
    aliases: str
    description: str
    headings: str
    body: str

    @classmethod
    def of(cls, record: NoteRecord, headings: Sequence[str], body: str) -> StoredText:
        columns = (record.title, "\n".join(record.aliases), record.description, "\n".join(headings), body)
        return cls(*(folded(column) for column in columns))

    @property
    def whole(self) -> str:
        return "\n".join((self.title, self.aliases, self.description, self.headings, self.body))


def write_text(connection: sqlite3.Connection, note: int, text: StoredText) -> None:
    """Make a note that has no text yet findable."""
    packed = "\0".join((text.title, text.aliases, text.description, text.headings, text.body)).encode("utf-8")
    connection.execute("INSERT INTO stored(note, text) VALUES(?, ?)", (note, zlib.compress(packed, 1)))
    connection.execute(f"INSERT INTO words(rowid, {_COLUMNS}) VALUES(?, {_MARKS})", (note, *_columns(text)))
    connection.execute("INSERT INTO pieces(rowid, text) VALUES(?, ?)", (note, text.whole))


def remove_text(connection: sqlite3.Connection, note: int) -> None:
    """Make a note unfindable; without a text nothing happens."""
    text = stored_text(connection, note)
    if text is None:
        return
    row = (note, *_columns(text))
    connection.execute(f"INSERT INTO words(words, rowid, {_COLUMNS}) VALUES('delete', ?, {_MARKS})", row)
    connection.execute("INSERT INTO pieces(pieces, rowid, text) VALUES('delete', ?, ?)", (note, text.whole))
    connection.execute("DELETE FROM stored WHERE note = ?", (note,))


def stored_text(connection: sqlite3.Connection, note: int) -> StoredText | None:
    """The searchable text of a note as it was when it was indexed."""
    row = connection.execute("SELECT text FROM stored WHERE note = ?", (note,)).fetchone()
    return None if row is None else unpack(row[0])


def unpack(data: bytes) -> StoredText:
    """Raises: sqlite3.DatabaseError where the bytes are not what was written."""
    try:
        return StoredText(*zlib.decompress(data).decode("utf-8").split("\0"))
    except (zlib.error, UnicodeDecodeError, TypeError) as error:
        raise sqlite3.DatabaseError(f"a stored text is damaged: {error}") from error


def _columns(text: StoredText) -> tuple[str, ...]:
    codes = parts("\n".join((text.title, text.aliases, text.body)))
    return (*map(spread, (text.title, text.aliases, text.description, text.headings, text.body)), codes)
