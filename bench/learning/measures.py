"""What a user's sessions changed: per question, in shares of exposure, and against an adversary."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from attrs import frozen
from keeping import DEPTH, KeptWorld
from living import Adversary, Life, live
from worlds import Topical

from aries_kernel.contracts import Stage
from ori_memory.evaluation.bootstrap import Estimate, estimate
from ori_memory.evaluation.metrics import METRICS, measure

__all__ = ["GROUPS", "MEASURES", "Row", "Rows", "adversary", "bounds", "changes", "exposure", "summary"]

GROUPS = ("seen", "related", "near", "unrelated")
MEASURES = ("recall@1", "recall@5", "mrr@10")
_PLACES = [METRICS.index(name) for name in MEASURES]
_MOST = 300
"""Questions of one group and user; a random part of more."""
_TOP = 50


@frozen
class Row:
    """One question of one user."""

    query: str
    kind: str
    before: tuple[float, ...]
    after: tuple[float, ...]


Rows = list[Row]


def asked(life: Life, group: str, seed: int) -> Sequence[Topical]:
    every: Sequence[Topical] = getattr(life.split, group)
    return random.Random(seed).sample(every, _MOST) if len(every) > _MOST else every


def changes(world: KeptWorld, life: Life, seed: int) -> dict[str, Rows]:
    """By group: its questions before and after."""
    return {group: [_row(world, life, one) for one in asked(life, group, seed)] for group in GROUPS}


def _row(world: KeptWorld, life: Life, one: Topical) -> Row:
    before = measure(_unlearned(world, one), one.query.gold)
    after = measure(life.order(one.query.id)[:DEPTH], one.query.gold)
    return Row(one.query.id, one.kind, *(tuple(row[place] for place in _PLACES) for row in (before, after)))


def _unlearned(world: KeptWorld, one: Topical) -> list[str]:
    return [world.ids[found.note] for found in world.questions[one.query.id].ranked[:DEPTH]]


def summary(rows: Rows, seed: int = 0, names: Sequence[str] = MEASURES) -> dict[str, Any]:
    """Means before and after with the paired difference and its interval; for recall@1 the relative gain too.

    `names`: of the figures of each row.

    Drawn are questions, not rows: what several users were asked alike is no independent observation.
    """
    by_query: dict[str, list[tuple[float, ...]]] = {}
    for row in rows:
        differences = tuple(after - before for before, after in zip(row.before, row.after, strict=True))
        by_query.setdefault(row.query, []).append(row.before + row.after + differences)
    means = [tuple(sum(column) / len(of) for column in zip(*of, strict=True)) for of in by_query.values()]
    both, count = estimate(means, seed), len(names)
    found: dict[str, Any] = {"questions": len(by_query), "asked": len(rows)}
    for at, name in enumerate(names):
        before, after, difference = both[at], both[count + at], both[2 * count + at]
        found[name] = {"before": before.mean, "after": after.mean, **_interval(difference)}
        if name == "recall@1":
            found[name]["relative"] = round(difference.mean / before.mean, 4) if before.mean else None
    return found


def _interval(difference: Estimate) -> dict[str, float]:
    return {"difference": difference.mean, "low": difference.low, "high": difference.high}


def bounds(world: KeptWorld, life: Life, seed: int) -> list[tuple[str, float, float, float, float]]:
    """Of each related question: its id, whether a note of it was ever credited, and recall@1 of who knows which is.

    First where such a note may stand anywhere, then where it must be among those found without learning, at last of who
    knows all: a question with two notes cannot have both in the first place.
    """
    credited = {document for document, _ in life.memories.credits}
    found = []
    for one in asked(life, "related", seed):
        gold = set(one.query.gold)
        before = _row(world, life, one).before[0]
        most = 1 / len(gold)
        known, near = (bool(gold & of) for of in (credited, credited & set(_unlearned(world, one))))
        row = (float(known), most if known else before, most if near else before, most)
        found.append((one.query.id, *row))
    return found


def exposure(world: KeptWorld, lives: Sequence[tuple[int, Life]], unlearned: Callable[[int], Life]) -> dict[str, Any]:
    """Share of the places shown that the top 50 notes of each user had, beside what relevance alone would give.

    Over the sessions and the examination. `unlearned`: the same user's sessions with nothing learned.
    """
    shares: dict[str, list[float]] = {"learned": [], "relevance": []}
    reached = missing = 0
    for seed, life in lives:
        plain = unlearned(seed)
        for name, one in (("learned", life), ("relevance", plain)):
            counts = Counter(one.exposed)
            for group in GROUPS:
                for question in asked(one, group, seed):
                    counts.update(one.order(question.query.id)[:DEPTH])
            shares[name].append(sum(count for _, count in counts.most_common(_TOP)) / counts.total())
        # Notes that no session showed, and that answer a question: does the question still bring them?
        for question in asked(life, "unrelated", seed):
            before = _unlearned(world, question)
            for id in set(question.query.gold) & set(before):
                if not life.exposed[id]:
                    missing += 1
                    reached += id in life.order(question.query.id)[:DEPTH]
    return {**{name: sum(of) / len(of) for name, of in shares.items()}, "never_shown": missing, "reached": reached}


def adversary(world: KeptWorld, seeds: Sequence[int], stage: Stage) -> dict[str, Any]:
    """One note is cited in every session for every question: where it comes to stand for unrelated ones."""
    first = ten = first_before = ten_before = total = 0
    rows: Rows = []
    for seed in seeds:
        known = sorted(id for id, number in world.numbers.items() if number >= 0)
        document = random.Random(f"adversary {seed}").choice(known)
        life = live(world, seed, stage, adversary=Adversary(document))
        for one in asked(life, "unrelated", seed):
            if document in one.query.gold:
                continue
            before, after = _unlearned(world, one), life.order(one.query.id)[:DEPTH]
            total += 1
            first += after[:1] == [document]
            ten += document in after
            first_before += before[:1] == [document]
            ten_before += document in before
            rows.append(_row(world, life, one))
    return {"questions": total, "first": [first_before, first], "in_ten": [ten_before, ten], "rows": rows}
