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

FILES: dict[str, str | bytes] = {
    "pkg/__init__.py": "from .core import Core\n",
    "pkg/core.py": "from . import util\n\n\nclass Core:\n    def run(self):\n        return util.load()\n",
    "pkg/util.py": "import pkg\n\n\ndef load():\n    ...\n",
    "tests/test_core.py": "from pkg import Core\n\n\ndef test_it():\n    Core().run()\n",
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
        (("map",), "pkg/ (3 files)"),
        (("skipped",), "vendored code"),
        (("stats",), "4 (python 4), 1 of them tests"),
        (("unused",), "nothing found"),
        (("unresolved",), "nothing found"),
        (("together", "pkg/core.py"), "there is no history"),
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
    assert json.loads(told("stats", "--json"))["file_count"] == 4


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


def test_the_page_is_written_once_and_over_a_file_only_when_told(told: Callable[..., str], project: Path) -> None:
    assert told("html", "picture.html").strip() == str(project / "picture.html")
    page = (project / "picture.html").read_text(encoding="ascii")
    assert "pkg/core.py" in page and page.startswith("<!doctype html>")
    done = run(project, "html", "picture.html")
    assert done.returncode == 2 and "--force" in done.stderr
    assert json.loads(told("html", "picture.html", "--force", "--json"))["bytes"] == len(page)
