"""Which uses of names in TypeScript lead to something."""

from __future__ import annotations

import pytest

from aries_language_typescript.pack import TypeScript


def uses(text: str, path: str = "a.ts") -> list[tuple[str, str, str]]:
    facts = TypeScript().read(text.encode(), path)
    return [
        (
            one.kind,
            f"{one.root}.{one.path}".rstrip("."),
            facts.symbols[one.symbol].qualified if one.symbol >= 0 else facts.imports[one.binding].module,
        )
        for one in facts.references
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import type { A } from 'm'; let x: A; function f(a: A[]): Map<A, B> {}", [("type", "A", "m")] * 3),
        ("import * as N from 'm'; let x: N.O.P", [("type", "N.O.P", "m")]),
        ("import { v } from 'm'; let x: typeof v.w", [("type", "v.w", "m")]),
        (
            "import { A, I } from 'm'; class K extends A.B<I> implements I {}",
            [("base", "A.B", "m"), ("type", "I", "m"), ("base", "I", "m")],
        ),
        ("import { I } from 'm'; interface J extends I {}", [("base", "I", "m")]),
        (
            "import { f } from 'm'; f<string>(1); f!(2); f as any; (f satisfies X)()",
            [("call", "f", "m"), ("call", "f", "m"), ("use", "f", "m"), ("use", "f", "m")],
        ),
        ("import { A } from 'm'; new A<string>(); <A>x", [("new", "A", "m"), ("type", "A", "m")]),
        (
            "import { dec, B } from 'm'; class K { constructor(@dec() private b: B) {} }",
            [("decorator", "dec", "m"), ("type", "B", "m")],
        ),
        ("enum E { A } let x: E = E.A", [("type", "E", "E"), ("use", "E.A", "E")]),
        ("namespace N { export const x = 1 } N.x", [("use", "N.x", "N")]),
        ("export interface R { a: R } export const R = () => R", [("type", "R", "R"), ("use", "R", "R")]),
    ],
)
def test_each_use_is_found_with_its_kind(text: str, expected: list[tuple[str, str, str]]) -> None:
    assert uses(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "import { T } from 'm'; function f<T>(x: T): T {}",
        "import { T } from 'm'; class K<T> { m(x: T) {} }",
        "import { T } from 'm'; type A<T> = T[]",
        "import { T } from 'm'; type A = B extends infer T ? T : never",
        "import { T } from 'm'; type A = { [T in keyof B]: T }",
        "import { a } from 'm'; type F = (a: string) => typeof a",
        "import { a } from 'm'; class K { constructor(private a: string) { a } }",
    ],
)
def test_a_name_that_is_hidden_is_no_use(text: str) -> None:
    assert uses(text) == []


def test_a_parameter_hides_values_and_no_types() -> None:
    assert uses("import { Foo } from 'm'; function f(Foo: Foo) { Foo() }") == [("type", "Foo", "m")]


def test_a_name_of_a_type_and_of_a_value_leads_to_each() -> None:
    facts = TypeScript().read(b"interface R {}\nconst R = 1\nlet x: R = R", "a.ts")
    assert [(one.kind, facts.symbols[one.symbol].kind) for one in facts.references] == [
        ("type", "interface"),
        ("use", "constant"),
    ]


def test_an_implementation_is_meant_rather_than_its_overloads() -> None:
    facts = TypeScript().read(b"function f(): void\nfunction f(a?: any) {}\nf()", "a.ts")
    assert [facts.symbols[one.symbol].line for one in facts.references] == [2]


def test_jsx_uses_components() -> None:
    assert uses("import { Btn, Ns } from 'm'; const x = <Ns.A><Btn {...Btn}/></Ns.A>", "a.tsx") == [
        ("jsx", "Ns.A", "m"),
        ("jsx", "Btn", "m"),
        ("use", "Btn", "m"),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('import type T, { A } from "m"', [("type", "m", "default", "T"), ("type", "m", "A", "A")]),
        ('import type from "m"', [("import", "m", "default", "type")]),
        (
            'import { type A, type as b, type } from "m"',
            [("type", "m", "A", "A"), ("import", "m", "type", "b"), ("import", "m", "type", "type")],
        ),
        ('export type { A } from "m"; export { type B } from "m"', [("type", "m", "A", ""), ("type", "m", "B", "")]),
        ('export type * from "m"', [("type", "m", "*", "")]),
        ('import x = require("m")', [("require", "m", "", "x")]),
        (
            'let x: import("m").Foo; let y: typeof import("n"); type Z = Array<import("o").P>',
            [("type", "m", "Foo", ""), ("type", "n", "", ""), ("type", "o", "P", "")],
        ),
        (
            'const x = await import("m"); const y = () => import("n")',
            [("dynamic", "m", "", "x"), ("dynamic", "n", "", "")],
        ),
        (
            '/// <reference path="g.d.ts" />\n/// <reference types="node" />\n'
            'let s = `\n/// <reference path="no.d.ts" />`',
            [("include", "g.d.ts", "", ""), ("type", "node", "", "")],
        ),
    ],
)
def test_each_form_of_import_is_taken_apart(text: str, expected: list[tuple[str, str, str, str]]) -> None:
    found = TypeScript().read(text.encode(), "a.ts").imports
    assert [(item.kind, item.module, item.name, item.local) for item in found] == expected


def test_export_equals_is_the_default() -> None:
    facts = TypeScript().read(b"class K {}\nexport = K", "a.ts")
    assert [(one.name, facts.symbols[one.symbol].name) for one in facts.exports] == [("default", "K")]
