"""The part of the graph around some notes, with weights that depend on the question."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping

from attrs import define, field, frozen

from aries_kernel.contracts import Corpus, Question, Tie

__all__ = ["Neighbourhood", "Settings"]

_WORD = re.compile(r"\w+")
_STEM = 5
_MOST_NEIGHBOURS = 300
"""Nodes whose own links are followed; beyond, the walk's share is too small to change an order."""


@frozen
class Settings:
    suggested: float
    entity: float
    context: float


@define
class Neighbourhood:
    """Nodes are notes, by their number, and names that notes share, by -1 minus theirs."""

    edges: dict[int, dict[int, float]] = field(factory=dict)
    linked: set[int] = field(factory=set)
    """The notes at the centre that have links."""
    named_entities: dict[int, float] = field(factory=dict)
    """Names that stand in the question, as nodes."""

    @classmethod
    def around(cls, corpus: Corpus, question: Question, centre: Collection[int], settings: Settings) -> Neighbourhood:
        """Two links in each direction, and one shared name."""
        made = cls()
        words = _Words.of(corpus, question)
        first = corpus.ties(centre)
        made.linked.update(first)
        for note, ties in first.items():
            for tie in ties:
                weight = _weight(tie, settings) * (1 + settings.context * words.share_in(tie.context))
                made._join(note, tie.note, weight)
        outer = [note for note in made.edges if note not in first][:_MOST_NEIGHBOURS]
        for note, ties in corpus.ties(outer, with_context=False).items():
            for tie in ties:
                if tie.note not in made.edges.get(note, {}):
                    made._join(note, tie.note, _weight(tie, settings))
        made._add_entities(corpus, question, centre, settings.entity)
        return made

    def _add_entities(self, corpus: Corpus, question: Question, centre: Collection[int], weight: float) -> None:
        asked = corpus.entities_in(question.text)
        held = {key for keys in corpus.entities(centre).values() for key in keys}
        for key, notes in corpus.holders({*held, *asked}).items():
            node = -1 - key
            if key in asked:
                self.named_entities[node] = 0.5
            for note in notes:
                self._join(node, note, weight * math.log(1 + corpus.note_count / len(notes)))

    def _join(self, one: int, other: int, weight: float) -> None:
        for here, there in ((one, other), (other, one)):
            to = self.edges.setdefault(here, {})
            to[there] = max(weight, to.get(there, 0.0))


@frozen
class _Words:
    """The words of the question, and how much each says."""

    rarity: Mapping[str, float]
    total: float

    @classmethod
    def of(cls, corpus: Corpus, question: Question) -> _Words:
        rarity: dict[str, float] = {}
        for word, says in corpus.rarity(question.words).items():
            rarity[word[:_STEM]] = max(says, rarity.get(word[:_STEM], 0.0))
        return cls(rarity, sum(rarity.values()))

    def share_in(self, text: str) -> float:
        """How much of what the question says stands in `text`, from 0 to 1."""
        if not text or not self.total:
            return 0.0
        held = {word[:_STEM] for word in _WORD.findall(text.lower())}
        return sum(says for word, says in self.rarity.items() if word in held) / self.total


def _weight(tie: Tie, settings: Settings) -> float:
    return tie.weight * (1.0 if tie.kind == "written" else settings.suggested)
