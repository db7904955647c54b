"""Imports, exports and uses in a Python file."""

from __future__ import annotations

from aries_kernel.testing.language_view import LanguageView
from aries_language_python.pack import Python

VIEW = LanguageView(Python(), "module.py")
read, uses = VIEW.read, VIEW.uses


def test_each_imported_name_is_a_row() -> None:
    source = """\
import os.path, a.b.c
import a.b as ab
from . import x
from ..util import (run as go,
                    K)
from m import *
if TYPE_CHECKING:
    from t import T
else:
    T = None
def f():
    import late
"""
    rows = [(one.line, one.kind, one.module, one.name, one.local) for one in read(source).imports]
    assert rows == [
        (1, "import", "os.path", "", "os"),
        (1, "import", "a.b.c", "", "a"),
        (2, "import", "a.b", "", "ab"),
        (3, "import", ".", "x", "x"),
        (4, "import", "..util", "run", "go"),
        (4, "import", "..util", "K", "K"),
        (6, "import", "m", "*", ""),
        (8, "type", "t", "T", "T"),
        (12, "import", "late", "", "late"),
    ]


def test_imports_at_run_time_are_rows_and_computed_ones_say_how_they_are_written() -> None:
    source = """\
importlib.import_module("plugins.x")
__import__('plugins.y')
import_module(".z", package="pkg.sub")
import_module(".w", __package__)
import_module(name)
loader.import_module("other")
text = 'import_module("in.a.text")'
def import_module(x): ...
"""
    assert [(one.line, one.kind, one.module, one.text) for one in read(source).imports] == [
        (1, "dynamic", "plugins.x", ""),
        (2, "dynamic", "plugins.y", ""),
        (3, "dynamic", "pkg.sub.z", ""),
        (4, "dynamic", ".w", ""),
        (5, "dynamic", "", "import_module(name)"),
    ]


def test_a_module_exports_what_it_defines_and_imports() -> None:
    facts = read("import a.b, c\nfrom d import e as f\nfrom g import *\nX = 1\ndef h():\n    import late\n")
    assert sorted((one.name, one.symbol >= 0) for one in facts.exports) == [
        ("*", False),
        ("X", True),
        ("c", False),
        ("f", False),
        ("h", True),
    ]


def test_kinds_of_uses_are_told_apart() -> None:
    source = """\
from m import Base, wrap, T, make, K
@wrap
@wrap.other(K)
class Child(Base, make(K)):
    f: T
    def run(self, x: "T" = K) -> T.Sub:
        return make(x)
Child()
Child.run(K, key=K)
"""
    assert uses(source) == [
        (2, "decorator", "m:wrap", ""),
        (3, "decorator", "m:wrap", "other"),
        (3, "use", "m:K", ""),
        (4, "base", "m:Base", ""),
        (4, "call", "m:make", ""),
        (4, "use", "m:K", ""),
        (5, "type", "m:T", ""),
        (6, "type", "m:T", ""),
        (6, "use", "m:K", ""),
        (6, "type", "m:T", "Sub"),
        (7, "call", "m:make", ""),
        (8, "new", "Child", ""),
        (9, "call", "Child", "run"),
        (9, "use", "m:K", ""),
        (9, "use", "m:K", ""),
    ]


def test_parameters_and_local_variables_hide_names() -> None:
    source = """\
from m import a, b, c, d, e
def f(a, *b, x=c, **d): return a(b, c, d)
def g():
    a = 1
    for b in c: a.x(b)
    with open(d) as d: d()
    return [e for e in a], (e := 3)
lambda a: a(b)
[a for a in b]
a()
"""
    assert uses(source) == [
        (2, "use", "m:c", ""),
        (2, "use", "m:c", ""),
        (5, "use", "m:c", ""),
        (8, "use", "m:b", ""),
        (9, "use", "m:b", ""),
        (10, "call", "m:a", ""),
    ]


def test_global_names_stay_those_of_the_module() -> None:
    assert uses("from m import a\ndef f():\n    global a\n    a = a()\n") == [(4, "call", "m:a", "")]


def test_names_of_a_class_are_not_seen_in_its_methods() -> None:
    source = "from m import a\nclass C:\n    a = 1\n    b = a\n    def f(self): return a\n"
    assert uses(source) == [(4, "use", "C.a", ""), (5, "use", "m:a", "")]


def test_an_import_in_a_function_is_known_there_only() -> None:
    source = "def f():\n    from m import a\n    a()\n    def g(): a.b()\ndef h(): a()\n"
    assert uses(source) == [(3, "call", "m:a", ""), (4, "call", "m:a", "b")]


def test_self_leads_to_members_and_bases_but_not_to_instance_variables() -> None:
    source = """\
class Alone:
    def a(self):
        self.b()
        self.c = 1
        self.c.run()
        self.unknown()
    def b(this): return this.a
    @staticmethod
    def s(self): self.a()
    @classmethod
    def k(cls): return cls.s()
class Heir(Alone):
    def a(self):
        super().a()
        self.inherited()
        self.own = 1
        return lambda: self.own
"""
    assert uses(source) == [
        (3, "call", "Alone", "b"),
        (7, "use", "Alone", "a"),
        (11, "call", "Alone", "s"),
        (12, "base", "Alone", ""),
        (14, "call", "Heir", "a"),
        (15, "call", "Heir", "inherited"),
    ]
    assert [one.root for one in read(source).references if one.line == 14] == ["super"]


def test_a_method_called_super_makes_no_call_of_super_a_use_of_the_class_around_it() -> None:
    source = "class A: pass\nclass B(A):\n    def super(self): pass\n    def f(self):\n        super().f()\n"
    found = [(one.line, one.kind, one.root, one.path) for one in read(source).references]
    assert found == [(2, "base", "A", ""), (5, "call", "super", "f")]


def test_imports_mean_the_same_in_every_way_they_are_laid_out() -> None:
    plain = "from a.b import c, d as e\nfrom . import f\nimport g.h, i as j\n"
    written = (
        "from a . b import (c,  # why\n    d as \\\n e,\n)\nfrom .import(f)\nimport g \\\n .h, i as j\n",
        "from a.b import (\n    c,\n    d as e,\n)\nfrom  .  import  f\nimport\tg.h,i as j\n",
        "from\ta.b import c,d as e; from . import f; import g.h, i as j\n",
    )
    expected = [one[1:] for one in read(plain).imports]
    assert [one[1:4] for one in expected] == [
        ("a.b", "c", "c"), ("a.b", "d", "e"), (".", "f", "f"), ("g.h", "", "g"), ("i", "", "j")
    ]  # fmt: skip
    for source in written:
        assert [one[1:] for one in read(source).imports] == expected, source


def test_the_path_behind_a_dotted_import_is_relative_to_its_module() -> None:
    source = "import a.b.c\nimport a.d\na.b.c.run()\na.d.X\na.other()\n"
    assert uses(source) == [(3, "call", "a.b.c:", "run"), (4, "use", "a.d:", "X")]


def test_names_in_texts_and_comments_are_no_uses_but_those_in_f_strings_are() -> None:
    source = "from m import a, f\n'a()'  # a()\nf'{a(1)} a() {{a}}'\nf'x'\nb'a'\n"
    assert uses(source) == [(3, "call", "m:a", "")]


def test_names_of_parameters_in_calls_and_attributes_of_others_are_no_uses() -> None:
    assert uses("from m import a\ng(a=1)\nx.a()\nx.a.b\ng(\n    a =a)\n") == [(6, "use", "m:a", "")]


def test_a_fallback_for_a_missing_import_leads_to_the_import() -> None:
    source = "try:\n    from fast import run\nexcept ImportError:\n    run = None\nrun()\n"
    assert uses(source) == [(5, "call", "fast:run", "")]


def test_uses_belong_to_the_innermost_definition_decorators_included() -> None:
    source = "from m import a\n@a\nclass C:\n    def f(self, x=a):\n        def g(): a()\n"
    facts = read(source)
    assert [facts.symbols[one.inside].qualified for one in facts.references] == ["C", "C.f", "C.f.g"]


def test_texts_in_an_annotation_are_types_and_its_comments_are_not() -> None:
    source = """\
class One: ...
class Two: ...
def f(
    given: "One"  # Two
    = "Two",
) -> dict[
    "Two",  # One
    int,
]: ...
"""
    found = [(one.line, one.kind, one.root) for one in Python().read(source.encode(), "a.py").references]
    assert found == [(4, "type", "One"), (7, "type", "Two")]


def test_what_stands_in_the_brackets_of_a_type_is_a_type_and_what_a_head_declares_is_none() -> None:
    source = """class One: ...
class Two: ...
T = 1
def f(x: list[One], y: "dict[str, Two]", z: list["Two"]) -> dict[One, list[Two]]: ...
a: list[One] = []
def g[T: Two, *Ts](x: T) -> One: ...
class C[T](list[T]): ...
type A[T] = list[One]
"""
    found = [(one.line, one.kind, one.root) for one in Python().read(source.encode(), "a.py").references]
    assert [one for one in found if one[2] != "T"] == [
        (4, "type", "One"),
        (4, "type", "Two"),
        (4, "type", "Two"),
        (4, "type", "One"),
        (4, "type", "Two"),
        (5, "type", "One"),
        (6, "type", "Two"),
        (6, "type", "One"),
        (8, "type", "One"),
    ]


def test_only_what_a_type_checker_alone_runs_is_imported_for_types() -> None:
    source = """\
import typing as t
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    import a
if t.TYPE_CHECKING:
    import b
else:
    import c
if not t.TYPE_CHECKING:
    import d
if t.TYPE_CHECKING or True:
    import e
"""
    found = Python().read(source.encode(), "a.py").imports
    assert {one.module: one.kind for one in found if len(one.module) == 1} == {
        "a": "type", "b": "type", "c": "import", "d": "import", "e": "import",
    }  # fmt: skip


def test_what_a_package_hands_out_lazily_is_imported_and_exported() -> None:
    source = """\
import lazy_loader as lazy
__getattr__, __dir__, __all__ = lazy.attach(
    __name__, submodules={'b', 'a'}, submod_attrs={'edges': ['sobel', 'canny'], 'x.y': ('z',)}
)
"""
    facts = Python().read(source.encode(), "p/__init__.py")
    rows = [(one.module, one.name, one.local) for one in facts.imports][1:]
    assert rows == [
        (".", "a", "a"),
        (".", "b", "b"),
        (".edges", "canny", "canny"),
        (".edges", "sobel", "sobel"),
        (".x.y", "z", "z"),
    ]
    assert {one.name for one in facts.exports if one.binding > 0} == {"a", "b", "sobel", "canny", "z"}


def test_a_table_that_is_computed_hands_out_nothing_that_is_known() -> None:
    source = (
        b"import lazy_loader as lazy\nx = lazy.attach(__name__, submod_attrs=made())\ny = lazy.attach(__name__, [\n"
    )
    assert len(Python().read(source, "p/__init__.py").imports) == 1


def test_tables_without_end_are_not_read_again_for_each_of_them() -> None:
    source = b"import lazy_loader as lazy\n" + b"x = lazy.attach(__name__,\n" * 10_000
    assert len(Python().read(source, "p/__init__.py").imports) == 1
