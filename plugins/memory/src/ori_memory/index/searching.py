"""Words to notes: those that hold all of them, then those that hold any, then those with the text inside words."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

from attrs import frozen

from ori_memory.index.asking import all_words, any_word, needle
from ori_memory.index.records import fetch_records
from ori_memory.index.schema import FTS_WEIGHTS
from ori_memory.index.storing import stored_text
from ori_memory.model import NoteRecord

__all__ = ["WordHit", "find_words"]

_WEIGHTS = ", ".join(map(str, FTS_WEIGHTS))
_RANKED = (
    f"WITH hit AS MATERIALIZED (SELECT rowid AS num, -bm25(words, {_WEIGHTS}) AS score FROM words WHERE words MATCH ?) "
    "SELECT hit.num, hit.score FROM hit JOIN note n ON n.num = hit.num ORDER BY hit.score DESC, n.path LIMIT ?"
)
_MOST_LOOKED_AT = 400


@frozen
class WordHit:
    """A note found by words."""

    note: NoteRecord
    score: float
    """BM25 with a weight for each field; comparable within one `way` only."""
    way: str
    """`all` words, `any` word, or `inside` a word."""


def find_words(connection: sqlite3.Connection, query: str, limit: int) -> tuple[WordHit, ...]:
    """At most `limit` notes, best first; none for a query without a word. No query is an error."""
    found: dict[int, tuple[float, str]] = {}
    for way, search in (("all", _all), ("any", _any), ("inside", _inside)):
        if len(found) >= limit:
            break
        for num, score in search(connection, query, limit + len(found)):
            if len(found) < limit:
                found.setdefault(num, (score, way))
    records = fetch_records(connection, list(found))
    return tuple(WordHit(records[num], *how) for num, how in found.items() if num in records)


def _all(connection: sqlite3.Connection, query: str, limit: int) -> Iterator[tuple[int, float]]:
    asked = all_words(query)
    yield from connection.execute(_RANKED, (asked, limit)) if asked else ()


def _any(connection: sqlite3.Connection, query: str, limit: int) -> Iterator[tuple[int, float]]:
    asked = any_word(query)
    yield from connection.execute(_RANKED, (asked, limit)) if asked else ()


def _inside(connection: sqlite3.Connection, query: str, limit: int) -> Iterator[tuple[int, float]]:
    """The three-letter index names notes that may hold the text; the text itself decides."""
    text = needle(query)
    if text is None:
        return
    pieces = {text[place : place + 3] for place in range(len(text) - 2)}
    asked = " AND ".join('"' + piece.replace('"', '""') + '"' for piece in sorted(pieces))
    wanted, given = text.casefold(), 0
    nums = connection.execute("SELECT rowid FROM pieces WHERE pieces MATCH ? LIMIT ?", (asked, _MOST_LOOKED_AT))
    for (num,) in nums.fetchall():
        stored = stored_text(connection, num)
        count = 0 if stored is None else stored.whole.casefold().count(wanted)
        if count and given < limit:
            given += 1
            yield num, float(count)
