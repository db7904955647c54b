"""What JavaScript files import, in every form."""

from __future__ import annotations

import pytest

from aries_kernel.contracts.language import Import
from aries_language_javascript.pack import JavaScript


def imports(text: str) -> list[tuple[str, str, str, str]]:
    found = JavaScript().read(text.encode(), "a.js").imports
    return [(item.kind, item.module, item.name, item.local) for item in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('import "m"', [("import", "m", "", "")]),
        ('import {} from "m"', [("import", "m", "", "")]),
        (
            'import d, { a, b as c, default as e, "x y" as z } from "m"',
            [
                ("import", "m", "default", "d"),
                ("import", "m", "a", "a"),
                ("import", "m", "b", "c"),
                ("import", "m", "default", "e"),
                ("import", "m", "x y", "z"),
            ],
        ),
        ('import * as ns from "m"', [("import", "m", "", "ns")]),
        ('export * from "m"', [("reexport", "m", "*", "")]),
        ('export * as ns from "m"', [("reexport", "m", "", "")]),
        ('export { a, b as c } from "m"', [("reexport", "m", "a", ""), ("reexport", "m", "b", "")]),
        ('export {} from "m"', [("reexport", "m", "", "")]),
        ('const m = require("m")', [("require", "m", "", "m")]),
        ('const m = require("m").part', [("require", "m", "part", "m")]),
        (
            'const { a, b: c, d = 1 } = require("m")',
            [("require", "m", "a", "a"), ("require", "m", "b", "c"), ("require", "m", "d", "d")],
        ),
        ('require("m")(1); f(require("n").x)', [("require", "m", "", ""), ("require", "n", "x", "")]),
        ('require.resolve("m")', [("require", "m", "", "")]),
        ("require(`m`)", [("require", "m", "", "")]),
        ('require(/* webpack */ "m", 1)', [("require", "m", "", "")]),
        ('async () => { const { a } = await import("m") }', [("dynamic", "m", "a", "a")]),
        ('const m = (await import("m")).default', [("dynamic", "m", "default", "m")]),
        ('lazy(() => import("m"))', [("dynamic", "m", "", "")]),
        ('import("m", { with: { type: "json" } })', [("dynamic", "m", "", "")]),
        ('import.meta.resolve("m")', [("dynamic", "m", "", "")]),
        ("// require('c')\nconst s = `require('d')`; x.require('e'); my_require('f')", []),
        ('const require = createRequire(import.meta.url); require("m")', [("require", "m", "", "")]),
        ('(function (require) { require("./inner") })()', []),
        ('(function e(t, n, require) { return [function (x) { require("./inner") }] })()', []),
        ('import "a\\u002fb"; require("\\x61")', [("import", "a\\u002fb", "", ""), ("require", "a", "", "")]),
    ],
)
def test_each_form_of_import_is_taken_apart(text: str, expected: list[tuple[str, str, str, str]]) -> None:
    assert imports(text) == expected


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("require(name + '.js')", "require(name + '.js')"),
        ("import(`./${lang}.js`)", "import(`./${lang}.js`)"),
        ('import.meta.glob("./*.js", { eager: true })', 'import.meta.glob("./*.js", { eager: true })'),
        ('require.context("./x", true)', 'require.context("./x", true)'),
    ],
)
def test_a_computed_import_is_listed_with_its_text(text: str, written: str) -> None:
    (item,) = JavaScript().read(text.encode(), "a.js").imports
    assert item == Import(1, "dynamic", "", text=written)


def test_a_local_require_binds_its_name_in_its_function_only() -> None:
    facts = JavaScript().read(b"function f() { const fs = require('fs'); fs.read() }\nfs.read()", "a.js")
    assert [(one.line, one.root, one.path, one.binding) for one in facts.references] == [(1, "fs", "read", 0)]


def test_imports_stand_in_the_order_of_the_text() -> None:
    text = 'const a = require("1")\nimport b from "2"\nimport("3")\nexport * from "4"\nrequire("5")'
    assert [module for _, module, _, _ in imports(text)] == ["1", "2", "3", "4", "5"]


def test_what_is_handed_on_stands_in_the_order_of_the_text() -> None:
    modules = [f"./m{number}" for number in range(40)]
    text = "\n".join(f'export * from "{module}"' for module in modules)
    for _ in range(20):
        found = JavaScript().read(text.encode(), "a.js")
        assert [found.imports[one.binding].module for one in found.exports] == modules


def test_a_whole_module_is_handed_on_under_any_name() -> None:
    found = JavaScript().read(
        b'export * as default from "a"; export * as b from "b"; export * as "c d" from "c"', "a.js"
    )
    assert [(one.name, found.imports[one.binding].module) for one in found.exports] == [
        ("default", "a"),
        ("b", "b"),
        ("c d", "c"),
    ]


def test_what_is_handed_out_may_be_called_as_a_word_of_the_language_is() -> None:
    text = "let name = 1\nexport { name as class, name as other }\nimport { in as within } from './a'\nwithin\n"
    facts = JavaScript().read(text.encode(), "a.js")
    assert facts.error_line == 0
    assert [one.name for one in facts.exports] == ["class", "other"]
    assert [(one.name, one.local) for one in facts.imports] == [("in", "within")]
    assert [one.root for one in facts.references if one.binding == 0] == ["within"]


def test_paths_that_are_certain_before_anything_runs_are_imports() -> None:
    source = """\
var lib = __dirname + '/../lib';
const a = require(lib + '/a');
const { b } = require(path.join(__dirname, 'x', 'b'));
common.lib = path.resolve(__dirname, '..', 'lib');
common.c = require(common.lib + '/c');
require(`${__dirname}/d`);
"""
    assert [(one.module, one.name, one.local) for one in JavaScript().read(source.encode(), "a.js").imports] == [
        ("../lib/a", "", "a"),
        ("./x/b", "b", "b"),
        ("../lib/c", "", ""),
        ("./d", "", ""),
    ]


@pytest.mark.parametrize(
    "source",
    [
        "let lib = './e'; lib = './f'; require(lib + '/g')",
        "let lib = './e'; lib += '/f'; require(lib + '/g')",
        "require(process.env.HOME + '/h')",
        "require(path.resolve(__dirname, '/h'))",
        "require(name)",
        "const name = name + '/a'; require(name)",
    ],
)
def test_paths_that_are_not_certain_are_told_as_computed(source: str) -> None:
    assert [one.kind for one in JavaScript().read(source.encode(), "a.js").imports] == ["dynamic"]
