"""Rows of one note, put in and taken out."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence

from ori_memory.index.reading import UnderstoodNote
from ori_memory.index.record import sql_text
from ori_memory.index.storing import StoredText, remove_text, write_text
from ori_memory.index.words import first_words
from ori_memory.model import Link, NoteRecord
from ori_memory.notes.lines import normalise
from ori_memory.notes.naming import stem_of

__all__ = ["LINKS", "MENTIONS", "clear_note", "remove_note", "write_note"]

LINKS, MENTIONS = 1, 2
"""Bits of `is_pending`: what of a note waits to be worked out against the others."""

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
    "valid_from",
    "valid_until",
    "source_client",
    "source_session",
    "source_file",
    "source_commit",
    "words",
    "body_line",
    "is_pending",
    "problems",
]
_INSERT = f"INSERT INTO note({', '.join(_COLUMNS)}) VALUES({', '.join('?' * len(_COLUMNS))})"
_UPDATE = f"UPDATE note SET {', '.join(f'{column} = ?' for column in _COLUMNS)} WHERE num = ?"
_PARTS = ("alias", "tag", "project", "supersedes", "heading", "block", "name", "opening", "wanted")
_CONTEXT = 160


def write_note(
    connection: sqlite3.Connection,
    note: UnderstoodNote,
    id: str,
    num: int | None,
    names: Iterable[str],
    wanted: Iterable[str],
) -> int:
    """Write a note whose links are resolved later. `num`: of the note whose rows were cleared; None for a new one."""
    row = _row(note, id)
    if num is None:
        num = int(connection.execute(_INSERT, row).lastrowid or 0)
    else:
        connection.execute(_UPDATE, (*row, num))
    record, parsed = note.record, note.parsed
    _write_list(connection, "alias", num, record.aliases)
    _write_list(connection, "tag", num, record.tags)
    _write_list(connection, "project", num, record.projects)
    _write_list(connection, "supersedes", num, record.supersedes)
    _write_list(connection, "block", num, map(sql_text, parsed.blocks))
    headings = [(num, place, one.level, sql_text(one.text), one.line) for place, one in enumerate(parsed.headings)]
    connection.executemany("INSERT INTO heading VALUES(?, ?, ?, ?, ?)", headings)
    connection.executemany("INSERT OR IGNORE INTO name VALUES(?, ?)", [(sql_text(key), num) for key in names])
    openings = {
        sql_text(word)
        for name in (stem_of(record.path), record.title, *record.aliases)
        for word in first_words(name)[:1]
    }
    connection.executemany("INSERT INTO opening VALUES(?, ?)", [(word, num) for word in openings])
    connection.executemany("INSERT OR IGNORE INTO wanted VALUES(?, ?)", [(sql_text(key), num) for key in wanted])
    _write_links(connection, num, parsed.links, note.text)
    texts = [heading[3] for heading in headings]
    write_text(connection, num, StoredText.of(record, texts, sql_text(parsed.body)))
    return num


def clear_note(connection: sqlite3.Connection, num: int) -> None:
    """Take out what was read from the file; the note itself and links to it stay."""
    remove_text(connection, num)
    for table in _PARTS:
        connection.execute(f"DELETE FROM {table} WHERE note = ?", (num,))
    connection.execute("DELETE FROM link WHERE src = ?", (num,))
    connection.execute("DELETE FROM suggestion WHERE src = ?", (num,))


def remove_note(connection: sqlite3.Connection, num: int) -> None:
    """Take a note out; links to it lead nowhere from now on."""
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
        *(dates[0], int(record.is_pinned), dates[1], dates[2]),
        *(source.client, source.session, source.file, source.commit),
        *(record.words, _body_line(note), LINKS | MENTIONS, sql_text(json.dumps(note.problems, ensure_ascii=False))),
    )


def _body_line(note: UnderstoodNote) -> int:
    return normalise(note.text).count("\n") - note.parsed.body.count("\n")


def _write_list(connection: sqlite3.Connection, table: str, num: int, values: Iterable[str]) -> None:
    rows = [(num, place, value) for place, value in enumerate(values)]
    if rows:
        connection.executemany(f"INSERT INTO {table} VALUES(?, ?, ?)", rows)


def _write_links(connection: sqlite3.Connection, num: int, links: Sequence[Link], text: str) -> None:
    rows = [
        (
            *(num, place, None, 0, 0, str(link.kind), sql_text(link.target), _given(link.heading), _given(link.block)),
            *(_given(link.alias), link.start, link.end, link.line, int(link.is_property)),
            sql_text(_context(text, link)),
        )
        for place, link in enumerate(links)
    ]
    if rows:
        connection.executemany(f"INSERT INTO link VALUES({', '.join('?' * 15)})", rows)


def _given(text: str | None) -> str | None:
    return None if text is None else sql_text(text)


def _context(text: str, link: Link) -> str:
    """The line around a link, cut to what fits beside it."""
    room = max(0, (_CONTEXT - (link.end - link.start)) // 2)
    first = max(text.rfind("\n", 0, link.start) + 1, link.start - room)
    end = text.find("\n", link.end)
    last = min(len(text) if end < 0 else end, link.end + room)
    return text[first:last].strip()[: 2 * _CONTEXT]
