"""Which uses of names lead to something."""

from __future__ import annotations

import pytest

from aries_language_javascript.pack import JavaScript


def uses(text: str) -> list[tuple[str, str, str]]:
    """Kind, name as written, and what it leads to: a qualified name, or a module."""
    facts = JavaScript().read(text.encode(), "a.jsx")
    return [
        (
            one.kind,
            f"{one.root}.{one.path}".rstrip("."),
            facts.symbols[one.symbol].qualified if one.symbol >= 0 else facts.imports[one.binding].module,
        )
        for one in facts.references
        if one.symbol >= 0 or one.binding >= 0
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "import a from 'm'; a(); a.b.c(1); a?.b?.(2)",
            [("call", "a", "m"), ("call", "a.b.c", "m"), ("call", "a.b", "m")],
        ),
        ("import a from 'm'; a\n  // why\n  .b /* what */ .c()", [("call", "a.b.c", "m")]),
        (
            "import a from 'm'; a`x`; f(a, { a, b: a.c })",
            [("call", "a", "m"), ("use", "a", "m"), ("use", "a", "m"), ("use", "a.c", "m")],
        ),
        ("import { A } from 'm'; new A.B(1); class K extends A {}", [("new", "A.B", "m"), ("base", "A", "m")]),
        ("import * as ns from 'm'; const x = <ns.Btn k={ns}>t</ns.Btn>", [("jsx", "ns.Btn", "m"), ("use", "ns", "m")]),
        ("import div from 'm'; const x = <div/>", []),
        (
            "import { dec } from 'm'; @dec class A { @dec.x(1) m() {} }",
            [("decorator", "dec", "m"), ("decorator", "dec.x", "m")],
        ),
        ("function f() {}\nfunction g() { return f() }", [("call", "f", "f")]),
        ("function outer() { function inner() {} inner() }", [("call", "inner", "outer.inner")]),
        ("const r = function self() { self() }", [("call", "self", "r")]),
    ],
)
def test_each_use_is_found_with_its_kind(text: str, expected: list[tuple[str, str, str]]) -> None:
    assert uses(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "import a from 'm'; function f(a) { a() }",
        "import a from 'm'; const f = a => a()",
        "import a from 'm'; const f = ({ a, b: [c] }, ...d) => a(c)",
        "import a from 'm'; function f({ x: { a = 1 } }) { a() }",
        "import a from 'm'; { const a = 1; a() }",
        "import a from 'm'; function f() { if (x) { var a = 1 } a() }",
        "import a from 'm'; for (const a of x) a()",
        "import a from 'm'; for (let a = 0; a < 1; a++) a()",
        "import a from 'm'; try {} catch (a) { a() }",
        "import a from 'm'; try {} catch ({ a }) { a() }",
        "import a from 'm'; switch (x) { case 1: let a; a() }",
        "import a from 'm'; x.a(); x = { a: 1 }; b: for (;;) break b; class K { a() {} }",
        "print(len(x)); d.get('x')",
    ],
)
def test_a_name_that_is_hidden_or_unknown_is_no_use(text: str) -> None:
    assert [use for use in uses(text) if use[1].startswith("a") or use[1] == "print"] == []


def test_a_hidden_name_is_seen_again_outside() -> None:
    assert uses("import a from 'm'; { let a; a() } a(); function f() { for (var a of x) a(); } [a] = x; a()") == [
        ("call", "a", "m"),
        ("use", "a", "m"),
        ("call", "a", "m"),
    ]


def test_this_leads_to_the_class_around_it() -> None:
    text = (
        "class K { x = this.y; m() { this.n(); [1].map(() => this.z); [1].map(function () { this.no }) }\n"
        "  static s() { return class { t() { this.inner } } } }"
    )
    assert uses(text) == [
        ("use", "this.y", "K"),
        ("call", "this.n", "K"),
        ("use", "this.z", "K"),
        # A class without a name: what it defines is named after what it stands in.
        ("use", "this.inner", "K.s"),
    ]


def test_super_leads_to_the_class_whose_bases_are_meant() -> None:
    assert uses("class A {} class B extends A { constructor() { super(1) } m() { super.m() } }") == [
        ("base", "A", "A"),
        ("call", "super.constructor", "B"),
        ("call", "super.m", "B"),
    ]


def test_this_in_a_function_on_a_prototype_leads_to_its_owner() -> None:
    assert ("call", "this.b", "F") in uses("function F() {}\nF.prototype.a = function () { this.b() }")
    assert ("call", "this.b", "app") in uses("const app = {}\napp.a = function () { this.b() }")


def test_a_use_knows_the_innermost_symbol_it_stands_in() -> None:
    facts = JavaScript().read(b"import a from 'm'\na()\nclass K { m() { const f = () => a() } }", "a.js")
    inside = [facts.symbols[one.inside].qualified if one.inside >= 0 else "" for one in facts.references]
    assert (inside, [one.line for one in facts.references]) == (["", "K.m.f"], [2, 3])


def test_names_in_import_and_export_statements_are_no_uses() -> None:
    assert uses("import a, { b as c } from 'm'; export { a, c as d }; export default a; export { e } from 'n'") == []


def test_a_name_that_keeps_this_is_what_this_was() -> None:
    source = """\
function Pool() {}
Pool.prototype.end = function (cb) {
  var first = 1, self = this;
  run(function (err) { self.close(err); first.close(); });
  function inner() { var self = made(); }
};
Pool.prototype.close = function () {};
self.close();
"""
    facts = JavaScript().read(source.encode(), "a.js")
    found = [(one.line, one.kind, one.path) for one in facts.references if one.root == "self"]
    assert found == [(4, "call", "close")]
    assert [facts.symbols[one.symbol].qualified for one in facts.references if one.root == "self"] == ["Pool"]
