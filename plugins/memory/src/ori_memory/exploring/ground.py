"""The vault as one exploration sees it during one look at the index."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from attrs import define, field

from aries_kernel.contracts import NoteView, Vectors
from aries_kernel.errors import UserError
from ori_memory.exploring.wording import Wording
from ori_memory.retrieval.answer import Asked
from ori_memory.retrieval.corpus import IndexCorpus
from ori_memory.retrieval.naming import named_in
from ori_memory.retrieval.question import understand_question
from ori_memory.retrieval.sources import sources_of
from ori_memory.retrieval.visibility import Visibility

if TYPE_CHECKING:
    from ori_memory.memory import Memory

__all__ = ["Ground"]


@define
class Ground:
    """Notes are numbers here, and only those that may be seen: what is hidden leads nowhere (spec G.5-65)."""

    connection: sqlite3.Connection
    corpus: IndexCorpus
    asked: Asked
    wording: Wording
    rarity: Mapping[str, float]
    """How much each word of the question says."""
    named: Mapping[int, float]
    """Notes whose title stands in the question."""
    _visibility: Visibility = field(init=False)
    _views: dict[int, NoteView | None] = field(factory=dict, init=False)
    _held: dict[int, frozenset[str]] = field(factory=dict, init=False)
    _near: dict[int, float] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        self._visibility = Visibility(self.connection, self.asked, self.corpus.today, self.corpus.kept)

    @classmethod
    def over(cls, memory: Memory, connection: sqlite3.Connection, asked: Asked) -> Ground:
        """For the question of `asked`, with its filters."""
        today, sources = asked.as_of or memory.now().date(), sources_of(memory, is_fast=asked.is_fast)
        corpus = IndexCorpus(connection, today, sources, kept=memory.kept(connection))
        named = named_in(connection, corpus, asked.text)
        question = understand_question(asked.text, corpus.today, named, asked.limit, corpus.newest_day)
        rarity = corpus.rarity(question.words)
        return cls(connection, corpus, asked, Wording.of(rarity), rarity, named)

    def numbers(self, paths: Collection[str]) -> dict[str, int]:
        """Numbers of notes, in the order of `paths`; one that is gone is left out."""
        query = "SELECT path, num FROM note WHERE path IN (SELECT value FROM json_each(?))"
        found = dict(self.connection.execute(query, (json.dumps(list(paths), ensure_ascii=False),)).fetchall())
        return {path: found[path] for path in paths if path in found}

    def by_id(self, ids: Collection[str]) -> dict[str, int]:
        """The same by ids."""
        query = "SELECT id, num FROM note WHERE id IN (SELECT value FROM json_each(?))"
        found = dict(self.connection.execute(query, (json.dumps(list(ids), ensure_ascii=False),)).fetchall())
        return {id: found[id] for id in ids if id in found}

    def views(self, notes: Collection[int]) -> dict[int, NoteView]:
        """Those of the notes that may be seen."""
        missing = [num for num in notes if num not in self._views]
        if missing:
            seen = self._visibility.among(missing)
            known = self.corpus.describe(seen)
            self._views.update((num, known.get(num)) for num in missing)
        return {num: view for num in notes if (view := self._views[num]) is not None}

    def text(self, num: int) -> str:
        """Title, aliases and body."""
        view = self.views([num]).get(num)
        if view is None:
            return ""
        return "\n".join([view.title, *view.aliases, self.corpus.texts([num]).get(num, "")])

    def held(self, num: int) -> frozenset[str]:
        """Words of the question that the note holds."""
        if num not in self._held:
            self._held[num] = self.wording.held_in(self.text(num))
        return self._held[num]

    def nearness(self, notes: Collection[int]) -> Mapping[int, float]:
        """How close each note is to the question by meaning, from 0 to 1; 0 where that is not known."""
        missing = [num for num in notes if num not in self._near]
        if missing:
            known = self._measured(missing)
            self._near.update((num, max(0.0, known.get(num, 0.0))) for num in missing)
        return {num: self._near[num] for num in notes}

    def _measured(self, notes: Collection[int]) -> Mapping[int, float]:
        if self.asked.is_fast or "semantic" in self.asked.without:
            return {}
        vectors = self.corpus.vectors()
        if not isinstance(vectors, Vectors):
            return {}
        from ori_memory.retrieval.similarity import closest_of

        try:
            return closest_of(vectors, self.corpus.embed(self.asked.text), notes)
        except UserError:
            return {}  # The flat pass has told it.
