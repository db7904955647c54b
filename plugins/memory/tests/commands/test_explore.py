"""`ori explore` and its sessions as processes: documents, text, exit codes."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ori_memory.retrieval.showing import tokens_of
from ori_memory.vault.making import adopt_vault

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    folder = tmp_path / "vault"
    folder.mkdir()
    for title, text in {
        "Bubye River": "The Bubye River is a tributary of the Limpopo. It rises in Matabeleland.",
        "Matabeleland": "A region of Zimbabwe; see [[Old maps]].",
        "Old maps": "Drawn by hand.",
        "Victoria Falls": "The largest waterfall of Zimbabwe.",
    }.items():
        (folder / f"{title}.md").write_text(text, encoding="utf-8")
    adopt_vault(folder)
    return folder


@pytest.fixture
def ori(vault: Path, tmp_path: Path) -> Run:
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        keep = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "ORI_"))}
        return subprocess.run(
            [sys.executable, "-m", "ori_memory", "--vault", str(vault), *arguments],
            cwd=tmp_path,
            env={**keep, "HOME": str(tmp_path), "USERPROFILE": str(tmp_path)},
            capture_output=True,
            encoding="utf-8",
            timeout=60,
        )

    return run


def data(done: subprocess.CompletedProcess[str]) -> Any:
    document = json.loads(done.stdout)
    assert done.returncode == 0 and document["success"], done.stderr
    return document["data"]


def test_explore_gives_a_document_and_a_text(ori: Run) -> None:
    question = ("What", "is", "the", "waterfall", "in", "the", "country", "of", "the", "Bubye", "River?")
    found = data(ori("explore", *question, "--fast", "--json"))
    assert found["results"][0]["title"] == "Bubye River"
    assert "Victoria Falls" in [one["title"] for one in found["results"]]
    assert set(found["results"][0]["snippet"]) == {"description", "preview", "line", "type", "links"}
    assert {"query", "paths", "sub_queries", "per_pass_results", "converged", "seed_count", "elapsed_ms"} <= set(found)
    text = ori("explore", *question, "--fast", "--text")
    assert text.returncode == 0 and "Victoria Falls" in text.stdout and "asked: waterfall Zimbabwe" in text.stdout


def test_a_pasted_page_is_not_printed_again(ori: Run) -> None:
    told = ori("--text", "explore", "kneading and proving " * 3_000)
    assert "kneading and proving" in told.stdout and max(map(len, told.stdout.splitlines())) < 500


def test_explore_keeps_to_its_options(ori: Run) -> None:
    assert len(data(ori("explore", "Zimbabwe", "--fast", "--limit", "1"))["results"]) == 1
    assert data(ori("explore", "Zimbabwe", "--fast", "--no-recursive"))["sub_queries"] == []
    assert "region" in data(ori("explore", "Matabeleland", "--fast", "--content"))["results"][0]["content"]
    assert data(ori("explore", "Zimbabwe", "--fast", "--as-of", "1999-01-01"))["query"] == "Zimbabwe"
    for wrong in (("--depth", "9"), ("--as-of", "yesterday"), ("--without", "nobody", "--limit", "0")):
        done = ori("explore", "Zimbabwe", "--fast", *wrong)
        assert done.returncode == 2 and json.loads(done.stdout)["success"] is False


def test_a_session_from_beginning_to_end(ori: Run, vault: Path) -> None:
    begun = data(ori("explore-start", "bubye", "tributary", "--fast", "--budget", "1"))
    id = begun["exploration_id"]
    assert begun["budget_remaining"] == 1 and begun["tree"][0]["kind"] == "root" and begun["frontier"]
    expanded = data(ori("explore-expand", id, "--ask", "largest waterfall"))
    assert expanded["tree"][1]["kind"] == "subQuestion" and expanded["budget_remaining"] == 0
    stopped = data(ori("explore-expand", id, "--branch", "n0"))
    assert stopped["budget_exhausted"] and len(stopped["tree"]) == 2 and "--extend" in stopped["hint"]
    text = ori("explore-expand", id, "--neighbors", "Old maps", "--extend", "1", "--text").stdout
    assert "n2 neighbors: Old maps" in text and "ori explore-conclude" in text
    done = data(ori("explore-conclude", id, "--answered", "--used", "Bubye River,Victoria Falls.md"))
    assert done["used_notes"] == ["Bubye River.md", "Victoria Falls.md"] and done["answered"]
    learned = data(ori("learned", "status"))
    assert learned["rows"]["access"] == 2, learned
    again = ori("explore-expand", id, "--branch", "n0")
    assert again.returncode == 2 and "is concluded" in again.stderr


def test_the_next_commands_can_be_run_as_they_stand(ori: Run) -> None:
    text = ori("explore-start", "what's the waterfall near the Bubye River", "--fast", "--text").stdout
    commands = [shlex.split(line) for line in re.findall(r"^ +ori (explore-expand .*)$", text, re.MULTILINE)]
    assert commands
    for command in commands:
        assert ori(*command, "--extend", "1", "--json").returncode == 0


@pytest.mark.parametrize("id", ["exp-0", "../vault"])
def test_an_unknown_session_is_an_error_of_the_person(ori: Run, id: str) -> None:
    for command in (("explore-expand", id, "--ask", "x"), ("explore-conclude", id)):
        done = ori(*command)
        assert done.returncode == 2 and "There is no exploration" in done.stderr and "Traceback" not in done.stderr


@pytest.mark.parametrize("budget", [250, 300, 400, 600])
def test_a_budget_holds_for_all_that_is_printed(ori: Run, vault: Path, budget: int) -> None:
    for number in range(12):
        (vault / f"Waterfall {number}.md").write_text(f"A waterfall of Zimbabwe, the tallest but {number}.", "utf-8")
    done = ori(
        "explore", "which waterfall is the tallest of Zimbabwe", "--fast", "--json", "--budget-tokens", str(budget)
    )
    told = data(done)
    assert tokens_of(done.stdout) <= budget
    assert len(told["results"]) >= 1 and told["left_out"] > 0


def test_a_budget_that_holds_no_note_is_refused(ori: Run) -> None:
    done = ori("explore", "waterfall", "--budget-tokens", "50")
    assert done.returncode == 2 and "--budget-tokens" in done.stderr
