"""What judgements are worth, as a table in the README of their member."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

__all__ = ["BOUNDS", "README", "RESULTS", "with_table"]

RESULTS = Path(__file__).parent / "results" / "judgement.json"
README = Path(__file__).parents[1] / "plugins" / "body" / "README.md"
BOUNDS = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99)
"""Similarities that answers are counted between."""
_FEW = 5
_PLACE = re.compile(r"(<!-- judgement -->\n).*?(<!-- end -->)", re.DOTALL)


def with_table(readme: str) -> str:
    """The README with the table of what was measured."""
    measured = json.loads(RESULTS.read_text(encoding="utf-8"))
    return _PLACE.sub(lambda found: found[1] + _table(measured) + found[2], readme)


def _table(measured: dict[str, Any]) -> str:
    projects = measured["projects"]
    tables = [_of_edits(projects), _of_sureness(projects), _of_projects(projects)]
    return "\n".join("\n".join(lines) + "\n" for lines in tables)


def _of_edits(projects: dict[str, Any]) -> list[str]:
    lines = [
        "| edit | cases | among the first three | in the worst project | told |",
        "| --- | ---: | ---: | ---: | ---: |",
    ]
    for name in dict.fromkeys(name for row in projects.values() for name in row["edits"]):
        rows = [row["edits"][name] for row in projects.values() if name in row["edits"]]
        worst = min((row["first_three"] for row in rows if row["cases"] >= _FEW), default=None)
        shown = "-" if worst is None else f"{worst:.2f}"
        lines.append(
            f"| {name} | {sum(row['cases'] for row in rows)} | {_mean(rows, 'first_three'):.2f} | {shown} | "
            f"{_mean(rows, 'told'):.2f} |"
        )
    return lines


def _mean(rows: list[dict[str, Any]], name: str) -> float:
    return float(sum(row[name] * row["cases"] for row in rows) / sum(row["cases"] for row in rows))


def _of_sureness(projects: dict[str, Any]) -> list[str]:
    rows = [row for row in projects.values() if "false_hits" in row]
    copies = [sum(counts) for counts in zip(*(row["sure"] for row in rows), strict=True)]
    others = [sum(counts) for counts in zip(*(row["false_hits"]["sure"] for row in rows), strict=True)]
    asked = sum(one["cases"] for row in rows for one in row["edits"].values())
    strange = sum(row["false_hits"]["functions"] for row in rows)
    lines = ["| similarity | copies | functions of others | right |", "| --- | ---: | ---: | ---: |"]
    ends = (*(f"{bound:g}" for bound in BOUNDS[1:]), "1")
    for low, high, copied, other in zip(BOUNDS, ends, copies, others, strict=True):
        share = copied / asked / ((copied / asked + other / strange) or 1.0)
        lines.append(f"| {low:g} to {high} | {copied / asked:.2%} | {other / strange:.2%} | {share:.1%} |")
    return lines


def _of_projects(projects: dict[str, Any]) -> list[str]:
    cells: list[tuple[str, Callable[[dict[str, Any]], str]]] = [
        ("language", lambda row: str(row["language"])),
        ("files", lambda row: f"{row['files']:,}"),
        ("copies among the first three", lambda row: f"{_mean(list(row['edits'].values()), 'first_three'):.2f}"),
        ("told", lambda row: f"{_mean(list(row['edits'].values()), 'told'):.2f}"),
        ("false hits", lambda row: f"{row['false_hits']['share']:.1%}" if "false_hits" in row else "-"),
        ("not fitting: own file", lambda row: f"{row['customs']['own_file']:.1%}"),
        ("one beside", lambda row: f"{row['customs']['other_file']:.1%}"),
        ("place by code", lambda row: _place(row, "code", "first_three")),
        ("by description", lambda row: _place(row, "description", "first_three")),
        ("its folder", lambda row: _place(row, "description", "folder_in_three")),
        ("median, ms", lambda row: f"{row['median_ms']:.0f}"),
        ("95 of 100", lambda row: f"{row['p95_ms']:.0f}"),
        ("first of a process", lambda row: f"{row['first_question_ms']:,}"),
        ("first ever, s", lambda row: f"{row['profiles_ms'] / 1000:.1f}"),
        ("summary, ms", lambda row: f"{row['signature_ms']:.0f}"),
    ]
    lines = [
        "| CPU time | " + " | ".join(name for name, _ in cells) + " |",
        "| --- | --- |" + " ---: |" * (len(cells) - 1),
    ]
    for name, row in projects.items():
        short = re.sub(r"-\d.*|^rust-|^lib(?=commons)|3-java.*", "", re.sub(r"-[\d.]+$", "", name))
        lines.append(f"| {short} | " + " | ".join(cell(row) for _, cell in cells) + " |")
    return lines


def _place(row: dict[str, Any], kind: str, name: str) -> str:
    found = row.get("places", {}).get(kind)
    return "-" if found is None else f"{found[name]:.2f}"
