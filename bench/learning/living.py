"""A user's sessions over kept lists: what is shown, what is learned from it, and what a later question gives."""

from __future__ import annotations

import datetime
import random
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import attrs
from attrs import define, field, frozen
from keeping import DEPTH, Kept, KeptWorld
from users import HABITS, Evidence, Habits, Split, citations, sessions_of, split_of

from aries_kernel.contracts import Credit, Earlier, Experience, Stage
from ori_memory.learned.crediting import Credited, topic_of
from ori_memory.retrieval.earlier import AskedBefore
from ori_memory.retrieval.earlier import Earlier as Asked

__all__ = ["Adversary", "Life", "Memories", "live"]

_TOP = 3


@define
class Memories:
    """What was learned so far, given to a stage as the index gives it, with documents for notes."""

    world: KeptWorld
    today: datetime.date
    experienced: Experience | None = None
    """In the place of what the questions have shown of likeness."""
    credits: dict[tuple[str, str], Credited] = field(factory=dict)
    """By document and topic."""
    _before: AskedBefore = field(factory=AskedBefore)
    _asked: dict[str, Kept] = field(factory=dict)
    """The earlier questions by topic."""
    _told: Experience | None = None

    @property
    def note_count(self) -> int:
        return self.world.note_count

    def take(self, evidence: Sequence[Evidence], reward: float = 1.0) -> None:
        """What one session has given."""
        for one in evidence:
            kept = self.world.questions[one.question]
            topic = topic_of(kept.question.words)
            at = datetime.datetime.combine(one.day, datetime.time(), datetime.UTC)
            self._asked[topic] = kept
            old = self.credits.get((one.document, topic))
            self.credits[one.document, topic] = Credited(
                one.document,
                topic,
                kept.question.words,
                reward + (old.reward if old else 0.0),
                1 + (old.uses if old else 0),
                old.first if old else at,
                at,
            )
        if evidence:
            self._before, self._told = AskedBefore(tuple(self.credits.values())), None

    def rarity(self, words: Sequence[str]) -> Mapping[str, float]:
        return {word: self.world.rarity[word] for word in words if word in self.world.rarity}

    def uses(self, notes: Collection[int]) -> Mapping[int, Sequence[Credit]]:
        known = self._before.uses([self.world.ids[note] for note in notes])
        numbers = {id: self.world.numbers[id] for id in known}
        return {
            numbers[id]: [Credit(numbers[id], one.reward, one.uses, one.last.date()) for one in credits]
            for id, credits in known.items()
        }

    def experience(self) -> Experience:
        if self._told is None:
            named, unnamed = self._before.naming(self._named_by)
            likeness = self.experienced or self._before.experience
            self._told = attrs.evolve(likeness, named=named, unnamed=unnamed)
        return self._told

    def _named_by(self, one: Asked) -> set[str]:
        kept, ids = self._asked[one.topic], self.world.ids
        called = {ids[note] for note in kept.called} & {credit.note_id for credit in one.credits}
        return called | {ids[note] for note in kept.named}

    def earlier(self, words: Sequence[str]) -> Sequence[Earlier]:
        before = self._before.sharing(words)
        return [
            Earlier(
                one.words,
                tuple(Credit(self.world.numbers[c.note_id], c.reward, c.uses, c.last.date()) for c in one.credits),
            )
            for one in before
        ]


@frozen
class Adversary:
    """Cites one note in every session, for every question of it."""

    document: str


@define
class Life:
    """After all sessions."""

    split: Split
    memories: Memories
    stage: Stage | None
    exposed: Counter[str]
    """How often each document was among the first in the sessions."""
    used: Sequence[frozenset[str]] = ()
    """The documents that were cited, session by session."""

    def order(self, query: str) -> list[str]:
        """The documents that answer a question now."""
        return _order(self.memories, self.stage, query)


def _order(memories: Memories, stage: Stage | None, query: str) -> list[str]:
    kept = memories.world.questions[query]
    corpus: Any = memories
    ranked = kept.ranked if stage is None else stage.apply(kept.question, kept.ranked, corpus)
    return [memories.world.ids[number] for number in kept.after(ranked)]


def live(
    world: KeptWorld,
    seed: int,
    stage: Stage | None,
    *,
    habits: Habits = HABITS,
    adversary: Adversary | None = None,
    experienced: Experience | None = None,
    again: float = 0.0,
) -> Life:
    """All sessions of one user. `stage` None: nothing that was learned is used.

    `again`: what a note earns that another question with a word in common brings among the first three once more.
    """
    split = split_of(world.world, seed, habits)
    memories = Memories(world, world.today, experienced)
    drawn = random.Random(f"evidence {seed}")
    exposed: Counter[str] = Counter()
    used = []
    brought: dict[str, list[frozenset[str]]] = {}
    for questions in sessions_of(split, seed, habits):
        memories.today += datetime.timedelta(days=habits.days)
        learned: list[Evidence] = []
        seen_again: list[Evidence] = []
        for one in questions:
            shown = _order(memories, stage, one.query.id)[:DEPTH]
            exposed.update(shown)
            learned += citations(one, shown, memories.today, drawn, habits)
            if again:
                words = frozenset(world.questions[one.query.id].question.words)
                for document in shown[:_TOP]:
                    before = brought.setdefault(document, [])
                    if any(words != other and words & other for other in before):
                        seen_again.append(Evidence(one.query.id, document, memories.today))
                    before.append(words)
            if adversary is not None:
                learned.append(Evidence(one.query.id, adversary.document, memories.today))
        memories.take(learned)
        memories.take(seen_again, again)
        used.append(frozenset(evidence.document for evidence in learned))
    return Life(split, memories, stage, exposed, used)
