"""What JavaScript files define."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aries_kernel.contracts.language import FileFacts, Symbol
from aries_language_javascript.mending import mended_scripts, mended_types
from aries_language_javascript.pack import JavaScript


def read(text: str) -> FileFacts:
    return JavaScript().read(text.encode(), "a.js")


def kinds(text: str) -> list[tuple[str, str]]:
    return [(one.qualified, one.kind) for one in read(text).symbols]


def one(text: str, qualified: str) -> Symbol:
    return next(symbol for symbol in read(text).symbols if symbol.qualified == qualified)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("app.use = function use() {}", [("app.use", "method")]),
        ("function Foo() {}\nFoo.prototype.bar = function () {}", [("Foo", "function"), ("Foo.bar", "method")]),
        ("function Foo() {}\nFoo.prototype = { bar() {} }", [("Foo", "function"), ("Foo.bar", "method")]),
        ("var old = function () {}", [("old", "function")]),
        ("late = () => 1", [("late", "function")]),
        ("function* g() {}\nasync function h() {}", [("g", "function"), ("h", "function")]),
        (
            "let o = { m() {}, arrow: () => 1, fn: function () {}, deep: { inner() {} }, n: 1 }",
            [
                ("o", "variable"),
                ("o.m", "method"),
                ("o.arrow", "method"),
                ("o.fn", "method"),
                ("o.deep.inner", "method"),
            ],
        ),
        (
            "class K { field = () => 2; #priv() {} get x() {} static s() {} 'a b'() {} y = 1; constructor() {} }",
            [
                ("K", "class"),
                ("K.field", "method"),
                ("K.#priv", "method"),
                ("K.x", "property"),
                ("K.s", "method"),
                ("K.a b", "method"),
                ("K.y", "field"),
                ("K.constructor", "method"),
            ],
        ),
        ("const C = class Inner { m() {} }", [("C", "class"), ("C.m", "method")]),
        ("export default function () {}", [("default", "function")]),
        ("export default function named() {}", [("named", "function")]),
        ("export default class { m() {} }", [("default", "class"), ("default.m", "method")]),
        ("export default { data() {} }", [("default", "constant"), ("default.data", "method")]),
        ("module.exports = function () {}", [("module.exports", "function")]),
        ("module.exports = class Box {}", [("Box", "class")]),
        ("module.exports.x = 1\nexports.y = () => 1", [("x", "variable"), ("y", "function")]),
        ("module.exports = { create() { return { visit() {} } } }", [("create", "method"), ("create.visit", "method")]),
        ("const LIMIT = 3, s = 'x'\nvar n", [("LIMIT", "constant"), ("s", "constant"), ("n", "variable")]),
        ("const { a, b: { c = 1 }, ...rest } = make()", [("a", "constant"), ("c", "constant"), ("rest", "constant")]),
        ("function f() { const g = () => 1; let n = 2 }", [("f", "function"), ("f.g", "function")]),
        ("on('x', function handler() {})", [("handler", "function")]),
        (
            "class K { constructor() { this.run = () => 1 } }",
            [("K", "class"), ("K.constructor", "method"), ("K.run", "method")],
        ),
        ("function F() { this.run = function () {} }", [("F", "function"), ("F.run", "method")]),
        ("x = a ? b : () => 1\ny(c ? (d) => e : f)", []),
        (
            "x = { // note\n  /* why */ k /* what */ : (() => 1), 'q-r': function () {}, [s.t]: () => 1 }",
            [("k", "method"), ("q-r", "method"), ("[s.t]", "method")],
        ),
        ("x = { k: (() => 1)(), l: z || (() => 2) }", []),
        ("const path = require('path'), { join } = require('path')", []),
        ("const made = require('./x')(1)", [("made", "constant")]),
    ],
)
def test_each_way_to_define_something_is_found(text: str, expected: list[tuple[str, str]]) -> None:
    assert kinds(text) == expected


def test_a_symbol_has_its_span_its_head_and_the_first_line_of_its_comment() -> None:
    text = "x()\n\n/**\n * Adds up.\n * @param a one\n */\n"
    text += "export async function add(\n  a,\n  b,\n) {\n  return a + b\n}\n"
    assert read(text).symbols == (
        Symbol(
            name="add",
            qualified="add",
            kind="function",
            line=7,
            end_line=12,
            start=text.index("export"),
            end=len(text) - 1,
            parent=-1,
            signature="async function add( a, b, )",
            doc="Adds up.",
            exported=True,
            modifiers="async",
        ),
    )


@pytest.mark.parametrize(
    ("comment", "expected"),
    [
        ("/** One line. */\n", "One line."),
        ("// first\n// second\n", "first"),
        ("/* plain */\n", "plain"),
        ("/** @type {Foo} */\n", ""),
        ("/**\n * @fileoverview About.\n */\n", "About."),
        ("// eslint-disable-next-line\n// says\n", "says"),
        ("// far away\n\n", ""),
        ("/* far away */\n\n", ""),
        ("/** Documents. */\n\n", "Documents."),
        ("run() // behind\n", ""),
        ("const s = '*/'\n", ""),
    ],
)
def test_only_a_comment_that_stands_right_before_documents(comment: str, expected: str) -> None:
    assert one(f"let first\n{comment}function f() {{}}", "f").doc == expected


def test_the_file_is_documented_by_its_first_comment() -> None:
    assert read("#!/usr/bin/env node\n/**\n * @fileoverview Starts it.\n */\nfunction f() {}").doc == "Starts it."
    assert read("/*!\n * tool\n * Copyright somebody\n */\n'use strict'\nfunction f() {}").doc == "tool"
    assert read("/** Of the function. */\nfunction f() {}").doc == ""


def test_decorators_and_words_in_front_are_modifiers() -> None:
    text = "@tag('x') class K {\n  @a.b(1) @c\n  static async *m() {}\n  get async() {}\n}"
    assert [(symbol.qualified, symbol.modifiers, symbol.line) for symbol in read(text).symbols] == [
        ("K", "@tag", 1),
        ("K.m", "@a.b @c static async", 2),
        ("K.async", "get", 4),
    ]


def test_what_a_module_does_not_export_is_not_exported() -> None:
    text = "export class A { #p() {} q() {} }\nfunction f() { function g() {} }\nconst h = 1\nexport { h as i }"
    assert {symbol.qualified for symbol in read(text).symbols if symbol.exported} == {"A", "A.q", "h"}


def test_a_script_shows_what_stands_in_it() -> None:
    text = "function f() { function g() {} }\nvar h = 1"
    assert {symbol.qualified for symbol in read(text).symbols if symbol.exported} == {"f", "h"}


def test_exports_name_symbols_and_imports() -> None:
    facts = read(
        'import d, { x } from "./m"\nexport { x as y, f }\nexport default d\nexport * from "./all"\n'
        'export * as ns from "./ns"\nexport { p as q, default as r } from "./re"\n'
        "function f() {}\nexport const k = 1, l = 2"
    )
    names = {symbol.qualified: place for place, symbol in enumerate(facts.symbols)}
    modules = [(item.module, item.name) for item in facts.imports]
    found = [
        (export.name, facts.symbols[export.symbol].qualified if export.symbol >= 0 else modules[export.binding])
        for export in facts.exports
    ]
    assert sorted(found, key=str) == sorted(
        [
            ("y", ("./m", "x")),
            ("f", "f"),
            ("default", ("./m", "default")),
            ("*", ("./all", "*")),
            ("ns", ("./ns", "")),
            ("q", ("./re", "p")),
            ("r", ("./re", "default")),
            ("k", "k"),
            ("l", "l"),
        ],
        key=str,
    )
    assert names.keys() == {"f", "k", "l"}


def test_commonjs_exports_what_is_put_on_its_object() -> None:
    facts = read(
        "var app = exports = module.exports = {}\napp.use = function () {}\nexports.Route = Route\n"
        "function Route() {}\n"
        "exports.lib = require('./lib')\nmodule.exports.n = 1\nexports.gone = undefined"
    )
    assert sorted(export.name for export in facts.exports) == ["Route", "default", "lib", "n", "use"]


def test_an_object_that_is_exported_exports_its_members() -> None:
    facts = read(
        "function a() {}\nmodule.exports = { a, b: a, c() {}, d: () => 1, e: require('./e').x, ...require('./f') }"
    )
    assert [export.name for export in facts.exports] == ["c", "d", "a", "b", "e", "*"]


def test_a_syntax_error_hides_nothing_else() -> None:
    facts = read("function ok1() {}\nfunction broken( {\nclass After { m() {} }\nfunction ok2() {}\n")
    assert facts.error_line > 0
    assert "ok1" in {symbol.name for symbol in facts.symbols}
    assert read("function fine() {}").error_line == 0


def test_names_outside_of_ascii_keep_their_letters() -> None:
    assert kinds("const größe = () => 1; class Ä { café() {} }") == [
        ("größe", "function"),
        ("Ä", "class"),
        ("Ä.café", "method"),
    ]


_TOKENS = [
    *("function", "f", "(", ")", "{", "}", "[", "]", "class", "K", "=", "=>", "a", ".", "b", ",", ";", ":"),
    *("`", "${", "/*", "*/", "//", "export", "import", "from", "async", "*", "@", "#", "get", "\n", "static", "1", "+"),
    *("?", "'", '"', "new", "this", "super", "require('x')"),
]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(_TOKENS), max_size=60))
def test_any_order_of_tokens_is_read_and_symbols_lie_in_their_parents(tokens: list[str]) -> None:
    facts = read(" ".join(tokens))
    for place, symbol in enumerate(facts.symbols):
        assert symbol.parent < place
        assert symbol.start < symbol.end <= len(" ".join(tokens).encode())


def test_a_tree_deeper_than_a_cursor_can_count_does_not_stop_the_reading() -> None:
    facts = read(f"{'(function(){' * 40_000}{'})' * 40_000}\nfunction after() {{}}\n")
    assert "after" in {symbol.name for symbol in facts.symbols}


def test_attributes_that_are_called_as_words_of_the_language_are_no_errors() -> None:
    facts = read(
        "import { Row } from './row';\nexport const View = () => (\n"
        '  <label class={\'a\' ? 1 : 2} for="x" onClick={go}>\n    <Row in={1} href="?a=1&b=2" />\n  </label>\n);\n'
        'const After = () => <div class="foo" b={1}>x</div>;\nfunction last() {}\n'
    )
    assert facts.error_line == 0
    assert [symbol.name for symbol in facts.symbols] == ["View", "After", "last"]
    assert [(used.kind, used.root) for used in facts.references if used.binding == 0] == [("jsx", "Row")]


def test_what_is_mended_for_the_grammar_is_shown_as_it_is_written() -> None:
    text = "const b = <a class='x' href='/?p&q'/>;\nfunction f(class_ = 'for=') { return <i for='y'/> }\n"
    assert [symbol.signature for symbol in read(text).symbols] == [
        "const b = <a class='x' href='/?p&q'/>",
        "function f(class_ = 'for=')",
    ]


def test_an_error_that_cannot_be_mended_is_told_with_its_line() -> None:
    assert read("let a = <b class='x'/>;\nlet = = ;\nfunction f() {}\n").error_line == 2


@pytest.mark.parametrize("text", [b"a/*", b"a\n \n", b"a//\n", b'="&', b"<in ", b" for ", b"a/**"])
def test_mending_what_never_ends_ends(text: bytes) -> None:
    source = text * 60_000
    assert len(mended_types(source)) == len(mended_scripts(source)) == len(source)
