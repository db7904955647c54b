"""What each part of a question costs and brings, and whether the reward that a bandit would learn from tells the truth.

    uv run python bench/learning/parts.py --data DIR [--sets NAME ...]

Every question is asked with all parts while the bandit watches, and once without each part. What the watcher thinks a
part brought is held against what it brought by the labels (nDCG@10). Writes into `bench/results/learning.json`.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import attrs
from keeping import DEPTH
from proof import DEVELOPMENT, options_of, parser_of

from ori_memory.evaluation.bootstrap import estimate
from ori_memory.evaluation.dataset import Query, read_dataset
from ori_memory.evaluation.filling import fill_vectors
from ori_memory.evaluation.haystack import Opened, trial_of
from ori_memory.evaluation.metrics import METRICS, measure
from ori_memory.evaluation.storing import compact_json
from ori_memory.memory import Memory
from ori_memory.retrieval.answer import Asked
from ori_memory.retrieval.asking import ask
from ori_memory.vault.config import Config

PARTS = ("time", "thread", "graph")
"""Not essential, and with something to say in vaults that nobody used yet."""
_NDCG = METRICS.index("ndcg@10")
ASKED = 60
"""Questions of one vault."""


def value(opened: Opened, memory: Memory, query: Query, *without: str) -> tuple[float, float]:
    answer = ask(memory, Asked(query.text, limit=DEPTH, explores=False, without=without))
    ids = [opened.ids.get(hit.path, f"/{hit.path}") for hit in answer.hits]
    return measure(ids, query.gold)[_NDCG], answer.milliseconds


def rows_of(opened: Opened, queries: list[Query]) -> dict[str, list[tuple[float, ...]]]:
    """By part: what the watcher saw, what the labels say, what it took."""
    fill_vectors(opened.memory, lambda what, done, total: None)
    retrieval = attrs.evolve(Config().retrieval, steering="watch")
    vault = attrs.evolve(opened.memory.vault, config=attrs.evolve(Config(), retrieval=retrieval))
    found: dict[str, list[tuple[float, ...]]] = {part: [] for part in PARTS}
    with Memory.open(vault, now=opened.memory.now, embedder=opened.memory.embedder) as memory:
        steering = memory.taught.steering
        assert steering is not None
        for query in queries:
            value(opened, opened.memory, query)  # So that nobody pays for what is kept from then on.
            steering.samples.clear()
            whole, _ = value(opened, memory, query)
            for sample in steering.samples:
                if sample.part in PARTS:
                    without, _ = value(opened, opened.memory, query, sample.part)
                    found[sample.part].append((sample.gained, sample.reward, whole - without, sample.milliseconds))
    return found


def told(rows: list[tuple[float, ...]]) -> dict[str, Any]:
    gained, reward, true, took = zip(*rows, strict=True)
    (mean,) = estimate([(one,) for one in true], 0)
    decided = [(a, b) for a, b in zip(reward, true, strict=True) if b]
    return {
        "questions": len(rows),
        "brings": {"ndcg@10": mean.mean, "low": mean.low, "high": mean.high},
        "milliseconds": round(sum(took) / len(took), 2),
        "thought": round(sum(gained) / len(gained), 4),
        "reward": round(sum(reward) / len(reward), 4),
        "rank_correlation": _correlation(list(gained), list(true)),
        "same_sign": round(sum((a > 0) == (b > 0) for a, b in decided) / len(decided), 3) if decided else None,
        "decided": len(decided),
    }


def _correlation(one: list[float], other: list[float]) -> float | None:
    """Spearman's, ties sharing their ranks; None where either never changes."""
    import numpy as np

    def ranks(values: list[float]) -> np.ndarray:
        _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
        return (np.cumsum(counts) - (counts + 1) / 2)[places]

    a, b = ranks(one), ranks(other)
    return round(float(np.corrcoef(a, b)[0, 1]), 3) if a.std() and b.std() else None


def main() -> None:
    options = options_of(parser_of("Hold what a bandit would learn against labels.", ["locomo", "hotpotqa", "scifact"]))
    for name in options.sets:
        rows: dict[str, list[tuple[float, ...]]] = {}
        for haystack in trial_of(read_dataset(Path(options.data) / name, "turn", name), folder=options.keep).haystacks:
            if haystack.label in DEVELOPMENT:
                continue
            queries = random.Random(0).sample(haystack.queries, min(ASKED, len(haystack.queries)))
            with haystack.opening() as opened:
                for part, of in rows_of(opened, queries).items():
                    rows.setdefault(part, []).extend(of)
        found = {part: told(of) for part, of in rows.items() if of}
        document = json.loads(options.out.read_text(encoding="utf-8")) if options.out.exists() else {}
        document["parts"] = {**document.get("parts", {}), name: found}
        options.out.write_text(compact_json(document), encoding="utf-8")
        print(name, json.dumps(found), flush=True)


if __name__ == "__main__":
    main()
