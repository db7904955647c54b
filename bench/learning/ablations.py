"""Credit with one of its parts changed: what each is good for.

    uv run python bench/learning/ablations.py --data DIR --vault GARDEN [--sets NAME ...] [--seeds 3]

Over kept lists, as `proof.py`. Writes into `bench/results/learning.json`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from attrs import frozen
from keeping import KeptWorld, keep
from living import live
from measures import Rows, changes, summary
from proof import options_of, parser_of, worlds_of

from aries_kernel.contracts import Experience
from ori_memory.evaluation.storing import compact_json
from ori_stage_qvalue.stage import QValue, QValueOptions

GROUPS = ("seen", "related", "near", "unrelated")


@frozen
class Variant:
    options: QValueOptions
    experience: Experience | None = None
    """In the place of what the vault has shown of likeness."""
    again: float = 0.0


VARIANTS: Mapping[str, Variant] = {
    "as it is": Variant(QValueOptions()),
    "likeness always trusted": Variant(QValueOptions(), Experience(1e9, 0.0)),
    "likeness hardly trusted": Variant(QValueOptions(), Experience(0.0, 1e9)),
    "no favour for having been of use at all": Variant(QValueOptions(favour=0)),
    "no more where the list is unsure": Variant(QValueOptions(doubt=1)),
    "what is named is always what is sought": Variant(QValueOptions(aside=0)),
    "three times the favour": Variant(QValueOptions(favour=0.3)),
    "a low gate (least 0.1, full 0.4)": Variant(QValueOptions(least=0.1, full=0.4)),
    "three notes may come in": Variant(QValueOptions(pulled=3)),
    "the evidence `again` counts too, 0.4": Variant(QValueOptions(), again=0.4),
    "a third of the gain": Variant(QValueOptions(gain=1.0)),
}


def rows_of(kept: KeptWorld, variant: Variant, seeds: int) -> dict[str, Rows]:
    found: dict[str, Rows] = {group: [] for group in GROUPS}
    for seed in range(seeds):
        life = live(kept, seed, QValue(variant.options), experienced=variant.experience, again=variant.again)
        for group, rows in changes(kept, life, seed).items():
            if group in found:
                found[group] += rows
    return found


def main() -> None:
    options = options_of(parser_of("Measure what each part of credit is good for.", ["locomo"], seeds=3))
    for name in options.sets:
        rows: dict[str, dict[str, Rows]] = {title: {group: [] for group in GROUPS} for title in VARIANTS}
        for world in worlds_of(name, options):
            kept = keep(world)
            for title, variant in VARIANTS.items():
                for group, of in rows_of(kept, variant, options.seeds).items():
                    rows[title][group] += of
        found: dict[str, Any] = {
            title: {group: summary(of) for group, of in groups.items() if of} for title, groups in rows.items()
        }
        document = json.loads(options.out.read_text(encoding="utf-8")) if options.out.exists() else {}
        document["ablations"] = {**document.get("ablations", {}), name: found}
        options.out.write_text(compact_json(document), encoding="utf-8")
        for title, groups in found.items():
            print(name, title, {group: of["recall@1"]["difference"] for group, of in groups.items()}, flush=True)


if __name__ == "__main__":
    main()
