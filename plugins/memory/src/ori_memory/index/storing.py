"""A note's text in the two search tables, written and taken out again.

Both tables keep no text of their own (their size would double); what was written is kept once, compressed, because
taking a note out needs it exactly as it was.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Sequence

from ori_memory.index.record import sql_text
from ori_memory.index.schema import FTS_COLUMNS
from ori_memory.index.stored import StoredText, pack, pack_spans, unpack
from ori_memory.index.words import folded, is_plain
from ori_memory.model import NoteRecord
from ori_memory.notes.naming import stem_of
from ori_memory.notes.spans import Spans
from ori_memory.notes.titling import speaks_for_folder

__all__ = ["remove_text", "stored_text", "text_of", "write_texts"]

_NOT_WORD = re.compile(r"[\W_]+")
_COLUMNS = ", ".join(FTS_COLUMNS)
_MARKS = ", ".join("?" * len(FTS_COLUMNS))


def text_of(
    record: NoteRecord, headings: Sequence[str], body: str, taken: Spans | None, properties: str = ""
) -> StoredText:
    """`taken`: as `parse_whole` gives it for this body."""
    aliases = "\n".join((*record.aliases, *_named_beside(record)))
    heads = (record.title, aliases, record.description, properties, "\n".join(headings))
    if taken is not None and is_plain("\n".join((*heads, body))):
        return StoredText(*heads, body, pack_spans(taken))
    if taken is None:
        # The parser of links: whoever reads what is stored does without.
        from ori_memory.links.suggesting import unmentionable

        text = folded(body)
        taken = unmentionable(text)
    else:
        text, taken = _folded_with(body, taken)
    title, aliases, description, properties, titles = map(folded, heads)
    return StoredText(title, aliases, description, properties, titles, text, pack_spans(taken))


def write_texts(connection: sqlite3.Connection, texts: Sequence[tuple[int, StoredText]]) -> None:
    """Make notes that have no text yet findable."""
    stored = [(note, pack(text), text.taken) for note, text in texts]
    connection.executemany("INSERT INTO stored(note, text, taken) VALUES(?, ?, ?)", stored)
    searched = [(note, *text.searched()) for note, text in texts]
    words = [(note, *columns) for note, columns, _ in searched]
    connection.executemany(f"INSERT INTO words(rowid, {_COLUMNS}) VALUES(?, {_MARKS})", words)
    inner = [(note, text) for note, _, text in searched if text]
    connection.executemany("INSERT INTO pieces(rowid, text) VALUES(?, ?)", inner)


def remove_text(connection: sqlite3.Connection, note: int) -> None:
    """Make a note unfindable; without a text nothing happens."""
    text = stored_text(connection, note)
    if text is None:
        return
    columns, inner = text.searched()
    connection.execute(f"INSERT INTO words(words, rowid, {_COLUMNS}) VALUES('delete', ?, {_MARKS})", (note, *columns))
    if inner:
        connection.execute("INSERT INTO pieces(pieces, rowid, text) VALUES('delete', ?, ?)", (note, inner))
    connection.execute("DELETE FROM stored WHERE note = ?", (note,))


def stored_text(connection: sqlite3.Connection, note: int) -> StoredText | None:
    """The searchable text of a note as it was when it was indexed."""
    row = connection.execute("SELECT text, taken FROM stored WHERE note = ?", (note,)).fetchone()
    return None if row is None else unpack(*row)


def _named_beside(record: NoteRecord) -> list[str]:
    """`lang` and `rust` of lang.rust.traits.md with the title Traits, and the folder that a README.md is of."""
    stem = stem_of(record.path)
    if speaks_for_folder(stem) and "/" in record.path:
        stem = record.path.split("/")[-2]
    elif stem == record.title:
        return []
    title = record.title.lower()
    words = " ".join(word for word in _NOT_WORD.split(stem) if word and word.lower() not in title)
    return [sql_text(words)] if words else []


def _folded_with(body: str, taken: Spans) -> tuple[str, Spans]:
    """The body in one form, and the same stretches of it, which folding may have moved."""
    text = folded(body)
    if text == body:
        return body, taken
    kept: list[str] = []
    place, last, moved = 0, 0, Spans()
    for start, end in taken:
        kept += (folded(body[last:start]), folded(body[start:end]))
        place, last = place + len(kept[-2]), end
        moved.starts.append(place)
        place += len(kept[-1])
        moved.ends.append(place)
    return "".join((*kept, folded(body[last:]))), moved
