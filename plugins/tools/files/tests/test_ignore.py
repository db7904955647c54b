"""Ignore files mean what they mean to git."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import threading
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aries_tool_files._walk import Walk

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is missing: its answer is not compared")
NAMES = ["a", "b", "ab", "a.log", "b.txt", "build", "x y", "[a]", "!n", "#c"]
LINES = st.one_of(
    st.sampled_from(
        [
            *("*.log", "!a.log", "build/", "/a", "a/", "!a/", "**/b", "a/**", "a/**/b", "*/", "!*/", "*", "/*", "a b"),
            *("x\\ y ", "x y  ", "\\#c", "\\!n", "#c", "!n", "[ab]", "[!a]", "[a-b]*", "\\[a\\]", "a*b", "?", "a/b"),
            *("/a/b/", "**", "**/", "a**", "/**/b", "[", "a\\", "", " ", "!", "/", "[]a]", "[[:alpha:]]", "b.*"),
            *("build/*", "!build/a", "***", "//"),
        ]
    ),
    st.text("ab*?/![]-. ", max_size=6),
)
PATHS = st.lists(st.sampled_from(NAMES), min_size=1, max_size=3).map("/".join)


def _walk(root: Path, top: Path | None = None) -> list[str]:
    return [entry.path for entry in Walk(root, top or root, threading.Event()) if not entry.is_folder]


def _git(root: Path, *words: str) -> str:
    command = ["git", "-c", "core.excludesFile=", "-c", "core.quotePath=false", *words]
    return subprocess.run(command, cwd=root, check=True, capture_output=True, text=True, timeout=20).stdout


def _make(root: Path, files: dict[str, bytes]) -> None:
    for path, data in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data)


@needs_git
@settings(max_examples=80, deadline=None)
@given(
    st.lists(LINES, max_size=5), st.lists(LINES, max_size=3), st.lists(LINES, max_size=2), st.sets(PATHS, max_size=12)
)
def test_the_walk_finds_what_git_lists(top: list[str], inner: list[str], exclude: list[str], paths: set[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        _git(root, "init", "-q")
        for path in sorted(paths):
            place = root / path
            if not any(parent.is_file() for parent in place.parents) and not place.exists():
                _make(root, {path: b""})
        _make(root, {".git/info/exclude": "\n".join(exclude).encode(), ".gitignore": "\n".join(top).encode()})
        if (root / "a").is_dir():
            _make(root, {"a/.gitignore": "\r\n".join(inner).encode()})
        listed = _git(root, "ls-files", "-z", "--others", "--exclude-standard").split("\0")[:-1]
        assert sorted(_walk(root)) == sorted(listed)


def test_an_ignore_file_wins_over_gitignore_at_any_depth(tmp_path: Path) -> None:
    _make(tmp_path, {".ignore": b"!*.log\n*.tmp\n", "sub/.gitignore": b"*.log\n", "sub/a.log": b"", "sub/b.tmp": b""})
    assert _walk(tmp_path) == [".ignore", "sub/.gitignore", "sub/a.log"]


def test_a_repository_within_does_not_see_the_rules_above(tmp_path: Path) -> None:
    _make(tmp_path, {".gitignore": b"*.log\n", "inner/.git/HEAD": b"", "inner/a.log": b"", "b.log": b""})
    assert _walk(tmp_path) == [".gitignore", "inner/a.log"]


def test_rules_above_the_start_count_up_to_the_repository(tmp_path: Path) -> None:
    _make(
        tmp_path,
        {".gitignore": b"*\n", "r/.git/HEAD": b"", "r/.gitignore": b"/s/*.log\n", "r/s/a.log": b"", "r/s/b": b""},
    )
    assert _walk(tmp_path / "r" / "s", tmp_path) == ["b"]


def test_a_byte_order_mark_in_an_ignore_file_is_no_part_of_a_rule(tmp_path: Path) -> None:
    _make(tmp_path, {".gitignore": b"\xef\xbb\xbf*.log\r\n", "a.log": b""})
    assert _walk(tmp_path) == [".gitignore"]
