"""Simulated users: what they ask in their sessions, and the evidence they leave."""

from __future__ import annotations

import datetime
import random
from collections.abc import Iterator, Sequence

from attrs import frozen
from keeping import DEPTH
from worlds import Topical, World

__all__ = ["HABITS", "Evidence", "Habits", "Split", "citations", "sessions_of", "split_of"]


@frozen
class Habits:
    """How a user lives with the memory. One set of values for every world."""

    sessions: int = 30
    questions: int = 10
    """A session."""
    topics: int = 3
    """A session."""
    recurring: float = 0.5
    """Share of the topics that the user works on; of the others nothing is ever asked."""
    most_topics: int = 30
    """More is not what anybody works on in a month."""
    askable: float = 0.5
    """Share of the questions about them that are asked in sessions; the others are kept for the examination."""
    silent: float = 0.5
    """Uses that leave no trace."""
    wrong: float = 0.1
    """Citations that name another of the notes shown."""
    days: int = 2
    """Between two sessions."""


HABITS = Habits()


@frozen
class Split:
    """The questions of a world as one user meets them; nothing is in two of the lists."""

    seen: tuple[Topical, ...]
    related: tuple[Topical, ...]
    """Never asked; one of their notes answers a question of `seen`."""
    near: tuple[Topical, ...]
    """Never asked, of the same topics; none of their notes answers a question of `seen`."""
    unrelated: tuple[Topical, ...]
    """Of other topics, and none of their notes answers a question of `seen`."""


@frozen
class Evidence:
    """That a note was of use for a question."""

    question: str
    """Id of the query."""
    document: str
    day: datetime.date


def split_of(world: World, seed: int, habits: Habits = HABITS) -> Split:
    drawn = random.Random(f"{world.label} {seed}")
    topics = sorted({topic for one in world.questions for topic in one.topics})
    recurring = set(drawn.sample(topics, max(1, min(habits.most_topics, round(habits.recurring * len(topics))))))
    seen: list[Topical] = []
    held: list[Topical] = []
    for one in world.questions:
        is_drawn = drawn.random() < habits.askable
        is_seen = one.is_askable and one.topics <= recurring and is_drawn
        (seen if is_seen else held).append(one)
    known = {id for one in seen for id in one.query.gold}
    groups: dict[str, list[Topical]] = {"related": [], "near": [], "unrelated": []}
    for one in held:
        is_near = bool(one.topics & recurring)
        kind = "related" if known.intersection(one.query.gold) else "near" if is_near else "unrelated"
        groups[kind].append(one)
    return Split(tuple(seen), *(tuple(groups[kind]) for kind in ("related", "near", "unrelated")))


def sessions_of(split: Split, seed: int, habits: Habits = HABITS) -> Iterator[Sequence[Topical]]:
    """The questions of each session: a few topics, some of which come back much oftener than others."""
    drawn = random.Random(f"sessions {seed}")
    by_topic: dict[str, list[Topical]] = {}
    for one in split.seen:
        for topic in sorted(one.topics):
            by_topic.setdefault(topic, []).append(one)
    topics = sorted(by_topic)
    drawn.shuffle(topics)
    weights = [1 / place**0.5 for place in range(1, len(topics) + 1)]
    for _ in range(habits.sessions):
        chosen = drawn.choices(topics, weights, k=habits.topics) if topics else []
        pool = list({one.query.id: one for topic in chosen for one in by_topic[topic]}.values())
        yield drawn.sample(pool, min(habits.questions, len(pool)))


def citations(
    one: Topical, shown: Sequence[str], day: datetime.date, drawn: random.Random, habits: Habits = HABITS
) -> Iterator[Evidence]:
    """What the user leaves behind: only notes that were shown can be cited."""
    if drawn.random() < habits.silent:
        return
    useful = [id for id in one.query.gold if id in shown[:DEPTH]]
    others = [id for id in shown[:DEPTH] if id not in useful]
    for id in useful:
        is_wrong = bool(others) and drawn.random() < habits.wrong
        yield Evidence(one.query.id, drawn.choice(others) if is_wrong else id, day)
