"""Whether learning from use pays: simulated users over real sets, before and after their sessions.

    uv run python bench/learning/proof.py --data DIR --vault GARDEN [--sets NAME ...] [--seeds 5]

DIR holds the data sets as `bench/retrieval.py` takes them, GARDEN is a vault whose passages are embedded. Every user
has topics of his own (`users.py`), asks in 30 sessions, and leaves evidence with noise. Afterwards questions are asked
that were never asked before: *related* ones, which a note answers that answers a question of the sessions; *near* ones,
of the same topics, which such a note does not answer; and *unrelated* ones. Settings were chosen on HotpotQA-train100,
MuSiQue-train100, one half of the vault's notes and the conversations of `DEVELOPMENT`; none of these is reported. The
bounds tell what the related ones leave to gain.
Writes `bench/results/learning.json`; `bench/learning_table.py` puts the table into the README.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import attrs
from keeping import DEPTH, KeptWorld, keep
from living import Life, live
from measures import GROUPS, Rows, adversary, bounds, changes, exposure, summary
from taught import empty_store, taught
from users import HABITS
from worlds import World, data_set_worlds, vault_worlds

from aries_kernel.contracts import Stage
from ori_memory.evaluation.storing import compact_json
from ori_memory.learned.crediting import Credit
from ori_memory.retrieval.answer import Asked
from ori_memory.retrieval.asking import ask
from ori_stage_qvalue.stage import QValue, QValueOptions

RESULTS = Path(__file__).parents[1] / "results" / "learning.json"
SETS = ("locomo", "hotpotqa", "garden")
DEVELOPMENT = ("locomo-conv-26", "locomo-conv-41")
"""Conversations that the stage was built on."""
NOTES = 200
"""Of the vault, that are asked about."""
CHECKED = 20
"""Questions of a world that are asked anew through the whole pipeline, with the store of one user."""


def worlds_of(name: str, options: argparse.Namespace) -> Iterator[World]:
    if name == "garden":
        yield from vault_worlds(options.vault, name, notes=NOTES, part=1, parts=2)
        return
    for world in data_set_worlds(name, Path(options.data) / name, options.keep):
        if world.label not in DEVELOPMENT:
            yield world


def check(world: World, kept: KeptWorld, life: Life, seed: int) -> tuple[int, int]:
    """Ask some through the whole pipeline, with what the user taught in the store: how many, and how many differ.

    The clock stands still at the day of the lists, so the credit is moved back by as many days as the user lived.
    """
    every = [one for group in GROUPS for one in getattr(life.split, group)]
    chosen = random.Random(seed).sample(every, min(CHECKED, len(every)))
    differing = 0
    with world.opening() as opened:
        memory = opened.memory
        memory.index.sync()
        by_document = {id: memory.index.note(path).id for path, id in opened.ids.items()}
        with empty_store(opened) as store, taught(opened, store) as asking:
            for credit in life.memories.credits.values():
                given = [Credit(by_document[credit.note_id], credit.words, 1.0, "citation")] * credit.uses
                store.record_credits(given, credit.last - (life.memories.today - kept.today))
            asking.taught.keep_experience()
            for one in chosen:
                answer = ask(asking, Asked(one.query.text, limit=DEPTH, explores=False))
                shown = [opened.ids.get(hit.path, f"/{hit.path}") for hit in answer.hits]
                differing += shown != life.order(one.query.id)[:DEPTH]
    return len(chosen), differing


def measure_set(name: str, options: argparse.Namespace, stage: Stage) -> dict[str, Any]:
    rows: dict[str, Rows] = {group: [] for group in GROUPS}
    kinds: dict[str, Rows] = {}
    adverse: dict[str, Any] = {"questions": 0, "first": [0, 0], "in_ten": [0, 0], "rows": []}
    exposures: list[dict[str, Any]] = []
    held = dict.fromkeys(GROUPS, 0)
    possible: list[tuple[str, float, float, float, float]] = []
    counts = {"users": 0, "questions_known": 0, "credits": 0, "checked": 0, "differing": 0}
    for world in worlds_of(name, options):
        start = time.perf_counter()
        kept = keep(world)
        lives = [(seed, live(kept, seed, stage)) for seed in range(options.seeds)]
        for seed, life in lives:
            found = changes(kept, life, seed)
            for group, of in found.items():
                rows[group] += of
            possible += bounds(kept, life, seed)
            for one in found.get("related", ()):
                kinds.setdefault(one.kind, []).append(one)
            for group in GROUPS:
                held[group] += len(getattr(life.split, group))
            counts["users"] += 1
            counts["credits"] += len(life.memories.credits)
            counts["questions_known"] += len({topic for _, topic in life.memories.credits})
        exposures.append(exposure(kept, lives, lambda seed, kept=kept: live(kept, seed, None)))  # type: ignore[misc]
        attacked = adversary(kept, range(options.seeds), stage)
        adverse["questions"] += attacked["questions"]
        adverse["rows"] += attacked["rows"]
        for key in ("first", "in_ten"):
            adverse[key] = [a + b for a, b in zip(adverse[key], attacked[key], strict=True)]
        checked, differing = check(world, kept, lives[0][1], 0)
        counts["checked"] += checked
        counts["differing"] += differing
        print(f"{world.label}: {len(world.questions)} questions, {time.perf_counter() - start:.0f} s", flush=True)
    return {
        "name": name,
        **counts,
        "held": held,
        "groups": {group: summary(of) for group, of in rows.items() if of},
        "related_by_kind": {kind: summary(of) for kind, of in sorted(kinds.items())},
        "bounds": _bounds(possible),
        "exposure": _mean(exposures),
        "adversary": {**{k: v for k, v in adverse.items() if k != "rows"}, "unrelated": summary(adverse["rows"])},
    }


def _bounds(rows: Sequence[tuple[str, float, float, float, float]]) -> dict[str, float]:
    """Means over questions, as those of `summary`: what learning could bring the related ones at most."""
    by_query: dict[str, list[tuple[float, ...]]] = {}
    for id, *values in rows:
        by_query.setdefault(id, []).append(tuple(values))
    means = [[sum(column) / len(of) for column in zip(*of, strict=True)] for of in by_query.values()]
    names = ("credited", "recall@1 of an oracle", "recall@1 among ten", "recall@1 of all")
    return {name: round(sum(row[at] for row in means) / max(1, len(means)), 4) for at, name in enumerate(names)}


def _mean(found: Sequence[dict[str, Any]]) -> dict[str, Any]:
    shares = {key: round(sum(one[key] for one in found) / len(found), 4) for key in ("learned", "relevance")}
    return {**shares, **{key: sum(one[key] for one in found) for key in ("never_shown", "reached")}}


def parser_of(description: str, sets: Sequence[str] = (), seeds: int | None = None) -> argparse.ArgumentParser:
    """What every measurement here is asked with; `sets` and `seeds`: those it takes where none are named."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--data", type=Path, default=os.environ.get("ORI_BENCH_DATA"), help="or ORI_BENCH_DATA")
    if sets:
        parser.add_argument("--vault", type=Path, help="the vault that is the set `garden`")
        parser.add_argument("--sets", nargs="*", default=list(sets))
    if seeds is not None:
        parser.add_argument("--seeds", type=int, default=seeds)
    parser.add_argument("--keep", type=Path, help="where vaults are kept; otherwise ori's cache folder")
    parser.add_argument("--out", type=Path, default=RESULTS)
    return parser


def options_of(parser: argparse.ArgumentParser) -> argparse.Namespace:
    """The options of this process; ends it where the data is not named."""
    options = parser.parse_args()
    if options.data is None:
        parser.error("name a folder of data sets with --data or ORI_BENCH_DATA")
    if "garden" in getattr(options, "sets", ()) and options.vault is None:
        parser.error("name the vault of the set garden with --vault")
    options.data = Path(options.data)
    return options


def main() -> None:
    options = options_of(parser_of("Measure what learning from use changes.", SETS, seeds=5))
    stage = QValue(QValueOptions())
    for name in options.sets:
        result = measure_set(name, options, stage)
        old = json.loads(options.out.read_text(encoding="utf-8")) if options.out.exists() else {}
        sets = {one["name"]: one for one in [*old.get("sets", ()), result]}
        ordered = [sets[key] for key in sorted(sets, key=lambda key: SETS.index(key) if key in SETS else len(SETS))]
        document = {**old, "habits": attrs.asdict(HABITS), "seeds": options.seeds, "sets": ordered}
        options.out.write_text(compact_json(document), encoding="utf-8")
        related = result["groups"]["related"]["recall@1"]
        print(name, related, result["groups"]["unrelated"]["recall@1"], result["exposure"], flush=True)


if __name__ == "__main__":
    main()
