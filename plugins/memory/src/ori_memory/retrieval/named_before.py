"""Which notes an earlier question named; nothing is kept of it but its words."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from ori_memory.retrieval.corpus import IndexCorpus
from ori_memory.retrieval.naming import named_in
from ori_memory.retrieval.question import content_words
from ori_memory.retrieval.sources import sources_of

if TYPE_CHECKING:
    from ori_memory.memory import Memory
    from ori_memory.retrieval.earlier import AskedBefore, Earlier

__all__ = ["naming_of", "notes_named_by"]

_NUMBERS = "SELECT num FROM note WHERE id IN (SELECT value FROM json_each(?))"


def naming_of(memory: Memory, before: AskedBefore) -> tuple[float, float]:
    """As `AskedBefore.naming`, by the names that notes have now. Takes a while: not while somebody waits."""

    def step(connection: sqlite3.Connection) -> tuple[float, float]:
        sources = sources_of(memory, is_fast=True)
        corpus = IndexCorpus(connection, memory.now().date(), sources, None, memory.kept(connection))

        def named_by(one: Earlier) -> Collection[str]:
            ids = json.dumps([credit.note_id for credit in one.credits])
            useful = [num for (num,) in connection.execute(_NUMBERS, (ids,))]
            views = corpus.describe(notes_named_by(corpus, one.words, useful))
            return [view.id for view in views.values()]

        return before.naming(named_by)

    return memory.index.read(step)


def notes_named_by(corpus: IndexCorpus, words: Sequence[str], useful: Collection[int]) -> set[int]:
    """`useful`: notes that are held against the words as a whole: small words of a title were not kept."""
    named = set(named_in(corpus.connection, corpus, " ".join(words)))
    said = set(words)
    for num, view in corpus.describe(useful).items():
        names = (set(content_words(name)) for name in (view.title, *view.aliases))
        if any(name and name <= said for name in names):
            named.add(num)
    return named
