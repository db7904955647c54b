"""The part of the graph around some notes, with weights that depend on the question."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping

from attrs import field

from aries_kernel.contracts import Corpus, Question, Tie
from aries_kernel.ranking import best
from aries_kernel.values import define, frozen

__all__ = ["Neighbourhood", "Settings"]

_WORD = re.compile(r"\w+")
_STEM = 5
_MOST_FOLLOWED = 60
_MOST_TIES = 60
"""A note around the centre with more ties is not followed: what passes it is spread too thin to change an order."""
_LEAST = 0.001
"""Share of the walk below which a note around the centre is not followed."""


@frozen
class Settings:
    suggested: float
    entity: float
    context: float
    together: float = 0.0


@define
class Neighbourhood:
    """Nodes are notes, by their number, and names that notes share, by -1 minus theirs."""

    edges: dict[int, dict[int, float]] = field(factory=dict)
    """Of the nodes that were followed, to all their neighbours."""
    linked: set[int] = field(factory=set)
    """The notes at the centre that have links."""
    named_entities: dict[int, float] = field(factory=dict)
    """Names that stand in the question, as nodes."""
    _back: dict[int, dict[int, float]] = field(factory=dict, init=False)

    @classmethod
    def around(cls, corpus: Corpus, question: Question, centre: Collection[int], settings: Settings) -> Neighbourhood:
        """The centre's links and the names it shares; `follow` goes on from there."""
        made = cls()
        words = _Words.of(corpus, question)
        first = corpus.ties(centre)
        made.linked.update(first)
        for note, ties in first.items():
            for tie in ties:
                weight = _weight(tie, settings) * (1 + settings.context * words.share_in(tie.context))
                made._join(note, tie.note, weight)
        if settings.together:
            made._add_companions(corpus, centre, settings.together)
        made._add_entities(corpus, question, centre, settings.entity)
        return made

    def follow(self, corpus: Corpus, begin: Mapping[int, float], settings: Settings) -> None:
        """Add the links of the notes that most of a walk from `begin` comes to first."""
        shares: dict[int, float] = {}
        for node, share in begin.items():
            to = self.edges.get(node)
            if to is not None:
                part = share / sum(to.values())
                for other, weight in to.items():
                    if other >= 0 and other not in self.edges:
                        shares[other] = shares.get(other, 0.0) + part * weight
        outer = [note for note, share in best(shares, _MOST_FOLLOWED) if share >= _LEAST]
        known = {note: {node: to[note] for node, to in self.edges.items() if note in to} for note in outer}
        for note, ties in corpus.few_ties(outer, _MOST_TIES).items():
            self.edges[note] = {tie.note: _weight(tie, settings) for tie in ties} | known[note]

    def ways(self, node: int) -> Mapping[int, float]:
        """Where a walk may go from a node: of one that was not followed, back to those that were."""
        known = self.edges.get(node)
        if known is not None:
            return known
        if not self._back:
            for one, to in self.edges.items():
                for other, weight in to.items():
                    if other not in self.edges:
                        self._back.setdefault(other, {})[one] = weight
        return self._back.get(node, {})

    def _add_companions(self, corpus: Corpus, centre: Collection[int], share: float) -> None:
        for note, others in corpus.companions(centre).items():
            for other, weight in others.items():
                self._join(note, other, share * weight)
                if other in self.edges:
                    self._join(other, note, share * weight)

    def _add_entities(self, corpus: Corpus, question: Question, centre: Collection[int], weight: float) -> None:
        asked = corpus.entities_in(question.text)
        of_note = corpus.entities(centre)
        held = {key for keys in of_note.values() for key in keys}
        for key, notes in corpus.holders({*held, *asked}).items():
            node = -1 - key
            if key in asked:
                self.named_entities[node] = 0.5
            strength = weight * math.log(1 + corpus.note_count / len(notes))
            self.edges[node] = dict.fromkeys(notes, strength)
        for note, keys in of_note.items():
            shared = {-1 - key: self.edges[-1 - key][note] for key in keys if note in self.edges.get(-1 - key, ())}
            if shared:
                self.edges.setdefault(note, {}).update(shared)

    def _join(self, note: int, other: int, weight: float) -> None:
        to = self.edges.setdefault(note, {})
        to[other] = max(weight, to.get(other, 0.0))


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
