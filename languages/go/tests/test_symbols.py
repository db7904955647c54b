"""Definitions of Go files."""

from __future__ import annotations

from aries_kernel.testing.language_view import LanguageView
from aries_language_go.pack import Go

VIEW = LanguageView(Go(), "a.go")
read, symbols, uses = VIEW.read, VIEW.symbols, VIEW.uses


def test_every_kind_of_definition_has_its_span_and_its_full_name() -> None:
    source = """\
// Package shop sells.
package shop

// Limit is the most.
const Limit, least = 3, 1

var (
\tstock = map[string]int{}
)

// Cart holds.
type Cart struct {
\t*Base
\titems, gone []Item
}

type Store interface {
\tGet(name string) (Item, error)
}

type (
\tName = string
\tCount int
)

// Add puts.
func (c *Cart) Add(one Item) {
\ttype local struct{ n int }
\tvar hidden int
}

func New[T any](n int) *Cart { return nil }
"""
    assert symbols(source) == [
        ("constant", "Limit", 5, 5),
        ("constant", "least", 5, 5),
        ("variable", "stock", 8, 8),
        ("struct", "Cart", 12, 15),
        ("field", "Cart.Base", 13, 13),
        ("field", "Cart.items", 14, 14),
        ("field", "Cart.gone", 14, 14),
        ("interface", "Store", 17, 19),
        ("method", "Store.Get", 18, 18),
        ("type", "Name", 22, 22),
        ("type", "Count", 23, 23),
        ("method", "Cart.Add", 27, 30),
        ("function", "New", 32, 32),
    ]


def test_heads_comments_and_what_is_exported_are_told() -> None:
    facts = read("""\
// Package shop sells.
//
// More of it.
package shop

// Add puts
// something.
func (c *Cart) Add(
\tone Item, // what
) (n int) {
\treturn 1
}
func (c *cart) Add() {}
""")
    first, second = facts.symbols
    assert (facts.doc, facts.namespace) == ("Package shop sells.", "shop")
    assert (first.signature, first.doc, first.exported) == ("func (c *Cart) Add(one Item,) (n int)", "Add puts", True)
    assert second.exported is False
    assert [(one.name, one.is_public) for one in read("package a\ntype B int\nfunc c() {}\n").exports] == [
        ("B", True),
        ("c", False),
    ]


def test_a_broken_line_is_told_and_what_follows_is_read() -> None:
    facts = read("package a\nfunc broken( {\n}\nfunc After() {}\n")
    assert facts.error_line == 2
    assert "After" in [one.name for one in facts.symbols]


def test_a_tree_deeper_than_a_cursor_can_count_costs_nothing_around_it() -> None:
    deep = "+".join(["a"] * 70_000)
    source = f"package a\nvar before int\nvar deep = {deep}\nfunc after() {{ before = 1 }}\n"
    assert symbols(source) == [("variable", "before", 2, 2), ("variable", "deep", 3, 3), ("function", "after", 4, 4)]
    assert read(source).references[-1].root == "before"
