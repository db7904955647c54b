"""Rules are read as git reads them."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ori_memory.scanning.ignoring import Rules, read_rules

PATHS = ("a.md", "b.md", "a/b.md", "a/a/b.md", "ab/a.md", "b/ab.md", "a b.md", "[a].md", "a-b/b.md", "!a.md", "#b.md")


def is_left_out(rules: Rules, path: str) -> bool:
    parts = path.split("/")
    folders = ("/".join(parts[:count]) for count in range(1, len(parts)))
    return any(rules.leaves_out(folder, is_folder=True) for folder in folders) or rules.leaves_out(
        path, is_folder=False
    )


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("repository")
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True, timeout=60)
    return folder


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(alphabet="ab/*?[]!\\ #.-^", min_size=1, max_size=6), min_size=1, max_size=4))
def test_whatever_the_rules_git_says_the_same(repository: Path, lines: list[str]) -> None:
    (repository / ".gitignore").write_text("\n".join(lines) + "\n", encoding="utf-8")
    done = subprocess.run(
        ["git", "check-ignore", "--stdin", "-z", "--no-index"],
        cwd=repository,
        input="\0".join(PATHS).encode(),
        capture_output=True,
        timeout=60,
        check=False,
    )
    rules = read_rules(lines, "", None)
    assert [path for path in PATHS if is_left_out(rules, path)] == [*filter(None, done.stdout.decode().split("\0"))]


def test_a_list_of_what_is_kept_keeps_it_in_all_folders() -> None:
    rules = read_rules(["*", "!*/", "!*.md"], "", None)
    assert [path for path in ("a.md", "x/a.md", "x/y/a.md", "x/a.txt") if is_left_out(rules, path)] == ["x/a.txt"]
