"""Cases that went wrong elsewhere, on real Python: input, and what has to come of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from body_trees import write

from aries_body.operations.codebase import Codebase

Ask = Callable[[dict[str, str | bytes]], Codebase]


@pytest.fixture
def ask(root: Path) -> Iterator[Ask]:
    opened: list[Codebase] = []

    def open_(files: dict[str, str | bytes]) -> Codebase:
        write(root, files)
        codebase = Codebase.open(root, cache_folder=None)
        opened.append(codebase)
        return codebase

    yield open_
    for codebase in opened:
        codebase.close()


def edges(codebase: Codebase) -> dict[tuple[str, str], list[tuple[int, str, str, bool]]]:
    found = {}
    for path in codebase.list_files():
        for one in codebase.show_dependencies(path):
            rows = codebase.evidence(path, one.path)
            found[path, one.path] = [(row.line, row.kind, row.symbol, row.is_indirect) for row in rows]
    return found


def test_relative_imports_of_values_make_one_edge_with_both_lines(ask: Ask) -> None:
    codebase = ask({"pkg/__init__.py": "", "pkg/a.py": "from . import b\nfrom .b import X\n", "pkg/b.py": "X = 1\n"})
    assert edges(codebase) == {("pkg/a.py", "pkg/b.py"): [(1, "import", "", False), (2, "import", "", False)]}


def test_a_src_layout_with_a_reexport(ask: Ask) -> None:
    codebase = ask(
        {
            "src/pkg/__init__.py": "from .core import Core\n",
            "src/pkg/core.py": "class Core:\n    pass\n",
            "tests/test_core.py": "from pkg import Core\n\nCore()\n",
        }
    )
    assert edges(codebase) == {
        ("tests/test_core.py", "src/pkg/__init__.py"): [(1, "import", "", False)],
        ("src/pkg/__init__.py", "src/pkg/core.py"): [(1, "import", "", False)],
        ("tests/test_core.py", "src/pkg/core.py"): [(3, "call", "Core", True)],
    }


def test_one_name_defined_thrice_makes_exactly_one_edge(ask: Ask) -> None:
    codebase = ask(
        {
            "pkg/__init__.py": "", "pkg/s/__init__.py": "", "pkg/s/a.py": "from ..util import run\nrun()\n",
            "pkg/util.py": "def run(): ...\n", "other/util.py": "def run(): ...\n",
            "third.py": "class T:\n    def run(self): ...\n",
        }
    )  # fmt: skip
    assert list(edges(codebase)) == [("pkg/s/a.py", "pkg/util.py")]


def test_builtins_and_methods_of_unknown_things_make_no_edge(ask: Ask) -> None:
    codebase = ask(
        {
            "a.py": "print(len([]))\nd = {}\nd.get('x')\nrender()\n", "b.py": "class Box:\n    def get(self): ...\n",
            "c.py": "def print(): ...\ndef render(): ...\n", "d.ts": "export function render() {}\n",
        }
    )  # fmt: skip
    assert edges(codebase) == {}


def test_types_bases_and_decorators_are_ties_with_their_kinds(ask: Ask) -> None:
    codebase = ask(
        {
            "a.py": "from typing import TYPE_CHECKING\nfrom b import Base, wrap\n"
            "if TYPE_CHECKING:\n    from b import T\n\nclass Child(Base):\n    @wrap\n    def f(self, x: T): ...\n",
            "b.py": "class T: ...\nclass Base: ...\ndef wrap(f): return f\n",
        }
    )
    kinds = {(line, kind, symbol) for line, kind, symbol, _ in edges(codebase)["a.py", "b.py"]}
    expected = {(2, "import", ""), (4, "type", ""), (6, "base", "Base"), (7, "decorator", "wrap"), (8, "type", "T")}
    assert kinds == expected


def test_imports_at_run_time_are_dynamic_and_computed_ones_are_listed(ask: Ask) -> None:
    codebase = ask(
        {
            "a.py": "import importlib\nimportlib.import_module('plugins.x')\n__import__('plugins.y')\n"
            "importlib.import_module(name)\n",
            "plugins/__init__.py": "", "plugins/x.py": "", "plugins/y.py": "",
        }
    )  # fmt: skip
    found = edges(codebase)
    assert found["a.py", "plugins/x.py"] == [(2, "dynamic", "", False)]
    assert found["a.py", "plugins/y.py"] == [(3, "dynamic", "", False)]
    [(path, row)] = codebase.unresolved()
    assert (path, row.line, row.reason) == ("a.py", 4, "dynamic")


def test_overloads_are_one_symbol_and_nested_ones_are_told_apart(ask: Ask) -> None:
    codebase = ask(
        {
            "a.py": "from typing import overload\n@overload\ndef f(x: int) -> int: ...\n"
            "@overload\ndef f(x: str) -> str:\n    ...\ndef f(x): return x\n"
            "class Outer:\n    def m(self): ...\n    class Inner:\n        def m(self): ...\n"
            "LIMIT = 3\nhandler = lambda x: x\ntype Alias = int\n"
        }
    )
    [f] = codebase.find_symbol("f")
    assert (f.line, len(f.sites)) == (7, 3)
    assert {row.name for row in codebase.find_symbol("m")} == {"Outer.m", "Outer.Inner.m"}
    assert [row.name for row in codebase.find_symbol("Inner.m")] == ["Outer.Inner.m"]
    for name in ("LIMIT", "handler", "Alias"):
        assert len(codebase.find_symbol(name)) == 1, name


def test_bytes_of_every_kind_are_read_or_told(ask: Ask) -> None:
    codebase = ask(
        {
            "latin.py": "# -*- coding: latin-1 -*-\ndef caf\xe9(): ...\n".encode("latin-1"),
            "wide.py": "def x(): ...\n".encode("utf-16"),
            "nul.py": b"x = 1\0\n",
            "mark.py": "\ufeffdef marked(): ...\n",
            "dos.py": b"def one(): ...\r\ndef two(): ...\r\n",
            "mac.py": b"def three(): ...\rdef four(): ...\r",
            "broken.py": "def ok1(): ...\ndef broken(:\nclass After:\n    def m(self): ...\n",
            "line.py": "x = [" + "1," * 400_000 + "]\n",
        }
    )
    for name in ("café", "marked", "two", "four", "ok1", "After", "After.m"):
        assert len(codebase.find_symbol(name)) == 1, name
    assert set(dict(codebase.skipped())) == {"nul.py", "wide.py"}
    assert codebase.get_file_summary("broken.py").error_line == 2
    assert "\r" not in codebase.get_context("dos.py") and codebase.get_context("mac.py").count("\n") == 2
    assert "\ufeff" not in codebase.get_context("mark.py")
    assert len(codebase.get_context("line.py", [1])) < 400 and len(codebase.search("1,1,1")[0].text) < 400


def test_a_text_that_would_take_minutes_is_left_out_with_its_reason_and_costs_no_other_file(ask: Ask) -> None:
    codebase = ask({"a.py": "import b\n", "b.py": "def run(): ...\n", "signs.py": "(" * 200_000})
    assert list(codebase.list_files()) == ["a.py", "b.py"]
    assert dict(codebase.skipped()) == {"signs.py": "more than 20,000 signs in a row stand where code would have names"}
    assert [one.path for one in codebase.show_dependencies("a.py")] == ["b.py"]


def test_deep_files_are_read_and_no_operation_stumbles(ask: Ask) -> None:
    codebase = ask(
        {
            "sum.py": "x = " + " + ".join(["1"] * 3_000) + "\ndef after_sum(): ...\n",
            "nest.py": "y = " + "[" * 1_500 + "]" * 1_500 + "\ndef after_nest(): ...\n",
            "chain.py": "z = a" + ".then()" * 1_200 + "\ndef after_chain(): ...\n",
            "use.py": "from sum import after_sum\nafter_sum()\n",
        }
    )
    assert not codebase.skipped()
    for name in ("after_sum", "after_chain"):
        assert len(codebase.find_symbol(name)) == 1, name
    assert codebase.top_files()[0].path == "sum.py"
    codebase.unused_exports(), codebase.communities(), codebase.stats(), codebase.search("then")


def test_an_edit_of_one_file_is_seen_by_every_answer(ask: Ask, root: Path) -> None:
    codebase = ask({"a.py": "from b import old\nold()\n", "b.py": "def old(): ...\n"})
    assert len(codebase.callers("old")) == 1
    write(root, {"b.py": "def new(): ...\n", "a.py": "from b import new\nnew()\n"})
    codebase.touched(["a.py", "b.py"])
    assert len(codebase.callers("new")) == 1 and not codebase.find_symbol("old")
    assert codebase.search("old").total == 0
    write(root, {"c.py": "import b\nb.new()\n"})
    codebase.refresh_files()
    assert {one.path for one in codebase.show_dependents("b.py")} == {"a.py", "c.py"}


def test_names_of_a_stub_that_a_package_hands_out_lazily_are_bound(root: Path) -> None:
    files: dict[str, str | bytes] = {
        "p/__init__.py": "import lazy_loader as lazy\n__getattr__, _, __all__ = lazy.attach_stub(__name__, __file__)\n",
        "p/__init__.pyi": "__all__ = ['run']\nfrom .core import run\n",
        "p/core.py": "def run(): pass\n",
        "a.py": "import p\nfrom p import run\nrun()\np.run()\n",
    }
    write(root, files)
    codebase = Codebase.open(root, cache_folder=None)
    try:
        assert [(one.path, one.line) for one in codebase.callers("run") if one.kind == "call"] == [
            ("a.py", 3),
            ("a.py", 4),
        ]
    finally:
        codebase.close()
