"""Linter, formatter, type checker and the README's figures are part of the tests."""

from __future__ import annotations

import importlib
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("command", [["ruff", "check"], ["ruff", "format", "--check"], ["mypy"]])
def test_the_sources_are_clean(command: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=ROOT, capture_output=True, encoding="utf-8", timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_first_request_in_the_readme_is_the_measured_one() -> None:
    measured = json.loads((ROOT / "bench" / "results" / "first_request.json").read_text(encoding="utf-8"))
    rows = [row for row in measured["phases"] if row["phase"] == "lean"]
    lean = next(row for row in rows if row["mode"] == "bare")
    [told] = re.findall(r"<!-- first_request -->([\d,]+)<!-- end -->", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert told == f"{lean['body_characters']:,}" and all(row["body_characters"] < 8_000 for row in rows)


@pytest.mark.parametrize(
    ("member", "module"),
    [
        ("memory", "retrieval_table"),
        ("memory", "learning_table"),
        ("body", "code_graph_table"),
        ("body", "judgement_table"),
        ("body", "repl_tokens"),
    ],
)
def test_a_table_in_a_readme_is_the_measured_one(member: str, module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "bench"))
    tables: Any = importlib.import_module(module)
    readme = (ROOT / "plugins" / member / "README.md").read_text(encoding="utf-8")
    assert readme == tables.with_table(readme), f"run bench/{module}.py"


def test_the_figures_of_the_body_in_its_page_are_the_measured_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "bench"))
    bench: Any = importlib.import_module("repl")
    page = (ROOT / "plugins" / "body" / "docs" / "repl.md").read_text(encoding="utf-8")
    measured = json.loads((ROOT / "bench" / "results" / "repl.json").read_text(encoding="utf-8"))
    assert page == bench.with_figures(page, measured), "run bench/repl.py"
    assert (
        measured["torture"]["answered"] == measured["torture"]["executions"] and measured["torture"]["leaves_nothing"]
    )


def test_the_plugin_in_the_readme_is_the_one_that_is_built_and_installed() -> None:
    sample = ROOT / "tests" / "packaging" / "samples" / "word_count" / "src" / "word_count" / "__init__.py"
    assert sample.read_text(encoding="utf-8") in (ROOT / "README.md").read_text(encoding="utf-8")
    assert sum(1 for line in sample.read_text(encoding="utf-8").splitlines() if line.strip()) <= 20
