"""The operations, as their users meet them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from body_trees import write

from aries_body.index.project import Project
from aries_body.operations.codebase import Codebase
from aries_kernel.errors import BadArguments, UnknownName, UserError

Open = Callable[..., Project]
FILES: dict[str, str | bytes] = {
    "pkg/__init__.toy": "from pkg.core import Core\n",
    "pkg/core.toy": "import pkg.util\nclass Core\n.start\n.stop\ndef make\ncall Core.start\ncall util.load\n",
    "pkg/util.toy": "def load\ndef _hidden\ndef spare\n",
    "app.toy": "from pkg import Core\ndef main\ncall Core\ncall Core.stop\n# load it\n",
    "test_core.toy": "from pkg import Core\ncall Core\n",
    "README.md": "# How to load\nCall load, then load again.\n",
}


@pytest.fixture
def codebase(toys: Open) -> Codebase:
    return Codebase(toys(dict(FILES)))


def test_dependents_and_dependencies_are_told_with_counts_kinds_and_marks(codebase: Codebase) -> None:
    assert [(one.path, one.count, one.is_indirect) for one in codebase.show_dependents("pkg/core.toy")] == [
        ("app.toy", 2, True), ("pkg/__init__.toy", 1, False), ("test_core.toy", 1, True),
    ]  # fmt: skip
    assert [one.path for one in codebase.show_dependencies("app.toy")] == ["pkg/core.toy", "pkg/__init__.toy"]
    deep = codebase.show_dependents("pkg/util.toy", depth=2)
    assert (deep[0].path, deep[0].depth) == ("pkg/core.toy", 1)
    assert {one.path for one in deep if one.depth == 2} == {"app.toy", "pkg/__init__.toy", "test_core.toy"}


def test_evidence_names_the_lines(codebase: Codebase) -> None:
    rows = [(one.line, one.kind, one.symbol, one.is_indirect) for one in codebase.evidence("app.toy", "pkg/core.toy")]
    assert rows == [(3, "call", "Core", True), (4, "call", "Core.stop", True)]
    assert [one.line for one in codebase.evidence("app.toy", "pkg/__init__.toy")] == [1]


@pytest.mark.parametrize("path", ["./pkg/core.toy", "pkg//core.toy", "pkg/../pkg/core.toy", "{root}/pkg/core.toy"])
def test_a_path_may_be_written_in_several_ways(codebase: Codebase, path: str) -> None:
    given = path.format(root=codebase.project.root)
    assert codebase.show_dependents(given) == codebase.show_dependents("pkg/core.toy")


@pytest.mark.parametrize(
    ("path", "near"),
    [("core.toy", "pkg/core.toy"), ("pkg/cor.toy", "pkg/core.toy"), ("lib/util.toy", "pkg/util.toy")],
)
def test_a_path_that_is_not_there_is_an_error_that_names_close_ones(codebase: Codebase, path: str, near: str) -> None:
    for ask in (codebase.show_dependents, codebase.show_dependencies, codebase.get_context, codebase.get_file_summary):
        with pytest.raises(UnknownName, match=near):
            ask(path)


def test_paths_out_of_the_project_folders_and_text_files_are_told_apart(codebase: Codebase, tmp_path: Path) -> None:
    for path in ("../x.toy", "pkg/../../x", str(tmp_path / "x.toy")):
        with pytest.raises(UserError, match="out"):
            codebase.show_dependents(path)
    with pytest.raises(UserError, match="a folder"):
        codebase.show_dependents("pkg")
    with pytest.raises(UserError, match="not in the graph"):
        codebase.show_dependents("README.md")
    with pytest.raises(BadArguments, match="no path"):
        codebase.show_dependents(3)  # type: ignore[arg-type]


def test_a_file_that_was_left_out_is_told_with_the_reason(toys: Open) -> None:
    codebase = Codebase(toys({"a.toy": "def x\n", "vendor/b.toy": "def y\n", "c.toy": b"\0"}))
    with pytest.raises(UserError, match="vendored code"):
        codebase.show_dependents("vendor/b.toy")
    with pytest.raises(UserError, match="binary"):
        codebase.show_dependents("c.toy")
    assert dict(codebase.skipped()) == {"c.toy": "binary: it holds NUL bytes", "vendor/": "vendored code"}


@pytest.mark.parametrize("limit", [0, -1, 1.5, "3", True])
def test_a_limit_that_is_none_is_an_error_everywhere(codebase: Codebase, limit: object) -> None:
    asked: list[Callable[[], object]] = [
        lambda: codebase.search("load", limit=limit),  # type: ignore[arg-type]
        lambda: codebase.top_files(limit),  # type: ignore[arg-type]
        lambda: codebase.pagerank(limit),  # type: ignore[arg-type]
        lambda: codebase.hits(limit),  # type: ignore[arg-type]
        lambda: codebase.communities(limit),  # type: ignore[arg-type]
        lambda: codebase.show_dependents("app.toy", limit=limit),  # type: ignore[arg-type]
    ]
    for ask in asked:
        with pytest.raises(BadArguments, match="limit must be"):
            ask()


def test_a_search_lists_definitions_then_imports_calls_and_text(codebase: Codebase) -> None:
    found = codebase.search("core")
    assert [one.kind for one in found][:1] == ["symbol"]
    order = ["symbol", "import", "call", "use", "text"]
    kinds = [order.index(one.kind) for one in found]
    assert kinds == sorted(kinds)
    rows = [(one.kind, one.path, one.line) for one in codebase.search("load")]
    assert rows[0] == ("symbol", "pkg/util.toy", 1)
    assert rows[1] == ("call", "pkg/core.toy", 7)
    assert {row[1:] for row in rows[2:]} == {("app.toy", 5), ("README.md", 1), ("README.md", 2)}


def test_pages_of_a_search_fit_together(toys: Open) -> None:
    files = {f"m{number}.toy": "call needle\n" * 7 + "def needle\n" for number in range(40)}
    codebase = Codebase(toys(dict(files)))
    whole = codebase.search("needle", limit=None)
    pages = [one for offset in range(0, len(whole), 33) for one in codebase.search("needle", limit=33, offset=offset)]
    assert pages == list(whole) and whole.total == len(whole) == 320
    assert codebase.search("needle", limit=3).total == 320


def test_a_search_can_ask_for_words_expressions_and_places(codebase: Codebase) -> None:
    assert {one.path for one in codebase.search("lo", word=True)} == set()
    assert codebase.search("LOAD", word=True).total == codebase.search("load", word=True).total > 0
    assert {one.path for one in codebase.search(r"^#\s+how", regex=True)} == {"README.md"}
    assert {one.path for one in codebase.search("load", path="pkg")} == {"pkg/core.toy", "pkg/util.toy"}
    assert {one.path for one in codebase.search("load", path="*.md")} == {"README.md"}
    with pytest.raises(BadArguments, match="no regular expression"):
        codebase.search("(", regex=True)
    with pytest.raises(BadArguments):
        codebase.search("  ")
    with pytest.raises(UnknownName, match="pkg"):
        codebase.search("x", path="pk/core.toy")


def test_a_search_sees_letters_of_every_kind_whatever_their_case(toys: Open) -> None:
    codebase = Codebase(toys({"a.toy": "# Über ÉTÉ\n# ΣΊΣΥΦΟΣ\n", "b.md": b"caf\xe9\n"}))
    for query in ("über", "été", "ÜBER", "café"):
        assert codebase.search(query).total == 1, query


def test_a_long_line_is_cut_around_the_match(toys: Open) -> None:
    codebase = Codebase(toys({"a.md": "x" * 50_000 + " needle " + "y" * 50_000}))
    [match] = codebase.search("needle")
    assert "needle" in match.text and len(match.text) < 250
    assert len(codebase.get_context("a.md", [1])) < 300


def test_a_search_finds_what_grep_finds(codebase: Codebase) -> None:
    for query in ("core", "e", "call", "zzz", "load it"):
        expected = {
            (path, number)
            for path, data in FILES.items()
            for number, line in enumerate(str(data).lower().split("\n"), 1)
            if query in line
        }
        assert {(one.path, one.line) for one in codebase.search(query, limit=None)} == expected


def test_symbols_are_found_by_every_part_of_their_name(codebase: Codebase) -> None:
    for name in ("Core.start", "Core::start", "Core#start", "start", "pkg/core.toy::Core.start"):
        [row] = codebase.find_symbol(name)
        assert (row.path, row.name, row.kind, row.line) == ("pkg/core.toy", "Core.start", "method", 3)
    assert not codebase.find_symbol("Core.stat") and "start" in codebase.find_symbol("Core.stat").note
    assert [row.name for row in codebase.find_symbol("load", kind="class")] == []


def test_callers_and_callees_lead_through_symbols(codebase: Codebase) -> None:
    rows = [(one.path, one.line, one.inside) for one in codebase.callers("Core.stop")]
    assert rows == [("app.toy", 4, "main")]
    assert {one.inside for one in codebase.callers("Core")} == {"main", "make", ""}
    assert [one.target for one in codebase.callees("main")] == ["Core", "Core.stop"]
    with pytest.raises(UnknownName, match="Core"):
        codebase.callers("Cor")


def test_ways_tests_unused_exports_and_clusters(codebase: Codebase) -> None:
    assert list(codebase.trace_path("app.toy", "pkg/util.toy")) == ["app.toy", "pkg/core.toy", "pkg/util.toy"]
    none = codebase.trace_path("pkg/util.toy", "app.toy")
    assert not none and "no way" in none.note
    assert [(one.path, one.depth, one.is_named_alike) for one in codebase.tests_for("pkg/core.toy")] == [
        ("test_core.toy", 1, True)
    ]
    assert [one.symbol.name for one in codebase.unused_exports()] == ["make", "spare", "main"]
    clusters = codebase.cluster_by_file([*codebase.search("load"), {"file": "x"}])
    assert [one.path for one in clusters][-1] == "x"
    with pytest.raises(BadArguments, match="names no file"):
        codebase.cluster_by_file([3])


def test_what_an_outermost_file_hands_on_is_not_unused_and_what_may_run_by_name_comes_last(toys: Open) -> None:
    files = {
        "api.toy": "from a.core import One as First\nfrom a.core import *\nimport a.whole\ndef setup\n",
        "a/core.toy": "class One\ndef two\nfrom a.deep import three\n",
        "a/deep.toy": "def three\ndef four\ndef nine\n",
        "a/whole.toy": "def five\n",
        "a/used.toy": "def six\ndef seven\n",
        "zz.toy": "from a.used import six\nimport a.registry\ncall six\ncall a.registry\n",
        "a/registry.toy": "def eight\n",
        "test_all.toy": "from a.deep import four\n",
    }
    found = [one.symbol.name for one in Codebase(toys(dict(files))).unused_exports()]
    assert found == ["nine", "seven", "setup"]


def test_context_shows_numbered_lines_and_refuses_what_is_not_there(codebase: Codebase) -> None:
    shown = codebase.get_context("pkg/core.toy", [2, 7], window=0)
    assert shown == "=== pkg/core.toy ===\n   2  class Core\n      ...\n   7  call util.load"
    assert codebase.get_context("pkg/core.toy", 2, 1).count("\n") == 3
    for wrong in ([10**9], [0], ["x"], "3"):
        with pytest.raises(BadArguments):
            codebase.get_context("pkg/core.toy", wrong)  # type: ignore[arg-type]
    with pytest.raises(BadArguments, match="window"):
        codebase.get_context("pkg/core.toy", [1], window=-1)


def test_stats_summary_files_and_map_count_what_is_there(codebase: Codebase) -> None:
    stats = codebase.stats()
    assert (stats.file_count, stats.other_count, stats.languages, stats.test_count) == (5, 1, {"toy": 5}, 1)
    assert stats.edge_count == len(
        {(a, b.target) for a, link in codebase.project.linker.links.items() for b in link.edges}
    )
    summary = codebase.get_file_summary("pkg/core.toy")
    assert [one.name for one in summary.symbols] == ["Core", "Core.start", "Core.stop", "make"]
    assert summary.imports[0].files == ("pkg/util.toy",) and summary.dependents == 3
    assert codebase.get_file_summary("README.md").language == ""
    assert list(codebase.list_files("pkg")) == ["pkg/__init__.toy", "pkg/core.toy", "pkg/util.toy"]
    tree = [(one.path, one.type, one.depth) for one in codebase.map(max_depth=1)]
    assert tree[0] == ("pkg", "dir", 0) and ("README.md", "file", 0) in tree
    cut = codebase.map(max_entries=3)
    assert cut[-1].type == "truncated" and cut[-1].files > 0


def test_hidden_folders_come_behind_the_others_on_the_map(codebase: Codebase) -> None:
    write(codebase.project.root, {".ci/run.yml": "x\n", "zoo/a.md": "x\n"})
    codebase.refresh_files()
    tree = codebase.map(max_depth=1)
    assert [one.path for one in tree if one.type == "dir"] == ["pkg", "zoo", ".ci"]
    assert [repr(one) for one in tree[1:3]] == ["zoo/ (1 file)", ".ci/ (1 file)"]


def test_files_that_were_touched_are_looked_at_by_the_next_operation(codebase: Codebase) -> None:
    root = codebase.project.root
    write(root, {"pkg/util.toy": "def loaded\n", "new.toy": "import app\ncall app.main\n"})
    codebase.touched(["pkg/util.toy", root / "new.toy"])
    assert not codebase.find_symbol("load") and codebase.find_symbol("loaded")
    assert [one.path for one in codebase.show_dependents("app.toy")] == ["new.toy"]
    (root / "new.toy").unlink()
    assert codebase.refresh_files().removed == ["new.toy"]
    with pytest.raises(UnknownName):
        codebase.show_dependents("new.toy")
    assert codebase.search("app.main").total == 0
    with pytest.raises(UserError, match="out of the project"):
        codebase.refresh_files(["../outside.toy"])


def test_personal_ranks_need_a_file_to_start_from(codebase: Codebase) -> None:
    for wrong in ({}, {"app.toy": 0.0}, {"app.toy": -1.0}):
        with pytest.raises(BadArguments):
            codebase.pagerank(personalization=wrong)
    with pytest.raises(UnknownName):
        codebase.pagerank(personalization={"nope.toy": 1.0})
    assert codebase.pagerank(1, {"app.toy": 1.0}).total == 5


def test_a_project_without_edges_does_not_pretend_to_rank(toys: Open) -> None:
    codebase = Codebase(toys({"a.toy": "def x\n", "b.toy": "def y\n"}))
    for answer in (codebase.top_files(), codebase.pagerank(), codebase.hits().hubs, codebase.betweenness()):
        assert len(answer) == 0 and "no file imports or uses another" in answer.note
    assert not codebase.communities() and codebase.communities().note
    assert codebase.search("x").total == 1


ASKING = """
import json, os, random, sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
random.seed(int(sys.argv[3]))
real = os.scandir
class Shuffled:
    def __init__(self, path="."):
        with real(path) as entries:
            self.entries = list(entries)
        random.shuffle(self.entries)
    def __enter__(self): return iter(self.entries)
    def __exit__(self, *args): return None
    def __iter__(self): return iter(self.entries)
os.scandir = Shuffled
from body_trees import TOYS
from aries_body.index.packs import Packs
from aries_body.operations.codebase import Codebase
c = Codebase.open(Path(sys.argv[1]), cache_folder=None, packs=Packs(TOYS))
print([c.top_files(), c.communities(), c.search("core"), c.search("e", limit=7), c.find_symbol("f"), c.hits(),
       c.show_dependents("m1.toy"), c.unused_exports(), c.stats(), c.map(), c.cycles(), c.layers()])
"""


def test_answers_and_their_order_depend_neither_on_hash_seeds_nor_on_the_order_of_folders(root: Path) -> None:
    files = {
        f"m{n}.toy": f"import m{n * 7 % 12}\nimport m{n * 5 % 12} as o\ndef f\ncall m{n * 7 % 12}.f\ncall o.f\n"
        for n in range(12)
    }
    write(root, {**FILES, **files})
    answers = set()
    for seed in ("0", "1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", ASKING, str(root), str(Path(__file__).parents[1]), seed],
            env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, text=True, encoding="utf-8", timeout=120,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        answers.add(done.stdout)
    assert len(answers) == 1


@pytest.mark.parametrize("level", ["lean", "standard", "deep", "max"])
@pytest.mark.parametrize("max_tokens", [20, 100, 1_500])
def test_a_signature_keeps_its_budget_and_names_what_matters(codebase: Codebase, level: str, max_tokens: int) -> None:
    found = codebase.signature(level, max_tokens)  # type: ignore[arg-type]
    assert len(found.markdown) <= max_tokens * 4 and found.approx_tokens <= max_tokens
    assert found.markdown.startswith("# Codebase: 5 files, ")
    if max_tokens == 1_500:
        assert "pkg/core.toy" in found.markdown and "test_core.toy\n" not in found.markdown
        assert "- Core (pkg/core.toy, used by 2 files)" in found.markdown
    assert found == codebase.signature(level, max_tokens)  # type: ignore[arg-type]


def test_a_signature_of_no_level_is_refused(codebase: Codebase) -> None:
    with pytest.raises(BadArguments, match="lean, standard, deep, max"):
        codebase.signature("huge")  # type: ignore[arg-type]
