"""Whether an answer is as sure as it should be once use has put its notes into another order.

    uv run python bench/learning/sureness.py --data DIR --vault GARDEN [--sets NAME ...] [--seeds 2] [--fit]

What each user asked before, and what nobody asked, goes through the whole pipeline with the store of that user. Every
answer is held against the labels twice: by the confidence that it has, and by the one that it would have if use proved
nothing. Writes into `bench/results/learning.json`. With `--fit` the weight of what use proves is fitted on
HotpotQA-train100, MuSiQue-train100 and the conversations of `DEVELOPMENT`, and printed; nothing is written then.
"""

from __future__ import annotations

import argparse
import json
import math
import random
from collections.abc import Iterable, Iterator, Sequence
from typing import Any
from unittest import mock

import attrs
import numpy as np
from keeping import DEPTH, KeptWorld, keep
from living import live
from measures import GROUPS
from proof import DEVELOPMENT, SETS, options_of, parser_of, worlds_of
from taught import empty_store, taught
from worlds import World, data_set_worlds

from ori_memory.evaluation.filling import fill_vectors
from ori_memory.evaluation.haystack import Opened
from ori_memory.evaluation.storing import compact_json
from ori_memory.learned.crediting import Credit
from ori_memory.memory import Memory
from ori_memory.retrieval import showing
from ori_memory.retrieval.answer import Asked
from ori_memory.retrieval.asking import ask
from ori_memory.retrieval.confidence import Evidence, confidence_of
from ori_stage_qvalue.stage import QValue, QValueOptions

TRAINED = ("hotpotqa-train100", "musique-train100")
MOST = 60
"""Questions of one group and user."""
BINS = 5
STEPS, FOLDS = 30, 5


@attrs.frozen
class Case:
    """One answer."""

    query: str
    group: str
    evidence: Evidence
    is_right: bool

    @property
    def unproven(self) -> float:
        """The confidence if use proved nothing."""
        return confidence_of(attrs.evolve(self.evidence, proven=0.0))


def cases_of(world: World, kept: KeptWorld, seeds: int) -> Iterator[Case]:
    stage = QValue(QValueOptions())
    with world.opening() as opened:
        opened.memory.index.sync()
        fill_vectors(opened.memory, lambda what, done, total: None)
        by_document = {id: opened.memory.index.note(path).id for path, id in opened.ids.items()}
        for seed in range(seeds):
            life = live(kept, seed, stage)
            with empty_store(opened) as store, taught(opened, store) as memory:
                # The clock stands still at the day of the lists.
                back = life.memories.today - kept.today
                for credit in life.memories.credits.values():
                    given = [Credit(by_document[credit.note_id], credit.words, 1.0, "citation")] * credit.uses
                    store.record_credits(given, credit.last - back)
                memory.taught.keep_experience()
                for group in GROUPS:
                    every = getattr(life.split, group)
                    for one in random.Random(seed).sample(every, min(MOST, len(every))):
                        for is_fast in (False, True):
                            yield from asked(opened, memory, f"{world.label} {one.query.id}", group, one.query, is_fast)


def asked(opened: Opened, memory: Memory, label: str, group: str, query: Any, is_fast: bool) -> Iterator[Case]:
    seen: list[Evidence] = []

    def remember(evidence: Evidence) -> float:
        seen.append(evidence)
        return confidence_of(evidence)

    # The evidence is no part of an answer: it is taken where the answer takes its confidence from.
    with mock.patch.object(showing, "confidence_of", remember):
        answer = ask(memory, Asked(query.text, limit=DEPTH, explores=False, is_fast=is_fast))
    for evidence in seen:
        yield Case(label, group, evidence, opened.ids.get(answer.hits[0].path) in query.gold)


def told(cases: Sequence[Case]) -> dict[str, Any]:
    """Of one group: the share right, what was claimed, and how both fit together, bin by bin."""
    right = [case.is_right for case in cases]
    claims = {
        "before": [case.unproven for case in cases],
        "after": [confidence_of(case.evidence) for case in cases],
    }
    return {
        "answers": len(cases),
        "questions": len({case.query for case in cases}),
        "right": round(sum(right) / len(right), 4),
        **{name: {"claimed": round(sum(of) / len(of), 4), "bins": bins(of, right)} for name, of in claims.items()},
    }


def bins(claims: Sequence[float], right: Sequence[bool]) -> list[list[float]]:
    """Of each bin: answers, the sum of their claims, and how many are right, so that bins of several sets add up."""
    found = [[0.0, 0.0, 0.0] for _ in range(BINS)]
    for claim, is_right in zip(claims, right, strict=True):
        row = found[min(int(claim * BINS), BINS - 1)]
        row[0] += 1
        row[1] += claim
        row[2] += is_right
    return [[int(count), round(claimed, 3), int(rights)] for count, claimed, rights in found]


def fit(cases: Sequence[Case]) -> None:
    """Print what use proves weighs in the log odds beside all else, and how that does in five folds."""
    learned = [case for case in cases if case.evidence.proven > 0]
    base = np.array([math.log(case.unproven / (1 - case.unproven)) for case in learned])
    proven = np.array([case.evidence.proven for case in learned])
    right = np.array([float(case.is_right) for case in learned])
    # All answers to one question are in one fold.
    numbers = {query: number for number, query in enumerate(sorted({case.query for case in learned}))}
    folds = np.random.default_rng(0).permutation(len(numbers))[[numbers[case.query] for case in learned]] % FOLDS
    claims = np.zeros(len(learned))
    for fold in range(FOLDS):
        weight = fitted(base[folds != fold], proven[folds != fold], right[folds != fold])
        claims[folds == fold] = chance(base + weight * proven)[folds == fold]
    print(f"{len(learned)} answers, {right.mean():.3f} right; the weight: {fitted(base, proven, right):.2f}")
    used = np.array([confidence_of(case.evidence) for case in learned])
    for what, values in (("unproven", chance(base)), ("in folds", claims), ("in use", used)):
        print(f"  {what}: Brier {((values - right) ** 2).mean():.3f}")
        for number, (count, claimed, rights) in enumerate(bins(values.tolist(), [bool(one) for one in right])):
            if count:
                print(
                    f"    bin {number}: {count:.0f} answers, claimed {claimed / count:.2f}, right {rights / count:.2f}"
                )


def chance(odds: Any) -> Any:
    return 1 / (1 + np.exp(-odds))


def fitted(base: Any, proven: Any, right: Any) -> float:
    """Logistic regression on top of `base`, by Newton's method."""
    weight = 0.0
    for _ in range(STEPS):
        sure = chance(base + weight * proven)
        weight += 0.5 * float((proven * (right - sure)).sum() / (proven**2 * sure * (1 - sure)).sum())
    return weight


def training(options: argparse.Namespace) -> Iterator[World]:
    for name in TRAINED:
        yield from data_set_worlds(name, options.data / name, options.keep)
    for world in data_set_worlds("locomo", options.data / "locomo", options.keep):
        if world.label in DEVELOPMENT:
            yield world


def every_case(worlds: Iterable[World], seeds: int) -> Iterator[Case]:
    for world in worlds:
        found = list(cases_of(world, keep(world), seeds))
        print(f"{world.label}: {len(found)} answers", flush=True)
        yield from found


def main() -> None:
    parser = parser_of("Hold the confidence of answers after use against labels.", SETS, seeds=2)
    parser.add_argument("--fit", action="store_true", help="print the weight, fitted on the training sets")
    options = options_of(parser)
    if options.fit:
        fit(list(every_case(training(options), options.seeds)))
        return
    for name in options.sets:
        cases = list(every_case(worlds_of(name, options), options.seeds))
        groups = {group: [case for case in cases if case.group == group] for group in GROUPS}
        document = json.loads(options.out.read_text(encoding="utf-8")) if options.out.exists() else {}
        found = {group: told(of) for group, of in groups.items() if of}
        known = {**document.get("sureness", {}), name: found}
        document["sureness"] = {one: known[one] for one in SETS if one in known}
        options.out.write_text(compact_json(document), encoding="utf-8")
        print(name, {g: (one["right"], one["before"]["claimed"], one["after"]["claimed"]) for g, one in found.items()})


if __name__ == "__main__":
    main()
