"""Notes of a numbered series, called by kind and number: `ADR 15` is 0015-use-dns.md."""

from __future__ import annotations

import json
import re
import sqlite3

from ori_memory.notes.naming import stem_of

__all__ = ["is_called", "numbered_in"]

_CALLED = re.compile(r"(?<![\w#])(?P<kind>[^\W\d_]{2,12}|#)[ _-]?0{0,6}(?P<number>[1-9]\d{0,5})(?![\w]|[.,:-]\d)")
_KINDS = frozenset(
    (
        *("#", "nr", "number", "decision", "record", "proposal", "chapter", "lesson", "lecture", "part", "episode"),
        *("adr", "adrs", "rfc", "rfcs", "pep", "peps", "kep", "jep", "eip", "bip", "rep"),
    )
)
"""`top 15` and `in 2018` are no calls: another word counts where a folder of the note goes by it."""
_WIDTHS = range(1, 7)
_MOST = 3
_OPENED = (
    "SELECT DISTINCT n.num, n.path, n.title FROM opening o JOIN note n ON n.num = o.note "
    "WHERE o.word IN (SELECT value FROM json_each(?))"
)


def numbered_in(connection: sqlite3.Connection, text: str) -> dict[int, float]:
    """Notes by how surely the question calls them so; a number that more than three notes bear calls none."""
    found: dict[int, float] = {}
    for call in _CALLED.finditer(text):
        kind, number = call["kind"].lower(), call["number"]
        words = [kind, *(number.zfill(width) for width in _WIDTHS), *(kind + number.zfill(width) for width in _WIDTHS)]
        rows = connection.execute(_OPENED, (json.dumps(sorted(set(words))),)).fetchall()
        notes = [num for num, path, title in rows if _answers(kind, number, path, title)]
        if len(notes) <= _MOST:
            found.update(dict.fromkeys(notes, 1.0 / max(1, len(notes))))
    return found


def is_called(text: str, path: str, title: str) -> bool:
    """Whether the text is nothing but what the note is called by."""
    call = _CALLED.fullmatch(text.strip(" ?.!"))
    return call is not None and _answers(call["kind"].lower(), call["number"], path, title)


def _answers(kind: str, number: str, path: str, title: str) -> bool:
    name = re.compile(rf"(?:{re.escape(kind)}[ _.-]*)?#?0*{number}(?!\d)(?![-_.]\d)", re.IGNORECASE)
    return (kind in _KINDS or _is_of(kind, path)) and bool(name.match(stem_of(path)) or name.match(title))


def _is_of(kind: str, path: str) -> bool:
    """`meeting 12` is of meetings/."""
    folders = path.lower().split("/")[:-1]
    return kind in folders or f"{kind}s" in folders
