"""The measured figures of the code graph as a table in the README of its member."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

__all__ = ["README", "RESULTS", "with_table"]

RESULTS = Path(__file__).parent / "results" / "code_graph.json"
README = Path(__file__).parents[1] / "plugins" / "body" / "README.md"
_PLACE = re.compile(r"(<!-- code_graph -->\n).*?(<!-- end -->)", re.DOTALL)
_ROWS = (
    ("source files", lambda row: f"{row['cold']['files']:,.0f}"),
    ("symbols", lambda row: f"{row['cold']['symbols']:,.0f}"),
    ("references", lambda row: f"{row['cold']['references']:,.0f}"),
    ("edges between files", lambda row: f"{row['cold']['edges']:,.0f}"),
    ("first build, one process, s", lambda row: f"{row['cold']['seconds']:.2f}"),
    ("floor: parse, captures, names, s", lambda row: f"{row['floor']['seconds']:.2f}"),
    ("first build, times the floor", lambda row: f"{row['cold_by_floor']:.1f}"),
    ("nothing changed: walk, stat, load, s", lambda row: f"{row['warm']['seconds']:.2f}"),
    ("one edit that is named, ms", lambda row: f"{row['edit']['named_ms']:.0f}"),
    ("one edit that has to be found, ms", lambda row: f"{row['edit']['found_ms']:.0f}"),
    ("find_symbol, ms", lambda row: f"{row['questions']['find_symbol_ms']:.3f}"),
    ("show_dependents, ms", lambda row: f"{row['questions']['show_dependents_ms']:.2f}"),
    ("text searched, MB", lambda row: f"{row['questions']['text_mb']:.1f}"),
    ("first search of a session, ms", lambda row: f"{row['questions']['first_search_ms']:.0f}"),
    ("second one, which gathers places, ms", lambda row: f"{row['questions']['first_gathering_ms']:.0f}"),
    ("search, word that is nowhere, ms", lambda row: f"{row['questions']['search_absent_ms']:.1f}"),
    ("search, common word, ms", lambda row: f"{row['questions']['search_common_ms']:.1f}"),
    ("search, rare name, ms", lambda row: f"{row['questions']['search_rare_ms']:.1f}"),
    ("search, most common two words, ms", lambda row: f"{row['questions']['search_several_words_ms']:.1f}"),
    ("search, whole word, ms", lambda row: f"{row['questions']['search_word_ms']:.1f}"),
    ("search, expression with a text, ms", lambda row: f"{row['questions']['search_expression_with_text_ms']:.1f}"),
    ("search, expression without one, ms", lambda row: f"{row['questions']['search_expression_ms']:.0f}"),
    ("memory per 1,000 files, MB", lambda row: f"{row['mb_per_1000_files']:.0f}"),
    ("cache on disk, MB", lambda row: f"{row['cold']['cache_mb']:.0f}"),
    ("universal-ctags, s", lambda row: _seconds(row["ctags_seconds"])),
    ("ripgrep, word that is nowhere, ms", lambda row: _milliseconds(row["ripgrep_seconds"])),
    ("aider's repository map, first, s", lambda row: _of_aider(row, "cold")),
    ("aider's repository map, again, s", lambda row: _of_aider(row, "warm")),
)


def with_table(readme: str) -> str:
    """The README with the table of what was measured."""
    measured = json.loads(RESULTS.read_text(encoding="utf-8"))
    return _PLACE.sub(lambda found: found[1] + _table(measured) + found[2], readme)


def _table(measured: dict[str, Any]) -> str:
    trees = measured["trees"]
    lines = ["| CPU time | " + " | ".join(trees) + " |", "| --- |" + " ---: |" * len(trees)]
    for name, cell in _ROWS:
        lines.append(f"| {name} | " + " | ".join(cell(row) for row in trees.values()) + " |")
    many, large = measured["many_files"], measured["large_graph"]
    said = (
        f"{many['files']:,.0f} files under git, nothing changed: {many['seconds']:.2f} s. A graph of 10,000 files and "
        f"50,000 edges: PageRank {large['pagerank_ms']:.0f} ms, communities {large['communities_ms']:.0f} ms, hubs and "
        f"authorities {large['hits_ms']:.0f} ms, cycles {large['cycles_ms']:.0f} ms."
    )
    return "\n".join([*lines, "", said]) + "\n"


def _of_aider(row: dict[str, Any], which: str) -> str:
    found = row.get("aider")
    return f"{found[which]:.2f}" if found else "not measured"


def _seconds(value: float | None) -> str:
    return "not installed" if value is None else f"{value:.2f}"


def _milliseconds(value: float | None) -> str:
    return "not installed" if value is None else f"{value * 1000:.0f}"
