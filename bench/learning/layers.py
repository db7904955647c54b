"""The other layers: what notes used together bring to the walk, and what each part of a question costs and brings.

    uv run python bench/learning/layers.py --data DIR --vault GARDEN [--sets NAME ...]

Asks through the whole pipeline, with the pairs of one user in the store. Writes into `bench/results/learning.json`.
"""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Sequence
from typing import Any

import attrs
from keeping import DEPTH, KeptWorld, keep
from living import live
from measures import Row, summary
from proof import options_of, parser_of, worlds_of
from taught import empty_store, taught
from users import Split, split_of
from worlds import Topical, World

from ori_memory.evaluation.filling import fill_vectors
from ori_memory.evaluation.haystack import Opened
from ori_memory.evaluation.metrics import METRICS, measure
from ori_memory.evaluation.storing import compact_json
from ori_memory.memory import Memory
from ori_memory.retrieval.answer import Asked
from ori_memory.retrieval.asking import ask
from ori_memory.vault.config import Config

WEIGHTS = (0.3, 1.0)
RELATED, SEVERAL = "related", "several"
GROUPS = (RELATED, SEVERAL, "near", "unrelated")
"""`several`: the related questions that need more than one note, which is what this layer could bring together."""
MEASURES = ("recall@1", "recall@5", "all@5", "mrr@10")
ASKED = {SEVERAL: 100}
"""Questions of one group and world, where not `_USUAL`."""
_USUAL = 40


def with_weight(weight: float) -> Config:
    """Settings with another weight of what was used together."""
    retrieval = attrs.evolve(Config().retrieval, options={"graph": {"together": weight}})
    return attrs.evolve(Config(), retrieval=retrieval)


def pairs_of(world: KeptWorld, seed: int, opened: Opened) -> list[list[tuple[str, str]]]:
    """Notes that were of use in one session, session by session, as the store is told."""
    by_document = {id: opened.memory.index.note(path).id for path, id in opened.ids.items()}
    life = live(world, seed, None)
    return [list(itertools.combinations(sorted({by_document[id] for id in used}), 2)) for used in life.used]


def measured(opened: Opened, memory: Memory, one: Topical) -> tuple[float, ...]:
    answer = ask(memory, Asked(one.query.text, limit=DEPTH, explores=False, without=("qvalue",)))
    values = measure([opened.ids.get(hit.path, f"/{hit.path}") for hit in answer.hits], one.query.gold)
    return tuple(values[METRICS.index(name)] for name in MEASURES)


def together(world: World, seed: int) -> dict[float, dict[str, list[Row]]]:
    kept = keep(world)
    split = split_of(world, seed)
    found: dict[float, dict[str, list[Row]]] = {weight: {group: [] for group in GROUPS} for weight in WEIGHTS}
    with world.opening() as opened:
        fill_vectors(opened.memory, lambda what, done, total: None)
        sessions = pairs_of(kept, seed, opened)
        with empty_store(opened) as store:
            for pairs in sessions:
                store.record_pairs(pairs)
            chosen = {group: _some(_group(split, group), ASKED.get(group, _USUAL), seed) for group in GROUPS}
            plain = {one.query.id: measured(opened, opened.memory, one) for of in chosen.values() for one in of}
            for weight in WEIGHTS:
                with taught(opened, store, with_weight(weight)) as memory:
                    for group, of in chosen.items():
                        found[weight][group] += [
                            Row(one.query.id, one.kind, plain[one.query.id], measured(opened, memory, one))
                            for one in of
                        ]
    return found


def _group(split: Split, name: str) -> Sequence[Topical]:
    if name == SEVERAL:
        return [one for one in split.related if len(set(one.query.gold)) > 1]
    questions: Sequence[Topical] = getattr(split, name)
    return questions


def _some(questions: Sequence[Topical], most: int, seed: int) -> Sequence[Topical]:
    return random.Random(seed).sample(questions, min(most, len(questions)))


def main() -> None:
    options = options_of(parser_of("Measure the layers beside credit.", ["locomo", "hotpotqa", "garden"]))
    for name in options.sets:
        rows: dict[float, dict[str, list[Row]]] = {weight: {group: [] for group in GROUPS} for weight in WEIGHTS}
        for world in worlds_of(name, options):
            for weight, groups in together(world, 0).items():
                for group, of in groups.items():
                    rows[weight][group] += of
        found: list[dict[str, Any]] = [
            {"weight": weight, **{group: summary(of, names=MEASURES) for group, of in groups.items() if of}}
            for weight, groups in rows.items()
        ]
        document = json.loads(options.out.read_text(encoding="utf-8")) if options.out.exists() else {}
        document["together"] = {**document.get("together", {}), name: found}
        options.out.write_text(compact_json(document), encoding="utf-8")
        for one in found:
            print(name, one["weight"], {group: one[group]["recall@5"] for group in GROUPS if group in one}, flush=True)


if __name__ == "__main__":
    main()
