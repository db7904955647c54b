"""Notes whose title or alias stands in a question."""

from __future__ import annotations

import json
import math
import re
import sqlite3
from collections.abc import Iterable, Iterator, Set

from ori_memory.index.naming import named_notes
from ori_memory.index.words import first_words, folded
from ori_memory.links.names import NamedNote, mentionable_names
from ori_memory.retrieval.corpus import IndexCorpus
from ori_memory.retrieval.function_words import ENGLISH
from ori_memory.retrieval.kept import Nameable, Openings

__all__ = ["named_in"]

_HOMONYMS = 4
_ONE_WORD = 0.5
"""How sure one word is, beside a name of several: many a word is also a title."""
_RARE = 0.01
_FEW = 3
_WORD = re.compile(r"\w+")
_LONGEST = 2_000
_OPENINGS = "SELECT word, note FROM opening WHERE word IN (SELECT value FROM json_each(?))"


def named_in(connection: sqlite3.Connection, corpus: IndexCorpus, text: str) -> dict[int, float]:
    """Notes by how surely the question names them, from 0 to 1. Names that five notes share name none of them."""
    body = "\n" + folded(text[:_LONGEST])
    low = body.lower()
    asked = set(_WORD.findall(low))
    # Most notes that begin with a word of the question go on in another way; the exact look costs more than this one.
    openings = _openings(connection, corpus, first_words(body))
    near = (one for by_end in openings for end in by_end.keys() & {*asked, ""} for one in by_end[end])
    notes = {one.num: one.note for one in near if any(_stands_in(name, asked, low) for name in one.names)}
    if not notes:
        return {}
    # Few questions hold a whole title; the others do without what finds it.
    from ori_memory.links.mentions import Mentions
    from ori_memory.notes.spans import Spans

    numbers = {note.path: num for num, note in notes.items()}
    found: dict[int, float] = {}
    for mention in Mentions.of(notes.values()).find_in(body, Spans()):
        sureness = _sureness(corpus, mention.text) / len(mention.paths)
        if sureness and len(mention.paths) <= _HOMONYMS:
            for path in mention.paths:
                num = numbers[path]
                found[num] = max(sureness, found.get(num, 0.0))
    return found


def _openings(connection: sqlite3.Connection, corpus: IndexCorpus, words: Iterable[str]) -> Iterator[Openings]:
    """For each word the notes of which a name begins with it."""
    known = corpus.kept.openings
    missing = {word for word in words if word not in known}
    if missing:
        found: dict[str, list[int]] = {word: [] for word in missing}
        chosen = (json.dumps(list(missing), ensure_ascii=False),)
        for word, num in connection.execute(_OPENINGS, chosen):
            found[word].append(num)
        notes = named_notes(connection, {num for nums in found.values() for num in nums})
        made = {num: Nameable(num, note, _names(note)) for num, note in notes.items()}
        known.update((word, _by_end([made[num] for num in nums])) for word, nums in found.items())
    return (known[word] for word in set(words))


def _names(note: NamedNote) -> tuple[tuple[str, frozenset[str]], ...]:
    low = [name.lower() for name in mentionable_names(note)]
    return tuple((name, frozenset(_WORD.findall(name))) for name in low)


def _by_end(notes: Iterable[Nameable]) -> Openings:
    """Of thousands of titles that begin with `the`, few end with another word of the question."""
    found: dict[str, list[Nameable]] = {}
    for note in notes:
        ends = {_WORD.findall(name)[-1] if words and name.isascii() else "" for name, words in note.names}
        for end in ends:
            found.setdefault(end, []).append(note)
    return found


def _stands_in(name: tuple[str, frozenset[str]], asked: Set[str], body: str) -> bool:
    """Whether a question may hold a name; in scripts without spaces its words are not told apart."""
    text, words = name
    return asked >= words or (not text.isascii() and text in body)


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
