"""Definitions of a Python file."""

from __future__ import annotations

import ast
import sys

from hypothesis import given, settings
from hypothesis import strategies as st

from aries_kernel.testing.language_view import LanguageView
from aries_language_python.pack import Python

VIEW = LanguageView(Python(), "module.py")
read = VIEW.read


def table(source: str) -> list[tuple[str, str, int, int]]:
    symbols = sorted(read(source).symbols, key=lambda one: (one.start, -one.end))
    return [(one.qualified, one.kind, one.line, one.end_line) for one in symbols]


def test_nested_classes_and_functions_have_qualified_names_and_spans() -> None:
    source = """\
class Outer:
    class Inner:
        def m(self): pass
    def m(self):
        def local():
            return 1
        return local
async def run(): ...
"""
    assert table(source) == [
        ("Outer", "class", 1, 7),
        ("Outer.Inner", "class", 2, 3),
        ("Outer.Inner.m", "method", 3, 3),
        ("Outer.m", "method", 4, 7),
        ("Outer.m.local", "function", 5, 6),
        ("run", "function", 8, 8),
    ]


def test_variables_of_modules_and_classes_are_found_wherever_they_stand() -> None:
    source = """\
LIMIT = 3
handler = lambda x: x
type Alias = int
T = TypeVar("T")
Name: TypeAlias = "int"
a, (b, *c) = 1, (2, 3)
x = y = 0
d.attribute = e[0] = os.environ["KEY"] = 1
if cond:
    inner = 1
else:
    inner = 2
class Color(enum.Enum):
    RED = 1
    hidden: int
class Point:
    x: int = 0
    run = lambda self: 1
def f():
    local = 1
"""
    assert table(source) == [
        ("LIMIT", "constant", 1, 1),
        ("handler", "function", 2, 2),
        ("Alias", "type", 3, 3),
        ("T", "type", 4, 4),
        ("Name", "type", 5, 5),
        ("a", "variable", 6, 6),
        ("b", "variable", 6, 6),
        ("c", "variable", 6, 6),
        ("x", "variable", 7, 7),
        ("y", "variable", 7, 7),
        ("inner", "variable", 10, 10),
        ("Color", "class", 13, 15),
        ("Color.RED", "member", 14, 14),
        ("Color.hidden", "field", 15, 15),
        ("Point", "class", 16, 18),
        ("Point.x", "field", 17, 17),
        ("Point.run", "method", 18, 18),
        ("f", "function", 19, 20),
    ]


def test_decorators_belong_to_the_definition_and_name_properties_and_overloads() -> None:
    source = """\
@overload
def f(x: int) -> int: ...
@typing.overload
def f(x: str) -> str: ...
def f(x): return x
class C:
    @property
    def size(self): return 1
    @size.setter
    def size(self, value): ...
    @functools.cached_property
    def far(self): return 2
"""
    assert [(one.qualified, one.kind, one.line, one.modifiers) for one in read(source).symbols] == [
        ("f", "function", 1, "overload @overload"),
        ("f", "function", 3, "overload @typing.overload"),
        ("f", "function", 5, ""),
        ("C", "class", 6, ""),
        ("C.size", "property", 7, "@property"),
        ("C.size", "property", 9, "@size.setter"),
        ("C.far", "property", 11, "@functools.cached_property"),
    ]


def test_signatures_are_one_line_and_docs_are_the_first_line() -> None:
    source = '''\
"""What the module is for.

More.
"""
def f(
    a: int,  # a number
    b: str = "x: y",
) -> dict[str, int]:
    r"""
    Do it.

    Slowly.
    """
class C(Base, metaclass=M): "Short."
async def g(): return "no doc"
'''
    facts = read(source)
    assert facts.doc == "What the module is for."
    assert [(one.signature, one.doc, one.modifiers) for one in facts.symbols] == [
        ('def f(a: int, b: str = "x: y") -> dict[str, int]', "Do it.", ""),
        ("class C(Base, metaclass=M)", "Short.", ""),
        ("async def g()", "", "async"),
    ]


def test_a_long_text_before_or_in_a_docstring_hides_nothing() -> None:
    licence, more = "# Do as you like.\n" * 1000, "More words.\n" * 1000
    facts = read(f'{licence}\n"""What it is.\n\n{more}"""\nclass C:\n    """Why it is.\n\n{more}"""\n')
    assert (facts.doc, [one.doc for one in facts.symbols]) == ("What it is.", ["Why it is."])


def test_what_others_may_use_follows_all_and_underscores() -> None:
    plain = read(
        "def a(): pass\ndef _b(): pass\nclass _C:\n    def m(self): pass\nclass D:\n    def __len__(self): pass\n"
    )
    assert [(one.qualified, one.exported) for one in plain.symbols] == [
        ("a", True),
        ("_b", False),
        ("_C", False),
        ("_C.m", False),
        ("D", True),
        ("D.__len__", True),
    ]
    listed = read('__all__ = ["_b"]\n__all__ += ("C",)\ndef a(): pass\ndef _b(): pass\nclass C:\n    x = 1\n')
    assert {one.qualified for one in listed.symbols if one.exported} == {"C", "C.x"}
    assert {one.name for one in listed.exports if one.is_public} == {"_b", "C"}


def test_a_broken_line_costs_only_itself() -> None:
    source = """\
def ok1(): pass
def broken(:
    x = 1
class After:
    def m(self): pass
value = (1,
def late(): pass
"""
    facts = read(source)
    assert facts.error_line == 2
    assert {one.qualified for one in facts.symbols} >= {"ok1", "broken", "After", "After.m", "late"}


def test_an_error_at_the_bottom_of_a_very_deep_text_is_found() -> None:
    assert read("x = 1\n" + "/* " * 120_000).error_line > 0


def test_names_in_any_script_are_read() -> None:
    assert table("def café(): pass\nπ = 3\nclass Größe: 高さ = 1\n") == [
        ("café", "function", 1, 1),
        ("π", "variable", 2, 2),
        ("Größe", "class", 3, 3),
        ("Größe.高さ", "field", 3, 3),
    ]


NAMES = st.sampled_from(["a", "b", "Run", "_c", "été"])


@st.composite
def modules(draw: st.DrawFn, depth: int = 0) -> str:
    lines: list[str] = []
    for _ in range(draw(st.integers(1, 4))):
        indent = "    " * depth
        kind = draw(st.sampled_from(["def", "class", "assign", "if", "decorated"] if depth < 3 else ["assign"]))
        name = draw(NAMES)
        if kind == "assign":
            lines.append(f"{indent}{name} = {draw(NAMES)}\n")
            continue
        if kind == "decorated":
            lines.append(f"{indent}@{draw(NAMES)}(1)\n")
        head = {"if": f"if {name}:", "class": f"class {name}({draw(NAMES)}):"}.get(
            kind, f"def {name}(self, x=(1, [2])):"
        )
        lines.append(f"{indent}{head}\n{draw(modules(depth=depth + 1))}")
    return "".join(lines)


@settings(max_examples=60, deadline=None)
@given(modules())
def test_classes_and_functions_are_those_of_the_interpreters_own_tree(source: str) -> None:
    expected: list[tuple[str, int, int]] = []

    def visit(node: ast.AST, outer: tuple[str, ...]) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.ClassDef | ast.FunctionDef):
                line = min([child.lineno, *(one.lineno for one in child.decorator_list)])
                expected.append((".".join((*outer, child.name)), line, child.end_lineno or 0))
                visit(child, (*outer, child.name))
            else:
                visit(child, outer)

    visit(ast.parse(source), ())
    found = [(one.qualified, one.line, one.end_line) for one in read(source).symbols if one.kind not in _VARIABLES]
    assert sorted(found) == sorted(expected)


_VARIABLES = {"variable", "constant", "field"}


def test_files_deeper_than_the_recursion_limit_are_read() -> None:
    depth = sys.getrecursionlimit() * 3
    facts = read(f"x = {'1 + ' * depth}1\ny = {'[' * depth}\ndef after(): pass\n")
    assert {one.name for one in facts.symbols} >= {"x"}


def test_a_tree_deeper_than_a_cursor_can_count_does_not_stop_the_reading() -> None:
    facts = read(f"x = {'not ' * 70_000}1\ndef after(): pass\n")
    assert {one.name for one in facts.symbols} == {"x", "after"}
