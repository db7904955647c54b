"""What stands in what, and full names."""

from __future__ import annotations

from aries_language_syntax.outline import Definition, Outline
from aries_language_syntax.text import Text


def rows(outline: Outline) -> list[tuple[str, int]]:
    return [(one.qualified, one.parent) for one in outline.symbols]


def test_definitions_are_sorted_and_nested_whatever_their_order() -> None:
    found = [
        Definition(12, 14, b"deep", "field"),
        Definition(0, 9, b"a", "class"),
        Definition(10, 20, b"b", "class"),
        Definition(11, 15, b"in", "class"),
        Definition(2, 3, b"x", "field", owner="far"),
    ]
    assert rows(Outline(Text(b" " * 20), found, frozenset())) == [
        ("a", -1),
        ("a.far.x", 0),
        ("b", -1),
        ("b.in", 2),
        ("b.in.deep", 3),
    ]


def test_names_of_one_declaration_are_neighbours_and_macros_stand_at_the_top() -> None:
    found = [
        Definition(0, 9, b"f", "function"),
        Definition(1, 5, b"a", "variable"),
        Definition(1, 5, b"b", "variable"),
        Definition(6, 8, b"M", "macro"),
    ]
    assert rows(Outline(Text(b" " * 9), found, frozenset())) == [("f", -1), ("f.a", 0), ("f.b", 0), ("M", -1)]
    assert rows(Outline(Text(b" " * 9), found, frozenset({"function"}))) == [("f", -1), ("M", -1)]


def test_members_of_a_plain_enum_are_seen_around_it_and_constructors_by_nobody() -> None:
    found = [
        Definition(0, 4, b"kind", "enum"),
        Definition(1, 2, b"A", "member"),
        Definition(5, 9, b"strict", "enum", modifiers="class"),
        Definition(6, 7, b"B", "member"),
        Definition(10, 20, b"K", "class"),
        Definition(11, 12, b"K", "method", is_named=False),
    ]
    members = Outline(Text(b" " * 20), found, frozenset(), frozenset({"enum"})).members
    assert members == {(-1, b"kind"): 0, (0, b"A"): 1, (-1, b"A"): 1, (-1, b"strict"): 2, (2, b"B"): 3, (-1, b"K"): 4}
