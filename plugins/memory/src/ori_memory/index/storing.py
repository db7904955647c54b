"""A note's text in the two search tables, written and taken out again.

Both tables keep no text of their own (their size would double); what was written is kept once, compressed, because
taking a note out needs it exactly as it was.
"""

from __future__ import annotations

import re
import sqlite3
import sys
import zlib
from array import array
from collections.abc import Sequence

from aries_kernel.values import frozen
from ori_memory.index.irregular import regular
from ori_memory.index.record import sql_text
from ori_memory.index.schema import FTS_COLUMNS
from ori_memory.index.words import code_names, folded, is_plain, parts, pieces, spread
from ori_memory.model import NoteRecord
from ori_memory.notes.naming import stem_of
from ori_memory.notes.spans import Spans
from ori_memory.notes.titling import speaks_for_folder

__all__ = ["StoredText", "remove_text", "stored_text", "write_texts"]

_SEPARATOR = "\0"
_SHORT = 1000
"""To make a shorter text smaller takes longer than to write it."""
_NOT_WORD = re.compile(r"[\W_]+")
_COLUMNS = ", ".join(FTS_COLUMNS)
_MARKS = ", ".join("?" * len(FTS_COLUMNS))


@frozen
class StoredText:
    """What of a note can be searched."""

    title: str
    aliases: str
    """And what the file's name says beside the title."""
    description: str
    properties: str
    """As `property_text` gives them."""
    headings: str
    body: str
    taken: bytes
    """Starts, then ends of what in the body holds no mentions, as numbers of four bytes, the lowest first."""

    @classmethod
    def of(
        cls, record: NoteRecord, headings: Sequence[str], body: str, taken: Spans | None, properties: str = ""
    ) -> StoredText:
        """`taken`: as `parse_whole` gives it for this body."""
        aliases = "\n".join((*record.aliases, *_named_beside(record)))
        heads = (record.title, aliases, record.description, properties, "\n".join(headings))
        if taken is not None and is_plain("\n".join((*heads, body))):
            return cls(*heads, body, _written(taken))
        if taken is None:
            # The parser of links: whoever reads what is stored does without.
            from ori_memory.links.suggesting import unmentionable

            text = folded(body)
            taken = unmentionable(text)
        else:
            text, taken = _folded_with(body, taken)
        title, aliases, description, properties, titles = map(folded, heads)
        return cls(title, aliases, description, properties, titles, text, _written(taken))

    @property
    def spans(self) -> Spans:
        """What in the body holds no mentions."""
        return _spans(self.taken)

    def whole(self) -> str:
        """All that a question may ask for, as it is read. Headings stand in the body."""
        return _plain_names("\n".join((self.title, self.aliases, self.description, self.properties, self.body)))

    def searched(self) -> tuple[tuple[str, ...], str]:
        """The columns of `words`, and what `pieces` holds."""
        whole = self.whole()
        about = "\n".join(filter(None, (self.description, self.properties)))
        columns = tuple(map(_plain_names, (self.title, self.aliases, about, self.headings, self.body)))
        columns = tuple(map(regular, columns if is_plain(whole) else map(spread, columns)))
        names = code_names(whole)
        return (*columns, regular(parts(names))), pieces(whole, names)


def write_texts(connection: sqlite3.Connection, texts: Sequence[tuple[int, StoredText]]) -> None:
    """Make notes that have no text yet findable."""
    stored = [(note, _packed(text), text.taken) for note, text in texts]
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


def _plain_names(text: str) -> str:
    """`exec\\_filter` is how some programs write exec_filter."""
    return text.replace("\\_", "_") if "\\_" in text else text


def _packed(text: StoredText) -> str | bytes:
    whole = _SEPARATOR.join((text.title, text.aliases, text.description, text.properties, text.headings, text.body))
    return whole if len(whole) < _SHORT else zlib.compress(whole.encode("utf-8"), 1)


def unpack(data: str | bytes, taken: bytes = b"") -> StoredText:
    """Raises: sqlite3.DatabaseError where the bytes are not what was written."""
    try:
        whole = data if isinstance(data, str) else zlib.decompress(data).decode("utf-8")
        title, aliases, description, properties, headings, body = whole.split(_SEPARATOR)
        return StoredText(title, aliases, description, properties, headings, body, taken)
    except (zlib.error, UnicodeDecodeError, ValueError) as error:
        raise sqlite3.DatabaseError(f"a stored text is damaged: {error}") from error


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


def _written(spans: Spans) -> bytes:
    return _same_everywhere(array("I", (*spans.starts, *spans.ends))).tobytes()


def _spans(data: bytes) -> Spans:
    places = array("I")
    places.frombytes(data)
    numbers = _same_everywhere(places).tolist()
    spans, half = Spans(), len(numbers) // 2
    # They are in order and apart already.
    spans.starts, spans.ends = numbers[:half], numbers[half:]
    return spans


def _same_everywhere(numbers: array[int]) -> array[int]:
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers
