"""Every question of a world, ranked once by the real pipeline without what was learned.

The stage that learns comes last and is given nothing but the question, the list and the learned store; so a list that
was kept, put through the stage, is what a new question would give. `proof.py` asks some of them anew to see that it is.
"""

from __future__ import annotations

import datetime
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from attrs import define, field, frozen
from worlds import World

from aries_kernel.contracts import Corpus, Found, Question, Skipped
from ori_memory.evaluation.filling import fill_vectors
from ori_memory.retrieval.answer import Asked
from ori_memory.retrieval.asking import ask
from ori_memory.retrieval.corpus import IndexCorpus
from ori_memory.retrieval.named_before import notes_named_by
from ori_memory.retrieval.parts import STAGES, Parts

__all__ = ["DEPTH", "STAGE", "Kept", "KeptWorld", "keep"]

DEPTH = 10
"""Notes that the user sees."""
STAGE = "qvalue"


@frozen
class Kept:
    """A question as the stage is given it."""

    question: Question
    ranked: tuple[Found, ...]
    fixed: int
    """Notes at the top that no stage may move."""
    named: frozenset[int] = frozenset()
    """Notes that its words name, as they are found once it is an earlier question."""
    called: frozenset[int] = frozenset()
    """Other notes of the list whose whole name is among its words: they are named too where they were of use."""

    def after(self, given: Sequence[Found] | Skipped) -> Sequence[int]:
        """The notes in the order that is shown."""
        ranked = self.ranked if isinstance(given, Skipped) else given
        first = [found.note for found in self.ranked[: self.fixed]]
        return [*first, *(found.note for found in ranked if found.note not in first)]


@frozen
class KeptWorld:
    world: World
    ids: Mapping[int, str]
    """Documents by the number of their note."""
    numbers: Mapping[str, int]
    questions: Mapping[str, Kept]
    """By the id of the query."""
    rarity: Mapping[str, float]
    today: datetime.date
    note_count: int


@define
class _Noted:
    """In the place of the stage: takes what it is given, and turns the list round to show what may not be moved."""

    name = STAGE
    given: list[tuple[Question, tuple[Found, ...]]] = field(factory=list)
    corpus: IndexCorpus | None = None

    def apply(self, question: Question, ranked: Sequence[Found], corpus: Corpus) -> Sequence[Found]:
        assert isinstance(corpus, IndexCorpus)
        self.given.append((question, tuple(ranked)))
        self.corpus = corpus
        return tuple(reversed(ranked))


@define
class _WithNoted:
    """The parts of a memory, one of them replaced."""

    parts: Parts
    noted: _Noted = field(factory=_Noted)

    def names(self) -> Collection[str]:
        return (*self.parts.names(), STAGE)

    def load(self, group: str, name: str) -> Any:
        return self.noted if (group, name) == (STAGES, STAGE) else self.parts.load(group, name)


def keep(world: World) -> KeptWorld:
    """Ask everything once."""
    questions: dict[str, Kept] = {}
    rarity: dict[str, float] = {}
    ids: dict[int, str] = {}
    with world.opening() as opened:
        memory = opened.memory
        fill_vectors(memory, lambda what, done, total: None)
        replaced = _WithNoted(memory.parts)
        memory._parts = replaced  # type: ignore[assignment]  # it stands in for them
        count, today = 0, memory.now().date()
        for one in world.questions:
            answer = ask(memory, Asked(one.query.text, limit=500, explores=False))
            ((question, ranked),), corpus = replaced.noted.given, replaced.noted.corpus
            assert corpus is not None
            shown = [opened.ids.get(hit.path, f"/{hit.path}") for hit in answer.hits]
            named = frozenset(notes_named_by(corpus, question.words, ()))
            views = corpus.describe({*(found.note for found in ranked), *named})
            called = frozenset(notes_named_by(corpus, question.words, list(views))) - named
            ids |= {num: opened.ids.get(view.path, f"/{view.path}") for num, view in views.items()}
            order = [ids[found.note] for found in ranked]
            fixed = next((at for at, (old, new) in enumerate(zip(order, shown, strict=True)) if old != new), len(order))
            questions[one.query.id] = Kept(question, ranked, fixed if len(ranked) > 1 else 0, named, called)
            rarity |= corpus.rarity(question.words)
            count = corpus.note_count
            replaced.noted.given.clear()
    numbers = {id: number for number, id in ids.items()}
    for one in world.questions:
        for id in one.query.gold:
            numbers.setdefault(id, -1 - len(numbers))  # It was never found.
    return KeptWorld(
        world, ids | {number: id for id, number in numbers.items()}, numbers, questions, rarity, today, count
    )
