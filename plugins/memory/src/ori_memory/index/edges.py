"""Links as the index answers questions about them."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from attrs import frozen

from ori_memory.model import Link, LinkKind

__all__ = [
    "IS_SUGGESTED",
    "AmbiguousLink",
    "Dangling",
    "IndexedLink",
    "Suggestion",
    "fetch_dangling",
    "fetch_links",
    "fetch_suggestions",
]

_LINK_COLUMNS = "kind, target, heading, block, alias, first, last, line, is_property"

IS_SUGGESTED = (
    "NOT EXISTS (SELECT 1 FROM main.link l WHERE l.src = m.src AND l.dst = m.dst) AND m.dst NOT IN "
    "(SELECT dst FROM main.suggestion WHERE instr(mention, ' ') = 0 GROUP BY dst "
    "HAVING count(*) > max(20, (SELECT count(*) FROM main.note) / 20))"
)
"""Of the suggestion `m`: the note does not link the other, and the name is no everyday word of this vault.

A single word that more than a twentieth of all notes use, and more than 20 of them, says nothing about two notes, just
as `the` does not. That depends on all notes, so it is asked here: what is stored of a note depends on its text alone.
"""


@frozen
class IndexedLink:
    """One occurrence of a link."""

    source: str
    """Path of the note it stands in."""
    target: str | None
    """Path of the note it leads to; None: none answers to it."""
    link: Link
    context: str
    """The line it stands in, or the part of it around the link."""
    is_ambiguous: bool = False
    is_attachment: bool = False
    """It names a picture, a document or another file that is no note."""


@frozen
class Dangling:
    """A target that no note answers to, and the notes that name it."""

    target: str
    sources: tuple[str, ...]


@frozen
class AmbiguousLink:
    """A link that several notes answer to, best first."""

    link: IndexedLink
    candidates: tuple[str, ...]


@frozen
class Suggestion:
    """A note's text mentions another note without linking it."""

    source: str
    target: str
    mention: str
    line: int


def fetch_links(
    connection: sqlite3.Connection, where: str = "", given: tuple[object, ...] = ()
) -> tuple[IndexedLink, ...]:
    """Links in the order of their notes and places. `where` speaks of the link `l`, its note `s`, its target `d`."""
    columns = ", ".join("l." + column for column in _LINK_COLUMNS.split(", "))
    rows = connection.execute(
        f"SELECT s.path, d.path, l.context, l.is_ambiguous, l.is_attachment, {columns} FROM link l "
        f"JOIN note s ON s.num = l.src LEFT JOIN note d ON d.num = l.dst {where} ORDER BY s.path, l.position",
        given,
    )
    return tuple(IndexedLink(row[0], row[1], _link_of(row[5:]), row[2], bool(row[3]), bool(row[4])) for row in rows)


def _link_of(row: Sequence[object]) -> Link:
    """A link from its columns, in the order of _LINK_COLUMNS."""
    kind, target, heading, block, alias, start, end, line, is_property = row
    return Link(
        LinkKind(str(kind)),
        str(target),
        heading if isinstance(heading, str) else None,
        block if isinstance(block, str) else None,
        alias if isinstance(alias, str) else None,
        int(str(start)),
        int(str(end)),
        int(str(line)),
        bool(is_property),
    )


def fetch_dangling(connection: sqlite3.Connection) -> tuple[Dangling, ...]:
    """In the order of the targets; spellings are kept apart."""
    rows = connection.execute(
        "SELECT DISTINCT l.target, s.path FROM link l JOIN note s ON s.num = l.src "
        "WHERE l.dst IS NULL AND NOT l.is_attachment ORDER BY l.target, s.path"
    )
    found: dict[str, list[str]] = {}
    for target, source in rows:
        found.setdefault(target, []).append(source)
    return tuple(Dangling(target, tuple(sources)) for target, sources in found.items())


def fetch_suggestions(
    connection: sqlite3.Connection, where: str = "", given: tuple[object, ...] = ()
) -> tuple[Suggestion, ...]:
    """Mentions of notes that the same note does not link."""
    rows = connection.execute(
        "SELECT s.path, d.path, m.mention, m.line FROM suggestion m JOIN note s ON s.num = m.src "
        "JOIN note d ON d.num = m.dst "
        f"WHERE {IS_SUGGESTED} {where} "
        "ORDER BY s.path, m.line, d.path",
        given,
    )
    return tuple(Suggestion(*row) for row in rows)
