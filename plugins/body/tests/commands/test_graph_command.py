"""`aries graph`, as somebody types it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from body_trees import write
from click.testing import CliRunner

from aries_body.commands.graph import graph

SUM = """def {0}({1}s):
    {2} = 0
    for {1} in {1}s:
        if {1}.price > 0:
            {2} += {1}.price * {1}.count
    return {2}
"""
FILES: dict[str, str | bytes] = {
    "pkg/__init__.py": "from .core import Core\n",
    "pkg/core.py": "from . import util\n\n\nclass Core:\n    def run(self):\n        return util.load()\n",
    "pkg/util.py": "import pkg\n\n\ndef load():\n    ...\n",
    "tests/test_core.py": "from pkg import Core\n\n\ndef test_it():\n    Core().run()\n",
    "pkg/sums.py": SUM.format("load_sums", "part", "total") + "\n\n" + SUM.format("other", "row", "amount"),
    "vendor/x.py": "",
}


def run(root: Path, *words: str, home: Path | None = None) -> subprocess.CompletedProcess[str]:
    home = home or root.parent
    environ = {**os.environ, "HOME": str(home), "XDG_CACHE_HOME": str(root.parent / "caches"), "COLUMNS": "100"}
    environ["LOCALAPPDATA"] = environ["XDG_CACHE_HOME"]
    return subprocess.run(
        [sys.executable, "-m", "aries_cli", "graph", *words], cwd=root, env=environ, capture_output=True, text=True,
        encoding="utf-8", timeout=120,
    )  # fmt: skip


@pytest.fixture
def told(project: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """What a command that works prints, without a process of its own."""
    monkeypatch.chdir(project)
    monkeypatch.setenv("HOME", str(project.parent))
    monkeypatch.setenv("XDG_CACHE_HOME", str(project.parent / "caches"))
    monkeypatch.setenv("LOCALAPPDATA", str(project.parent / "caches"))

    def tell(*words: str) -> str:
        done = CliRunner().invoke(graph, words, catch_exceptions=False)
        assert (done.exit_code, done.stderr) == (0, ""), done.output
        return done.stdout

    return tell


@pytest.fixture
def project(root: Path) -> Path:
    write(root, dict(FILES))
    return root


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("top",), "pkg/core.py"),
        (("deps", "pkg/core.py"), "pkg/util.py"),
        (("dependents", "pkg/util.py", "--depth", "3"), "tests/test_core.py"),
        (("path", "tests/test_core.py", "pkg/util.py"), "pkg/core.py"),
        (("communities",), "pkg/"),
        (("cycles",), "pkg/util.py > pkg/__init__.py"),
        (("search", "LOAD"), "pkg/util.py:4"),
        (("search", "lo.d", "--regex", "--path", "pkg"), "pkg/util.py:4"),
        (("symbol", "Core.run"), "pkg/core.py:5"),
        (("callers", "load"), "pkg/core.py:6"),
        (("callees", "Core.run"), "pkg/util.py::load"),
        (("tests", "pkg/core.py"), "tests/test_core.py"),
        (("map",), "pkg/ (4 files)"),
        (("skipped",), "vendored code"),
        (("stats",), "5 (python 5), 1 of them tests"),
        (("unused",), "load_sums"),
        (("unresolved",), "nothing found"),
        (("together", "pkg/core.py"), "there is no history"),
        (("similar", "load"), "pkg/sums.py:1-6"),
        (("duplicates", "load_sums"), "pkg/sums.py:9-14"),
        (("duplicates", "pkg/core.py"), "too little code"),
        (("where", "sums of parts"), "pkg/sums.py"),
        (("conventions", "tests"), "in a folder tests/"),
        (("check", "pkg/util.py", "pkg/core.py"), "pkg/core.py: fits"),
        (("signature", "--level", "lean"), "# Codebase: 5 files"),
    ],
)
def test_every_question_is_answered_as_text_and_as_one_document(
    told: Callable[..., str], words: tuple[str, ...], expected: str
) -> None:
    assert expected in told(*words)
    assert json.loads(told(*words, "--json"))


def test_documents_hold_what_the_library_answers(told: Callable[..., str]) -> None:
    assert json.loads(told("dependents", "pkg/util.py", "--json")) == {
        "items": [{"path": "pkg/core.py", "count": 1, "kinds": ["import", "call"], "depth": 1, "is_indirect": False}],
        "total": 1, "note": "",
    }  # fmt: skip
    assert json.loads(told("stats", "--json"))["file_count"] == 5


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("deps", "core.py"), "There is no file 'core.py'. Near it: pkg/core.py."),
        (("deps", "../x.py"), "leads out of the project"),
        (("callers", "lod"), "Near it: load."),
        (("search", "(", "--regex"), "no regular expression"),
        (("top", "--limit", "0"), "0 is not in the range"),
        (("top", "--root", "nowhere"), "there is no such folder"),
        (("top", "--root", ".."), "the home folder or holds it"),
        (("nonsense",), "No such command 'nonsense'"),
        (("duplicates", "lod_sums"), "Near it: load_sums"),
        (("duplicates", "load_sums", "--language", "cobol", "--threshold", "7"), "7.0 is not in the range"),
        (("check", "nowhere.py", "pkg"), "nowhere.py cannot be read"),
        (("check", "pkg/util.py", "nowhere"), "There is no file or folder 'nowhere'"),
        (("where", ""), "nothing to find a place for"),
    ],
)
def test_a_mistake_is_one_line_and_an_exit_code(project: Path, words: tuple[str, ...], message: str) -> None:
    done = run(project, *words)
    assert done.returncode == 2 and done.stdout == ""
    assert message in done.stderr and done.stderr.count("\n") == 1 and done.stderr.startswith("aries: ")


def test_the_top_of_the_repository_is_the_project_wherever_one_stands(project: Path) -> None:
    (project / ".git").mkdir()
    done = run(project / "pkg", "stats", home=project.parent)
    assert str(project) in done.stdout.splitlines()[0]
    assert "git could not list the files" in done.stderr


def test_a_second_run_finds_the_index_in_the_cache_folder(project: Path) -> None:
    first = run(project, "top")
    caches = list((project.parent / "caches").rglob("*.db"))
    assert len(caches) == 1
    assert run(project, "top").stdout == first.stdout


def test_help_says_what_the_operation_says(project: Path) -> None:
    done = run(project, "search", "--help")
    assert "definitions first" in done.stdout.replace("\n  ", " ") and "--regex" in done.stdout
    listed = run(project, "--help").stdout
    assert "top" in listed and "List the files that matter most" in listed


def test_code_may_come_from_standard_input(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project)
    monkeypatch.setenv("HOME", str(project.parent))
    monkeypatch.setenv("XDG_CACHE_HOME", str(project.parent / "caches"))
    for words in (("duplicates", "-"), ("similar", "-"), ("where", "-"), ("check", "-", "pkg/sums.py")):
        done = CliRunner().invoke(graph, words, input=SUM.format("taken", "x", "y"), catch_exceptions=False)
        assert done.exit_code == 0 and "pkg/sums.py" in done.stdout, words
    done = CliRunner().invoke(graph, ("duplicates", "-"), input=" ")
    assert "Standard input is empty" in str(done.exception)


def test_the_page_is_written_once_and_over_a_file_only_when_told(told: Callable[..., str], project: Path) -> None:
    assert told("html", "picture.html").strip() == str(project / "picture.html")
    page = (project / "picture.html").read_text(encoding="ascii")
    assert "pkg/core.py" in page and page.startswith("<!doctype html>")
    done = run(project, "html", "picture.html")
    assert done.returncode == 2 and "--force" in done.stderr
    assert json.loads(told("html", "picture.html", "--force", "--json"))["bytes"] == len(page)
