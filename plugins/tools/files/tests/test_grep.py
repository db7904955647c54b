"""What Grep finds, with ripgrep and without."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from aries_kernel.broker.effects import ReadPath
from aries_kernel.contracts.tool import ToolContext
from aries_kernel.errors import ToolFailed
from aries_kernel.settings.schema import OutputLimits
from aries_kernel.testing.workspaces import make_context
from aries_tool_files.grep import Grep

if TYPE_CHECKING:
    from conftest import Bench

posix_only = pytest.mark.skipif(os.name != "posix", reason="needs POSIX files")
WITH = pytest.param(
    "with",
    marks=pytest.mark.skipif(shutil.which("rg") is None, reason="ripgrep (rg) is missing: the fast half is untested"),
)


@pytest.fixture(params=[WITH, "without"])
def bench(request: pytest.FixtureRequest, tmp_path: Path, make_bench: Callable[[ToolContext], Bench]) -> Bench:
    """A workspace where `rg` is found, and one where it is not; a user's own settings must not matter."""
    config = tmp_path / "rgrc"
    config.write_text("--invert-match\n--max-count=1\n--color=always\n", encoding="utf-8")
    path = os.environ["PATH"] if request.param == "with" else ""
    return make_bench(make_context(tmp_path, environ={"PATH": path, "RIPGREP_CONFIG_PATH": str(config)}))


def test_matches_come_as_path_line_text_in_the_order_of_paths(bench: Bench) -> None:
    for path in ("b.txt", "a/z.txt", "a.txt", "B.txt"):
        bench.file(path, b"no\nfound it\n")
    assert bench.text("Grep", pattern="found").split("\n") == [
        "B.txt:2:found it",
        "a/z.txt:2:found it",
        "a.txt:2:found it",
        "b.txt:2:found it",
    ]


def test_context_lines_and_groups_are_marked(bench: Bench) -> None:
    bench.file("a.txt", b"1\n2\nhit\n4\n5\n6\n7\nhit\nhit\n10\n")
    bench.file("b.txt", b"hit\n")
    assert bench.text("Grep", pattern="hit", context=1).split("\n") == [
        "a.txt-2-2", "a.txt:3:hit", "a.txt-4-4", "--", "a.txt-7-7", "a.txt:8:hit", "a.txt:9:hit", "a.txt-10-10", "--",
        "b.txt:1:hit",
    ]  # fmt: skip


def test_context_that_touches_is_one_group(bench: Bench) -> None:
    bench.file("a.txt", b"hit\n2\n3\nhit\n")
    assert bench.text("Grep", pattern="hit", context=1).split("\n") == [
        "a.txt:1:hit", "a.txt-2-2", "a.txt-3-3", "a.txt:4:hit",
    ]  # fmt: skip


def test_names_only_counts_files(bench: Bench) -> None:
    bench.file("a.txt", b"x\nx\n")
    bench.file("b.txt", b"x\n")
    bench.file("c.txt", b"y\n")
    assert bench.text("Grep", pattern="x", files_only=True) == "a.txt\nb.txt"


@pytest.mark.parametrize(
    ("glob", "found"),
    [
        ("*.py", ["a.py", "src/b.py", "src/deep/c.py"]),
        ("src/*.py", ["src/b.py"]),
        ("src/**/*.py", ["src/b.py", "src/deep/c.py"]),
        ("*.{js,txt}", ["src/d.js"]),
        ("!*.py", ["src/d.js"]),
        ("/a.*", ["a.py"]),
        ("./a.*", ["a.py"]),
        ("src/", ["src/b.py", "src/d.js", "src/deep/c.py"]),
    ],
)
def test_a_glob_narrows_the_files(bench: Bench, glob: str, found: list[str]) -> None:
    for path in ("a.py", "src/b.py", "src/deep/c.py", "src/d.js"):
        bench.file(path, b"x\n")
    assert bench.text("Grep", pattern="x", glob=glob, files_only=True).split("\n") == found


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_line_numbers_and_anchors_are_those_of_read(bench: Bench, end: bytes) -> None:
    bench.file("a.txt", end.join([b"one", b"two", b"three"]))
    bench.file("b.txt", b"other")
    assert bench.text("Grep", pattern="^two$") == "a.txt:2:two"


@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "latin-1", "utf-16", "utf-32"])
def test_every_encoding_is_searched_as_text(bench: Bench, codec: str) -> None:
    bench.file("a.txt", "x\ncafé noir\n".encode(codec))
    bench.file("b.txt", b"other")
    assert bench.text("Grep", pattern=r"caf\w n") == "a.txt:2:café noir"
    assert bench.text("Grep", pattern="CAFÉ", ignore_case=True) == "a.txt:2:café noir"
    assert bench.text("Grep", pattern="^x$") == "a.txt:1:x"


@pytest.mark.parametrize(
    ("pattern", "line"),
    [
        (r"(?<=a)b", "ab"), (r"(a)\1", "aa"), (r"a++b", "aab"), (r"(?P<n>x)(?P=n)", "xx"), (r"a(?!b)", "ac"),
        (r"x{,2}y", "xy"), (r"f\(\) {", "f() {"), (r"\d{2}", "42"), (r"[^\s-]", "q"), (r"(?i)ABC", "abc"),
        (r"\bword\b", "a word."), (r"[\w.-]+@\w+", "me.x-y@host"), (r"a\x1cb|zz", "zz"), (r"\S\s\S", "a\x1cb"),
        (r"ſ", "ſ"), ("\u212a", "\u212a"), (r"\Aq\Z", "q"), (r"a{2}", "aa"), (r"}]", "}]"), (r"é?z", "z"),
    ],
)  # fmt: skip
def test_patterns_are_those_of_python(bench: Bench, pattern: str, line: str) -> None:
    bench.file("a.txt", f"-----\n{line}\n".encode())
    bench.file("b.txt", b"-----\n")
    shown = line.replace("\x1c", "\\x1c")
    assert bench.text("Grep", pattern=pattern) == f"a.txt:2:{shown}"


def test_a_pattern_of_another_dialect_is_explained(bench: Bench) -> None:
    with pytest.raises(ToolFailed, match=r"not a Python regular expression.*bad escape \\p"):
        bench.text("Grep", pattern=r"\p{Lu}x")


def test_a_pattern_over_lines_says_why_it_finds_nothing(bench: Bench) -> None:
    bench.file("a.txt", b"a\nb\n")
    assert "line by line" in bench.text("Grep", pattern=r"a\nb")


def test_ignored_hidden_and_linked_files(bench: Bench, tmp_path: Path) -> None:
    bench.file(".gitignore", b"*.log\n!keep.log\n/build/\n")
    for path in ("a.log", "keep.log", "build/x.txt", "sub/build/x.txt", ".github/ci.yml", ".git/config", "sub/b.log"):
        bench.file(path, b"x\n")
    bench.file("sub/.ignore", b"!b.log\n")
    assert bench.text("Grep", pattern="^x$", files_only=True).split("\n") == [
        ".github/ci.yml", "keep.log", "sub/b.log", "sub/build/x.txt",
    ]  # fmt: skip


@posix_only
def test_links_are_not_followed(bench: Bench, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/a.txt").write_text("x", encoding="utf-8")
    (bench.root / "folder").symlink_to(tmp_path / "outside")
    (bench.root / "file").symlink_to(tmp_path / "outside/a.txt")
    (bench.root / "loop").symlink_to(bench.root)
    bench.file("b.txt", b"x")
    assert bench.text("Grep", pattern="x") == "b.txt:1:x"


def test_files_with_secrets_are_counted_not_searched(bench: Bench) -> None:
    bench.file(".env", b"API_KEY=x123\n")
    bench.file("deploy/server.pem", b"x123\n")
    bench.file("a.txt", b"x123\n")
    assert bench.text("Grep", pattern="x123") == "a.txt:1:x123\n[2 files with secrets not searched]"
    with pytest.raises(ToolFailed, match="secrets"):
        bench.text("Grep", pattern="x", path=".env")


def test_binary_files_are_counted_whether_they_match_or_not(bench: Bench) -> None:
    bench.file("a.bin", b"x\0\n")
    bench.file("b.pdf", b"%PDF-1.4 all ascii\n")
    bench.file("c.txt", b"x\n")
    assert bench.text("Grep", pattern="x") == "c.txt:1:x\n[2 files not searched: binary]"


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may read everything")
def test_unreadable_files_are_named(bench: Bench) -> None:
    bench.file("a.txt", b"x").chmod(0)
    bench.file("b.txt", b"y")
    assert "[1 could not be read, such as a.txt: Permission denied]" in bench.text("Grep", pattern="x")


def test_long_lines_show_the_match(bench: Bench) -> None:
    bench.file("a.txt", b"a" * 1_000_000 + b"needle" + b"b" * 1_000_000)
    bench.file("b.txt", b"")
    answer = bench.text("Grep", pattern="needle")
    assert "aneedleb" in answer and len(answer) < 500


def test_what_does_not_fit_is_counted(bench: Bench) -> None:
    for number in range(20):
        bench.file(f"{number:02}.txt", b"x\n" * 100)
    answer = bench.text("Grep", pattern="x")
    shown = answer.count(".txt:")
    assert f"[{shown} of 2,000 matches in 20 files shown" in answer
    assert len(answer.split("\n")) <= OutputLimits().max_lines


def test_a_pattern_that_runs_away_can_be_cancelled(bench: Bench) -> None:
    bench.file("a.txt", b"a" * 60 + b"!\n")
    bench.file("b.txt", b"")
    grep = bench.tools["Grep"]

    async def cancelled() -> None:
        task = asyncio.create_task(grep.run(grep.arguments(pattern="^(a+)+$", ignore_case=True)))
        done, _ = await asyncio.wait({task}, timeout=1.0)
        assert not done
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancelled())
    children = [file.read_text() for file in Path("/proc/self/task").glob("*/children")] if os.name == "posix" else []
    assert "".join(children).split() == []


def test_modules_in_the_workspace_take_no_part(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("re.py", "json.py", "aries_tool_files.py", "sitecustomize.py"):
        bench.file(name, b"raise SystemExit('x')\n")
    monkeypatch.chdir(bench.root)
    assert bench.text("Grep", pattern="^raise", files_only=True, glob="r*") == "re.py"


def test_one_file_is_searched_even_where_it_is_ignored(bench: Bench) -> None:
    bench.file(".gitignore", b"*.log\n")
    bench.file("a.log", b"x\n")
    assert bench.text("Grep", pattern="x", path="a.log") == "a.log:1:x"


def test_effects_name_the_real_tree(bench: Bench) -> None:
    (bench.root / "src").mkdir()
    grep = bench.tools["Grep"]
    assert grep.effects(grep.arguments(pattern="x", path="src/../src")) == [ReadPath(bench.root / "src")]


def test_odd_names_of_files(bench: Bench) -> None:
    for name in ("-e", "--files", " space ", "new\nline", "é"):
        bench.file(name, b"x\n")
    assert bench.text("Grep", pattern="x").split("\n") == [
        " space :1:x", "--files:1:x", "-e:1:x", "new\\nline:1:x", "é:1:x",
    ]  # fmt: skip


def test_grep_alone_is_a_tool_factory(bench: Bench) -> None:
    assert Grep(bench.context).reads_only
