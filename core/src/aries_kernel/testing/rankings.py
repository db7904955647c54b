"""Questions, ranked lists and a vault of everything, for the suites of signals and stages."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from attrs import frozen

from aries_kernel.contracts.retrieval import Found, Intent, Period, Question
from aries_kernel.testing.corpora import FakeCorpus, FakeNote

__all__ = ["RankingCase", "ask", "bakery", "hard_questions", "rank"]

_LEFT_OUT = frozenset(
    {"a", "and", "did", "do", "does", "how", "in", "is", "of", "the", "to", "was", "we", "what", "why"}
)


@frozen
class RankingCase:
    """A question to a vault, and the list that was there before."""

    question: Question
    corpus: FakeCorpus
    ranked: Sequence[Found] = ()


def ask(text: str, **parts: Any) -> Question:
    """A question with the words of its text; `parts` are further fields of `Question`."""
    words = tuple(word for word in re.findall(r"\w+", text.lower()) if word not in _LEFT_OUT)
    return Question(text, **{"words": words, **parts})


def rank(corpus: FakeCorpus, scores: Mapping[str, float] | Iterable[str]) -> tuple[Found, ...]:
    """A ranked list of titles with scores; without scores they fall evenly from 1."""
    if not isinstance(scores, Mapping):
        titles = tuple(scores)
        scores = {title: 1 - place / len(titles) for place, title in enumerate(titles)}
    return tuple(Found(corpus.number(title), score) for title, score in scores.items())


def bakery() -> FakeCorpus:
    """A vault of thirteen notes in which everything that a corpus knows is there for some and missing for others."""
    day = datetime.date
    return FakeCorpus(
        (
            FakeNote("Rye bread", "Rye, water and the Old Mill starter. Bake it hot.", links=("Sourdough starter",),
                     type="learning", created=day(2024, 5, 3), modified=day(2024, 5, 20), boost=0.2, shown=9,
                     vectors=((1, 0.1, 0), (0.9, 0.2, 0)), importance=0.6, vitality=0.7, community=1,
                     useful_for=("rye bread", "rye bread", "which bread is baked hot")),
            FakeNote("Sourdough starter", "Feed the starter with rye every day.", aliases=("levain",), type="idea",
                     created=day(2023, 11, 2), boost=0.05, vectors=((0.9, 0.3, 0.1),), importance=1.0, vitality=0.9,
                     community=1),
            FakeNote("Why we chose rye", "We decided for rye: it keeps longer than wheat.", links=("Rye bread",),
                     type="decision", created=day(2024, 1, 15), vectors=((0.7, 0.6, 0),), importance=0.3,
                     vitality=0.4, community=1),
            FakeNote("Oven", "How to heat the oven to 250 degrees. Model BX-42.", links=("Rye bread", "Gas bill"),
                     type="insight", modified=day(2022, 2, 2), vectors=((0.2, 1, 0),), importance=0.5, vitality=0.2,
                     community=2),
            FakeNote("Gas bill", "The oven took gas for 80 euros in May.", status="archived", created=day(2024, 5, 31),
                     importance=0.2, vitality=0.1, community=2),
            FakeNote("2024-05-28", "Met Anna at the Old Mill. Rye is dearer now.", path="daily/2024-05-28.md",
                     suggested=("Rye bread",), importance=0.1, vitality=0.3),
            FakeNote("Bread 1", "Anna: is the rye bread good?", thread="chat", created=day(2024, 4, 1)),
            FakeNote("Bread 2", "Ben: yes, the bread is very good.", thread="chat", created=day(2024, 4, 1)),
            FakeNote("Bread 3", "Anna: then I bake it again.", thread="chat", created=day(2024, 4, 2)),
            FakeNote("黑麦面包", "黑麦面包的做法很简单。", importance=0.1, vitality=0.2, community=3),
            FakeNote("Rye loaf", "Rye, water and the Old Mill starter. Bake it hot!", vectors=((1, 0.1, 0.01),)),
            FakeNote("Empty", ""),
            FakeNote("Index", "All about bread.", links=("Rye bread", "Sourdough starter", "Oven", "Rye loaf"),
                     is_pinned=True, importance=0.4, vitality=0.6, community=1),
        ),
        embedded={"rye bread": (1, 0, 0), "oven": (0, 1, 0)},
    )  # fmt: skip


def hard_questions() -> Mapping[str, Question]:
    """Questions that nobody should stumble over, by what they are like."""
    may = Period(datetime.date(2024, 5, 1), datetime.date(2024, 5, 31), "in May")
    return {
        "plain": ask("rye bread"),
        "empty": Question(""),
        "blank": Question(" \n\t"),
        "without words": Question("what is it?"),
        "only signs": Question("?!*\"'()[]%_\\", words=("*", '"')),
        "unknown words": ask("zyxwv qponm"),
        "another script": Question("黑麦面包", words=("黑麦面包",), is_english=False),
        "with a period": ask("bread in May", period=may),
        "of one day": ask("bread", period=Period(datetime.date.min, datetime.date.min, "then")),
        "why": ask("why did we choose rye", intent=Intent.DECISION, intent_confidence=1.0),
        "how": ask("how to heat the oven", intent=Intent.PROCEDURAL),
        "when": ask("when did I meet Anna", intent=Intent.EPISODIC),
        "quoted": ask('"Old Mill"', phrases=("Old Mill",)),
        "a code": ask("BX-42", identifiers=("BX-42",)),
        "very long": ask("bread " * 3_000),
        "for one": ask("bread rye oven", limit=1),
        "for none": ask("bread rye oven", limit=0),
        "not a text": Question("bread \ud800\0", words=("bread", "\ud800\0")),
    }
