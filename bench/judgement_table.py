"""What judgements are worth, as a table in the README of their member."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

__all__ = ["README", "RESULTS", "with_table"]

RESULTS = Path(__file__).parent / "results" / "judgement.json"
README = Path(__file__).parents[1] / "plugins" / "body" / "README.md"
_PLACE = re.compile(r"(<!-- judgement -->\n).*?(<!-- end -->)", re.DOTALL)


def with_table(readme: str) -> str:
    """The README with the table of what was measured."""
    measured = json.loads(RESULTS.read_text(encoding="utf-8"))
    return _PLACE.sub(lambda found: found[1] + _table(measured) + found[2], readme)


def _table(measured: dict[str, Any]) -> str:
    projects = measured["projects"]
    rows: list[tuple[str, Callable[[dict[str, Any]], str]]] = [
        ("language", lambda row: str(row["language"])),
        ("source files", lambda row: f"{row['files']:,}"),
        *(
            (f"{name}: among the first three", lambda row, name=name: _share(row["edits"].get(name), "first_three"))  # type: ignore[misc]
            for name in _edits(projects)
        ),
        ("all edits: told as a duplicate", lambda row: f"{_told(row):.2f}"),
        ("functions of another project told as duplicates", lambda row: _false(row)),
        ("functions that do not fit their own file", lambda row: f"{row['customs']['own_file']:.1%}"),
        ("functions that do not fit a file beside theirs", lambda row: f"{row['customs']['other_file']:.1%}"),
        ("place by code: file among the first three", lambda row: _place(row, "code", "first_three")),
        ("place by description: file among the first three", lambda row: _place(row, "description", "first_three")),
        (
            "place by description: folder among the first three",
            lambda row: _place(row, "description", "folder_in_three"),
        ),
        ("one snippet, median, ms", lambda row: f"{row['median_ms']:.0f}"),
        ("one snippet, 95 of 100, ms", lambda row: f"{row['p95_ms']:.0f}"),
        ("first question of a process, ms", lambda row: f"{row['first_question_ms']:,}"),
        ("first question ever, s", lambda row: f"{row['profiles_ms'] / 1000:.1f}"),
        ("summary `lean` from the cache, ms", lambda row: f"{row['signature_ms']:.0f}"),
    ]
    names = [re.sub(r"-\d.*|^rust-|^lib(?=commons)|3-java.*", "", re.sub(r"-[\d.]+$", "", name)) for name in projects]
    lines = ["| CPU time | " + " | ".join(names) + " |", "| --- |" + " ---: |" * len(names)]
    lines += [f"| {name} | " + " | ".join(cell(row) for row in projects.values()) + " |" for name, cell in rows]
    return "\n".join(lines) + "\n"


def _edits(projects: dict[str, Any]) -> list[str]:
    return list(dict.fromkeys(name for row in projects.values() for name in row["edits"]))


def _share(found: dict[str, Any] | None, name: str) -> str:
    return "-" if found is None else f"{found[name]:.2f}"


def _told(row: dict[str, Any]) -> float:
    cases = sum(one["cases"] for one in row["edits"].values())
    return float(sum(one["told"] * one["cases"] for one in row["edits"].values()) / cases)


def _false(row: dict[str, Any]) -> str:
    return f"{row['false_hits']['share']:.1%}" if "false_hits" in row else "-"


def _place(row: dict[str, Any], kind: str, name: str) -> str:
    return _share(row.get("places", {}).get(kind), name)
