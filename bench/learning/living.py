"""A user's sessions over kept lists: what is shown, what is learned from it, and what a later question gives."""

from __future__ import annotations

import datetime
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from attrs import define, field
from keeping import DEPTH, Kept, KeptWorld
from users import HABITS, Evidence, Habits, Split, citations, sessions_of, split_of

from aries_kernel.contracts import Credit, Earlier, Stage

__all__ = ["Adversary", "Life", "Memories", "live"]


@define
class Memories:
    """What was learned so far, as a corpus gives it to a stage."""

    world: KeptWorld
    today: datetime.date
    rewards: dict[str, dict[str, tuple[float, int, datetime.date]]] = field(factory=dict)
    """By question and document: reward, uses, last day."""
    shown: Counter[str] = field(factory=Counter)
    with_vectors: bool = True

    @property
    def note_count(self) -> int:
        return self.world.note_count

    def take(self, evidence: Evidence, reward: float = 1.0) -> None:
        of = self.rewards.setdefault(evidence.question, {})
        known, uses, _ = of.get(evidence.document, (0.0, 0, evidence.day))
        of[evidence.document] = known + reward, uses + 1, evidence.day

    def rarity(self, words: Sequence[str]) -> Mapping[str, float]:
        return {word: self.world.rarity[word] for word in words if word in self.world.rarity}

    def uses(self) -> int:
        return sum(uses for of in self.rewards.values() for _, uses, _ in of.values())

    def exposures(self) -> Mapping[int, int]:
        return {self.world.numbers[id]: count for id, count in self.shown.items()}

    def earlier(self, text: str, words: Sequence[str]) -> Sequence[Earlier]:
        asked = set(words)
        found = []
        for id, of in self.rewards.items():
            before = self.world.questions[id]
            if asked & set(before.question.words):
                credits = tuple(Credit(self.world.numbers[doc], *row) for doc, row in of.items())
                likeness = self._likeness(text, before) if self.with_vectors else None
                found.append(Earlier(before.question.words, credits, likeness))
        return found

    def _likeness(self, text: str, before: Kept) -> float | None:
        one = self._by_text[text]
        if not one.vector or not before.vector:
            return None
        return _cosine(one.vector, before.vector)

    @cached_property
    def _by_text(self) -> Mapping[str, Kept]:
        return {kept.question.text: kept for kept in self.world.questions.values()}


def _cosine(one: bytes, other: bytes) -> float:
    import numpy as np

    return float(np.frombuffer(one, np.float32) @ np.frombuffer(other, np.float32))


@define
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
    with_vectors: bool = True,
) -> Life:
    """All sessions of one user. `stage` None: nothing that was learned is used."""
    split = split_of(world.world, seed, habits)
    memories = Memories(world, world.today, with_vectors=with_vectors)
    drawn = random.Random(f"evidence {seed}")
    exposed: Counter[str] = Counter()
    for questions in sessions_of(split, seed, habits):
        memories.today += datetime.timedelta(days=habits.days)
        learned = []
        for one in questions:
            shown = _order(memories, stage, one.query.id)[:DEPTH]
            exposed.update(shown)
            learned += citations(one, shown, memories.today, drawn, habits)
            if adversary is not None:
                learned.append(Evidence(one.query.id, adversary.document, memories.today))
        for evidence in learned:
            memories.take(evidence)
    memories.shown = exposed
    return Life(split, memories, stage, exposed)
