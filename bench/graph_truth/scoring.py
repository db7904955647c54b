"""Edges and names against a truth that nobody here wrote, and the file that tells the outcome."""

from __future__ import annotations

import json
import platform
from collections.abc import Collection
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).resolve().parent.parent / "results"


def score(ours: Collection[Any], truth: Collection[Any]) -> dict[str, Any]:
    """Precision and recall, with some of the differences."""
    mine, theirs = set(ours), set(truth)
    both = len(mine & theirs)
    return {
        "ours": len(mine),
        "truth": len(theirs),
        "precision": round(both / len(mine), 4) if mine else None,
        "recall": round(both / len(theirs), 4) if theirs else None,
        "only_ours": sorted(map(str, mine - theirs))[:400],
        "only_truth": sorted(map(str, theirs - mine))[:400],
    }


def write(language: str, rows: dict[str, Any]) -> None:
    """Into `bench/results/graph_truth_LANGUAGE.json`, and the figures onto the screen."""
    document = {"language": language, "python": platform.python_version(), "repositories": rows}
    target = RESULTS / f"graph_truth_{language}.json"
    target.write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    for name, row in rows.items():
        for what, value in row.items():
            shown = value
            if isinstance(value, dict):
                shown = {k: v for k, v in value.items() if not k.startswith(("only_", "sample", "explained"))}
            print(f"{name:28} {what:24} {shown}")
    print(f"written: {target}")
