"""The README's table of retrieval, made from `bench/results/retrieval.json`.

uv run python bench/retrieval_table.py          # writes it into plugins/memory/README.md
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from readme_table import Place, row

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "bench" / "results" / "retrieval.json"
README = ROOT / "plugins" / "memory" / "README.md"
METRICS = {"recall@5": "recall@5", "all@5": "all gold in 5", "mrr@10": "MRR@10", "ndcg@10": "nDCG@10"}
MISSING = "Not measured yet: `bench/retrieval.py` writes the figures.\n"


def table_text(results: Mapping[str, Any] | None) -> str:
    """The table with what one must know to read it; `results` None: nothing was measured."""
    if not results or not results["sets"]:
        return MISSING
    head = ["set (questions)", "documents", "system", *METRICS.values()]
    lines = [row(head), row(["---"] * len(head))]
    for one in results["sets"]:
        lines += _rows(one)
    first = results["sets"][0]
    left_out = "; ".join(text for one in results["sets"] if (text := _left_out(one)))
    note = (
        f"Means over questions with 95 % bootstrap intervals ({first['resamples']:,} resamples, seed {first['seed']}), "
        f"k {first['k']}, the default settings for every set. `pooled`: all documents at once; `group`: a vault for "
        "each conversation; `candidates`: the question's own passages."
        + (f" Left out: {left_out}." if left_out else "")
    )
    return "\n".join([*lines, "", note]) + "\n"


def _rows(one: Mapping[str, Any]) -> list[str]:
    found = []
    for number, system in enumerate(one["systems"]):
        conditions = f"{one['name']} ({one['questions']:,})" if number == 0 else ""
        searched = f"{one['documents']:,} by {one['unit']}, {one['pool']}" if number == 0 else ""
        name = system["system"] + (_without(one) if number == 0 else "")
        metrics = system["total"]["metrics"]
        cells = [_cell(metrics[metric], number == 0) for metric in METRICS]
        found.append(row([conditions, searched, name, *cells]))
    return found


def _without(one: Mapping[str, Any]) -> str:
    parts = [f"only {' '.join(one['only'])}"] if one.get("only") else []
    parts += [f"without {' '.join(one['without'])}"] if one.get("without") else []
    return f" ({', '.join(parts)})" if parts else ""


def _cell(estimate: Mapping[str, float], has_interval: bool) -> str:
    mean = f"{estimate['mean']:.3f}"
    return f"**{mean}** [{estimate['low']:.3f}, {estimate['high']:.3f}]" if has_interval else mean


def _left_out(one: Mapping[str, Any]) -> str:
    counts = ", ".join(f"{count} {reason}" for reason, count in one["left_out"].items())
    return f"{one['name']} by {one['unit']}, {one['pool']}: {counts}" if counts else ""


PLACE = Place(README, RESULTS, "retrieval", table_text)
with_table = PLACE.with_table


if __name__ == "__main__":
    PLACE.write()
