"""What Glob lists."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from aries_kernel.broker.effects import ReadPath
from aries_kernel.errors import ToolFailed

if TYPE_CHECKING:
    from conftest import Bench

posix_only = pytest.mark.skipif(os.name != "posix", reason="needs POSIX files")
TREE = ("a.py", "b.ts", "src/c.py", "src/d.tsx", "src/deep/e.ts", ".github/f.yml", ".git/config", "src/[x].py")


@pytest.fixture
def tree(bench: Bench) -> Bench:
    for path in TREE:
        bench.file(path, b"")
    return bench


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("*", [".github/", "a.py", "b.ts", "src/"]),
        ("*.py", ["a.py"]),
        ("**/*.py", ["a.py", "src/[x].py", "src/c.py"]),
        ("**/*.{ts,tsx}", ["b.ts", "src/d.tsx", "src/deep/e.ts"]),
        ("src/*", ["src/[x].py", "src/c.py", "src/d.tsx", "src/deep/"]),
        ("src/**", ["src/[x].py", "src/c.py", "src/d.tsx", "src/deep/e.ts"]),
        ("./src//?.py", ["src/c.py"]),
        ("src/[[]x[]].py", ["src/[x].py"]),
        ("{a,src/{c,d}}.*", ["a.py", "src/c.py", "src/d.tsx"]),
        ("**/deep/**", ["src/deep/e.ts"]),
        ("[!a].*", ["b.ts"]),
        ("a.py", ["a.py"]),
        ("src/deep/../c.py", ["src/c.py"]),
    ],
)
def test_patterns(tree: Bench, pattern: str, found: list[str]) -> None:
    assert tree.text("Glob", pattern=pattern).split("\n") == found


def test_paths_can_be_given_to_read_whatever_folder_was_searched(tree: Bench) -> None:
    assert tree.text("Glob", pattern="*.ts", path="src/deep") == "src/deep/e.ts"
    assert tree.text("Glob", pattern=f"{tree.root.as_posix()}/src/*.tsx") == "src/d.tsx"


def test_nothing_found_hints_at_all_folders(tree: Bench) -> None:
    assert tree.text("Glob", pattern="*.tsx") == "[nothing in . matches. **/*.tsx looks in all folders below.]"


def test_what_is_ignored_is_listed_only_when_it_is_named(tree: Bench) -> None:
    tree.file(".gitignore", b"build/\n")
    tree.file("build/out.o", b"")
    assert "build" not in tree.text("Glob", pattern="**")
    assert tree.text("Glob", pattern="build/*.o") == "build/out.o"


def test_more_than_fits_says_how_many(bench: Bench) -> None:
    for number in range(1_500):
        bench.file(f"{number:04}.txt", b"")
    lines = bench.text("Glob", pattern="*").split("\n")
    assert lines[-1] == f"[{len(lines) - 1:,} of 1,500 shown; narrow the pattern or path for the rest]"


def test_a_file_that_a_killed_write_left_is_not_listed(bench: Bench) -> None:
    bench.file(".aries-123-0123456789ab.tmp", b"x")
    bench.file("a", b"x")
    assert bench.text("Glob", pattern="*") == "a"
    assert bench.text("Grep", pattern="x") == "a:1:x"


@posix_only
def test_links_are_listed_and_not_entered(bench: Bench) -> None:
    bench.file("a/b", b"")
    (bench.root / "loop").symlink_to(".")
    assert bench.text("Glob", pattern="**").split("\n") == ["a/b", "loop"]


@posix_only
def test_the_effect_is_the_real_folder_behind_the_plain_part(bench: Bench, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (bench.root / "link").symlink_to(tmp_path / "outside")
    glob = bench.tools["Glob"]
    assert glob.effects(glob.arguments(pattern="link/**")) == [ReadPath(tmp_path / "outside")]
    assert glob.effects(glob.arguments(pattern="../*")) == [ReadPath(tmp_path)]


def test_a_tree_deeper_than_recursion_goes(bench: Bench) -> None:
    folder = bench.root
    for _ in range(300):
        folder /= "d"
    folder.mkdir(parents=True)
    (folder / "x.txt").touch()
    assert bench.text("Glob", pattern="**/x.txt").endswith("d/x.txt")


@pytest.mark.parametrize("pattern", ["[", "a\\", "[[:nope:]]", "{" + ",".join("ab" * 40) + "}" * 1 + "{a,b}" * 12])
def test_a_malformed_pattern_says_so(bench: Bench, pattern: str) -> None:
    with pytest.raises(ToolFailed, match="malformed"):
        bench.text("Glob", pattern=pattern)
