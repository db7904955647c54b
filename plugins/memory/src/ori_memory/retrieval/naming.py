"""Notes whose title or alias stands in a question."""

from __future__ import annotations

import json
import math
import re
import sqlite3
from collections.abc import Iterable, Iterator, Set

from attrs import evolve

from aries_kernel.contracts import Question
from ori_memory.index.words import first_words, folded
from ori_memory.links.names import NamedNote, mentionable_names, without_article
from ori_memory.notes.naming import stem_of
from ori_memory.retrieval.corpus import IndexCorpus
from ori_memory.retrieval.function_words import ENGLISH
from ori_memory.retrieval.newest import newest_in
from ori_memory.retrieval.periods import period_of

__all__ = ["named_in", "titled_so"]

_HOMONYMS = 4
_ONE_WORD = 0.5
"""How sure one word is, beside a name of several: many a word is also a title."""
_RARE = 0.01
_FEW = 3
_WORD = re.compile(r"\w+")
_LONGEST = 2_000
_OPENINGS = (
    "SELECT o.word, n.num, n.path, n.title FROM opening o JOIN note n ON n.num = o.note "
    "WHERE o.word IN (SELECT value FROM json_each(?))"
)
_ALIASES = (
    "SELECT note, alias FROM alias WHERE note IN "
    "(SELECT note FROM opening WHERE word IN (SELECT value FROM json_each(?))) ORDER BY note, position"
)
_TAIL = 60
_LAST = re.compile(r"(?<!\w)(\w+)[^\w)]*$")
"""Not of a name that ends with a bracket: it is called so without it too."""


def named_in(connection: sqlite3.Connection, corpus: IndexCorpus, text: str) -> dict[int, float]:
    """Notes by how surely the question names them, from 0 to 1. Names that five notes share name none of them."""
    body = "\n" + folded(text[:_LONGEST])
    low = body.lower()
    asked = set(_WORD.findall(low))
    near = _near(connection, corpus, first_words(body), asked | {""})
    near = {num: _called_shortly(note) for num, note in near.items()}
    notes = {num: note for num, note in near.items() if any(_stands_in(name, asked, low) for name in _names(note))}
    found = _of_day(connection, corpus, text)
    if _has_number(text):
        from ori_memory.retrieval.numbering import numbered_in

        found = numbered_in(connection, text[:_LONGEST]) | found
    if not notes:
        return found
    # Few questions hold a whole title; the others do without what finds it.
    from ori_memory.links.mentions import Mentions
    from ori_memory.notes.spans import Spans

    told = {word for word in asked if word not in ENGLISH}
    newest = set(_WORD.findall(newest_in(text).lower()))
    numbers = {note.path: num for num, note in notes.items()}
    for mention in Mentions.of(notes.values()).find_in(body, Spans()):
        sureness = _sureness(corpus, mention.text, told, newest) / len(mention.paths)
        if sureness and len(mention.paths) <= _HOMONYMS:
            for path in mention.paths:
                num = numbers[path]
                found[num] = max(sureness, found.get(num, 0.0))
    return found


def _of_day(connection: sqlite3.Connection, corpus: IndexCorpus, text: str) -> dict[int, float]:
    """Pages of a diary: notes whose name is the one day that the question speaks of, in whatever form."""
    period = period_of(text, corpus.today, corpus.newest_day)
    if period is None or period.first != period.last:
        return {}
    # Few questions name a day.
    from ori_memory.index.dating import names_of_day
    from ori_memory.index.keys import key_number
    from ori_memory.index.naming import named_notes
    from ori_memory.notes.naming import comparable

    names = {comparable(name) for name in names_of_day(period.first)}
    rows = connection.execute(
        "SELECT DISTINCT note FROM name WHERE key IN (SELECT value FROM json_each(?))",
        (json.dumps([key_number(name) for name in names]),),
    )
    notes = named_notes(connection, [num for (num,) in rows])
    pages = [
        num
        for num, note in notes.items()
        if (corpus.within is None or num in corpus.within)
        and names & {comparable(name) for name in (stem_of(note.path), note.title, *note.aliases)}
    ]
    return dict.fromkeys(pages, 1.0 / max(1, len(pages))) if len(pages) <= _HOMONYMS else {}


def titled_so(corpus: IndexCorpus, question: Question) -> list[int]:
    """Those of the named notes whose name is all that the question says: that is what is asked for."""
    said = set(question.words)
    views = corpus.describe(question.named.keys()) if said else {}
    return [
        num
        for num, view in views.items()
        if _is_called(question.text, view.path, view.title)
        or any(said <= words for _, words in _names(NamedNote(view.path, view.title, view.aliases)))
    ]


def _has_number(text: str) -> bool:
    """Few questions do; the others do without what reads it."""
    return any(map(str.isdigit, text[:_LONGEST]))


def _is_called(text: str, path: str, title: str) -> bool:
    if not _has_number(text):
        return False
    from ori_memory.retrieval.numbering import is_called

    return is_called(text, path, title)


def _near(
    connection: sqlite3.Connection, corpus: IndexCorpus, words: Iterable[str], ends: Set[str]
) -> dict[int, NamedNote]:
    """Notes of which a name begins with one of `words` and ends with one of `ends`."""
    known = corpus.kept.openings
    missing = list({word for word in words if word not in known})
    if missing:
        known.update({word: {} for word in missing})
        asked = (json.dumps(missing, ensure_ascii=False),)
        aliases: dict[int, list[str]] = {}
        for num, alias in connection.execute(_ALIASES, asked):
            aliases.setdefault(num, []).append(alias)
        for word, num, path, title in connection.execute(_OPENINGS, asked):
            one = (num, path, title, tuple(aliases.get(num, ())))
            for end in _ends(path, title, one[3]):
                known[word].setdefault(end, []).append(one)
    found = (one for word in set(words) for end in known[word].keys() & ends for one in known[word][end])
    return {num: NamedNote(path, title, others) for num, path, title, others in found}


def _called_shortly(note: NamedNote) -> NamedNote:
    short = tuple(filter(None, map(without_article, (stem_of(note.path), note.title, *note.aliases))))
    return evolve(note, aliases=(*note.aliases, *short)) if short else note


def _ends(path: str, title: str, aliases: Iterable[str]) -> set[str]:
    """The last words of a note's names, in small letters; empty where that is not plain to see.

    Of thousands of titles that begin with `the`, few end with a word of the question; the others are left at that.
    """
    is_named_so = f"/{path}".endswith(f"/{title}.md")
    names = (title, *aliases) if is_named_so else (stem_of(path), title, *aliases)
    ends = set()
    for name in names:
        last = _LAST.search(name[-_TAIL:]) if name.isascii() else None
        is_whole = last is not None and (last.start() > 0 or len(name) <= _TAIL)
        ends.add(last[1].lower() if last is not None and is_whole else "")
    return ends


def _names(note: NamedNote) -> Iterator[tuple[str, frozenset[str]]]:
    """In small letters, each with its words."""
    for name in mentionable_names(note):
        yield name.lower(), frozenset(_WORD.findall(name.lower()))


def _stands_in(name: tuple[str, frozenset[str]], asked: Set[str], body: str) -> bool:
    """Whether a question may hold a name; in scripts without spaces its words are not told apart."""
    text, words = name
    return asked >= words or (not text.isascii() and text in body)


def _sureness(corpus: IndexCorpus, name: str, told: Set[str], newest: Set[str]) -> float:
    """`told`: the words of the question that say something; where the name is all of them, it is what is asked for.

    `newest`: those of them that ask for what is newest. They name no note, unless nothing else is asked.
    """
    words = [word for word in _WORD.findall(name.lower()) if word not in ENGLISH]
    if set(words) <= newest and not told <= newest:
        return 0.0
    if len(words) > 1 or (words and told <= set(words)):
        return 1.0
    if not words:
        return 0.0
    notes = corpus.note_count
    most = max(_FEW, _RARE * notes)
    says = corpus.rarity(words).get(words[0])
    return 0.0 if says is not None and says < math.log(1 + (notes - most) / (most + 0.5)) else _ONE_WORD
