"""Words to notes: those that hold all of them, then those that hold any, then those with them inside of words."""

from __future__ import annotations

import sqlite3

from attrs import frozen

from ori_memory.index.asking import all_words, any_word, inside
from ori_memory.index.records import fetch_records
from ori_memory.index.schema import FTS_WEIGHTS
from ori_memory.model import NoteRecord

__all__ = ["WordHit", "find_words"]

_WEIGHTS = ", ".join(map(str, FTS_WEIGHTS))
_RANKED = (
    "WITH hit AS MATERIALIZED (SELECT rowid AS num, -bm25({table}) AS score FROM {name} WHERE {name} MATCH ?) "
    "SELECT hit.num, hit.score FROM hit JOIN note n ON n.num = hit.num ORDER BY hit.score DESC, n.path LIMIT ?"
)
_WORDS = _RANKED.format(name="words", table=f"words, {_WEIGHTS}")
_PIECES = _RANKED.format(name="pieces", table="pieces")


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
    for way, asked, ranked in (("all", all_words, _WORDS), ("any", any_word, _WORDS), ("inside", inside, _PIECES)):
        question = asked(query)
        if len(found) < limit and question is not None:
            for num, score in connection.execute(ranked, (question, limit + len(found))):
                if len(found) < limit:
                    found.setdefault(num, (score, way))
    records = fetch_records(connection, list(found))
    return tuple(WordHit(records[num], *how) for num, how in found.items() if num in records)
