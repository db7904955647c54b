"""Rows of one note, put in and taken out."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Sequence

from attrs import frozen

from ori_memory.index.entities import entity_keys
from ori_memory.index.property_text import property_text
from ori_memory.index.record import sql_text
from ori_memory.index.schema import LINKS, MENTIONS
from ori_memory.index.stored import StoredText
from ori_memory.index.storing import remove_text, text_of, write_texts
from ori_memory.index.threads import mark_thread, thread_of
from ori_memory.index.understanding import UnderstoodNote
from ori_memory.index.words import first_words
from ori_memory.links.names import without_article
from ori_memory.model import Link, LinkKind, NoteRecord
from ori_memory.notes.lines import normalise
from ori_memory.notes.link_list import is_link_list
from ori_memory.notes.naming import stem_of

__all__ = ["NoteRow", "clear_note", "remove_note", "write_notes"]

_COLUMNS = [
    "id",
    "path",
    "mtime_ns",
    "size",
    "inode",
    "checked_ns",
    "hash",
    "title",
    "space",
    "type",
    "status",
    "confidence",
    "description",
    "created",
    "is_pinned",
    "is_list",
    "valid_from",
    "valid_until",
    "source_client",
    "source_session",
    "source_file",
    "source_commit",
    "words",
    "body_line",
    "thread",
    "is_pending",
    "problems",
]
_INSERT = f"INSERT INTO note({', '.join(_COLUMNS)}, num) VALUES({', '.join('?' * (len(_COLUMNS) + 1))})"
_UPDATE = f"UPDATE note SET {', '.join(f'{column} = ?' for column in _COLUMNS)} WHERE num = ?"
_CONTEXT = 160


@frozen
class NoteRow:
    """A note to be written. Its links are resolved later."""

    note: UnderstoodNote
    id: str
    num: int
    is_new: bool
    """False: of a note whose rows were cleared."""
    names: Iterable[int]
    """Numbers of the keys it answers to."""
    wanted: Iterable[int]
    """Numbers of the keys its links ask for."""


def write_notes(connection: sqlite3.Connection, rows: Sequence[NoteRow]) -> None:
    """Write notes, one statement a table: a build calls SQLite a dozen times for hundreds of notes."""
    # Old notes give their ids up before new ones take them.
    connection.executemany(_UPDATE, [(*_row(row.note, row.id), row.num) for row in rows if not row.is_new])
    connection.executemany(_INSERT, [(*_row(row.note, row.id), row.num) for row in rows if row.is_new])
    for table, marks, made in _PARTS:
        values = [value for row in rows for value in made(row)]
        if values:
            connection.executemany(f"INSERT INTO {table} VALUES({marks})", values)
    write_texts(connection, [(row.num, _text(row.note)) for row in rows])
    threads = {(thread,) for row in rows if (thread := thread_of(row.note.record)) is not None}
    connection.executemany("INSERT OR IGNORE INTO dirty_thread VALUES(?)", sorted(threads))


def clear_note(connection: sqlite3.Connection, num: int) -> None:
    """Take out what was read from the file; the note itself and links to it stay."""
    mark_thread(connection, num)
    remove_text(connection, num)
    for statement in _CLEARING:
        connection.execute(statement, (num,))


def remove_note(connection: sqlite3.Connection, num: int) -> None:
    """Take a note out; links to it lead nowhere from now on."""
    mark_thread(connection, num)
    remove_text(connection, num)
    connection.execute("DELETE FROM note WHERE num = ?", (num,))


def _row(note: UnderstoodNote, id: str) -> tuple[object, ...]:
    record: NoteRecord = note.record
    stamp = note.file.stamp
    dates = [
        None if day is None else day.isoformat() for day in (record.created, record.valid_from, record.valid_until)
    ]
    source = record.source
    return (
        *(id, stamp.path, stamp.mtime_ns, stamp.size, stamp.inode, note.file.checked_ns, note.file.hash),
        *(record.title, record.space, record.type, record.status, record.confidence, record.description),
        *(dates[0], int(record.is_pinned), int(is_link_list(note.parsed.body)), dates[1], dates[2]),
        *(source.client, source.session, source.file, source.commit),
        *(record.words, _body_line(note), thread_of(record), LINKS | MENTIONS, _problems(note)),
    )


def _problems(note: UnderstoodNote) -> str:
    return sql_text(json.dumps(note.problems, ensure_ascii=False)) if note.problems else "[]"


def _body_line(note: UnderstoodNote) -> int:
    if not note.parsed.has_frontmatter:
        return 0
    return normalise(note.text).count("\n") - note.parsed.body.count("\n")


def _text(note: UnderstoodNote) -> StoredText:
    headings = [sql_text(one.text) for one in note.parsed.headings]
    properties = sql_text(property_text(note.parsed.properties)) if note.parsed.properties else ""
    return text_of(note.record, headings, sql_text(note.parsed.body), note.taken, properties)


Values = Iterable[tuple[object, ...]]


def _headings(row: NoteRow) -> Values:
    return [
        (row.num, place, one.level, sql_text(one.text), one.line) for place, one in enumerate(row.note.parsed.headings)
    ]


def _openings(row: NoteRow) -> Values:
    record = row.note.record
    names = dict.fromkeys((stem_of(record.path), record.title, *record.aliases))
    names |= dict.fromkeys(filter(None, map(without_article, names)))
    return {(row.num, sql_text(word)) for name in names for word in first_words(name)[:1]}


def _entities(row: NoteRow) -> Values:
    parsed = row.note.parsed
    return [(row.num, key) for key in sorted(entity_keys(f"{row.note.record.title}\n{parsed.body}"))]


def _links(row: NoteRow) -> Values:
    text, num = row.note.text, row.num
    return [
        (
            *(num, place, None, 0, 0, _KINDS[link.kind], sql_text(link.target), _given(link.heading)),
            *(_given(link.block), _given(link.alias), link.start, link.end, link.line, int(link.is_property)),
            sql_text(_context(text, link)),
        )
        for place, link in enumerate(row.note.parsed.links)
    ]


def _numbered(num: int, texts: Iterable[str]) -> Values:
    return [(num, place, text) for place, text in enumerate(texts)]


_KINDS = {kind: kind.value for kind in LinkKind}
_PARTS: tuple[tuple[str, str, Callable[[NoteRow], Values]], ...] = (
    ("alias", "?, ?, ?", lambda row: _numbered(row.num, row.note.record.aliases)),
    ("tag", "?, ?, ?", lambda row: _numbered(row.num, row.note.record.tags)),
    ("project", "?, ?, ?", lambda row: _numbered(row.num, row.note.record.projects)),
    ("supersedes", "?, ?, ?", lambda row: _numbered(row.num, row.note.record.supersedes)),
    ("block", "?, ?, ?", lambda row: _numbered(row.num, map(sql_text, row.note.parsed.blocks))),
    ("heading", "?, ?, ?, ?, ?", _headings),
    ("name(note, key)", "?, ?", lambda row: [(row.num, key) for key in sorted(row.names)]),
    ("opening(note, word)", "?, ?", _openings),
    ("wanted(note, key)", "?, ?", lambda row: [(row.num, key) for key in sorted(row.wanted)]),
    ("entity", "?, ?", _entities),
    ("link", ", ".join("?" * 15), _links),
)
"""Tables that hold parts of a note, the place of its values, and the values of one note."""

_CLEARING = (
    *(f"DELETE FROM {table.partition('(')[0]} WHERE note = ?" for table, _, _ in _PARTS if table != "link"),
    "DELETE FROM link WHERE src = ?",
    "DELETE FROM suggestion WHERE src = ?",
)


def _given(text: str | None) -> str | None:
    return None if text is None else sql_text(text)


def _context(text: str, link: Link) -> str:
    """The line around a link, cut to what fits beside it."""
    room = max(0, (_CONTEXT - (link.end - link.start)) // 2)
    first = max(text.rfind("\n", 0, link.start) + 1, link.start - room)
    end = text.find("\n", link.end)
    last = min(len(text) if end < 0 else end, link.end + room)
    return text[first:last].strip()[: 2 * _CONTEXT]
