"""Notes whose title or alias stands in a question."""

from __future__ import annotations

import json
import math
import re
import sqlite3
from collections.abc import Set

from ori_memory.index.naming import named_notes
from ori_memory.index.words import first_words, folded
from ori_memory.links.mentions import Mentions, mentionable_names
from ori_memory.notes.spans import Spans
from ori_memory.retrieval.corpus import IndexCorpus
from ori_memory.retrieval.function_words import ENGLISH

__all__ = ["named_in"]

_HOMONYMS = 4
_ONE_WORD = 0.5
"""How sure one word is, beside a name of several: many a word is also a title."""
_RARE = 0.01
_FEW = 3
_WORD = re.compile(r"\w+")
_LONGEST = 2_000


def named_in(connection: sqlite3.Connection, corpus: IndexCorpus, text: str) -> dict[int, float]:
    """Notes by how surely the question names them, from 0 to 1. Names that five notes share name none of them."""
    body = "\n" + folded(text[:_LONGEST])
    words = json.dumps(list(set(first_words(body))), ensure_ascii=False)
    rows = connection.execute(
        "SELECT DISTINCT note FROM opening WHERE word IN (SELECT value FROM json_each(?))", (words,)
    )
    asked = set(_WORD.findall(body.lower()))
    # Most notes that begin with a word of the question go on in another way; the exact look costs more than this one.
    near = named_notes(connection, [row[0] for row in rows]).items()
    notes = {num: note for num, note in near if any(_stands_in(name, asked, body) for name in mentionable_names(note))}
    numbers = {note.path: num for num, note in notes.items()}
    found: dict[int, float] = {}
    for mention in Mentions.of(notes.values()).find_in(body, Spans()):
        sureness = _sureness(corpus, mention.text) / len(mention.paths)
        if sureness and len(mention.paths) <= _HOMONYMS:
            for path in mention.paths:
                num = numbers[path]
                found[num] = max(sureness, found.get(num, 0.0))
    return found


def _stands_in(name: str, asked: Set[str], body: str) -> bool:
    """Whether a question may hold a name; in scripts without spaces its words are not told apart."""
    return asked >= set(_WORD.findall(name.lower())) or (not name.isascii() and name.lower() in body.lower())


def _sureness(corpus: IndexCorpus, name: str) -> float:
    words = [word for word in _WORD.findall(name.lower()) if word not in ENGLISH]
    if len(words) > 1:
        return 1.0
    if not words:
        return 0.0
    notes = corpus.note_count
    most = max(_FEW, _RARE * notes)
    says = corpus.rarity(words).get(words[0])
    return 0.0 if says is not None and says < math.log(1 + (notes - most) / (most + 0.5)) else _ONE_WORD
