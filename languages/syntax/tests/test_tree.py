"""Paths of a project."""

from __future__ import annotations

import pytest

from aries_language_syntax.tree import folder_of, group_by_folder, joined, nearest


@pytest.mark.parametrize(
    ("folder", "path", "expected"),
    [("a/b", "../c.h", "a/c.h"), ("", "./x//y", "x/y"), ("a", "../../x", None), ("a", ".", "a"), ("", ".", "")],
)
def test_paths_are_joined_within_the_project(folder: str, path: str, expected: str | None) -> None:
    assert joined(folder, path) == expected


def test_files_are_grouped_by_their_folders() -> None:
    assert folder_of("x") == ""
    assert group_by_folder(["a/x.go", "a/y.md", "z.go"], (".go",)) == {"a": ["a/x.go"], "": ["z.go"]}


def test_the_nearest_file_shares_most_folders() -> None:
    assert nearest("a/b/c/x", ["a/q", "a/b/q", "z/b/c/q"]) == "a/b/q"
    assert nearest("x", ["b/q", "a/q"]) == "a/q"
