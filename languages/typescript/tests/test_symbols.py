"""What TypeScript files define beside what JavaScript has."""

from __future__ import annotations

import pytest

from aries_kernel.contracts.language import FileFacts
from aries_language_typescript.pack import TypeScript


def read(text: str) -> FileFacts:
    return TypeScript().read(text.encode(), "a.ts")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "interface I { (a: string): void; m(): void; p?: string; readonly q: number; [k: string]: any }",
            [("I", "interface"), ("I.m", "method"), ("I.p", "property"), ("I.q", "property")],
        ),
        ("type A = string | B", [("A", "type")]),
        ("type O = { a: string; m(): void }", [("O", "type"), ("O.a", "property"), ("O.m", "method")]),
        ("function f(x: { inner: string }) {}", [("f", "function")]),
        (
            "enum E { A = 1, B, 'c-d' /* x */ }",
            [("E", "enum"), ("E.A", "member"), ("E.B", "member"), ("E.c-d", "member")],
        ),
        ("declare const enum F { X }", [("F", "enum"), ("F.X", "member")]),
        (
            "namespace A.B { export const x = 1; function g() {} namespace C { let y } }",
            [
                ("A.B", "namespace"),
                ("A.B.x", "constant"),
                ("A.B.g", "function"),
                ("A.B.C", "namespace"),
                ("A.B.C.y", "variable"),
            ],
        ),
        (
            "declare module 'm' { export function f(): void; const z: string }",
            [("m", "namespace"), ("m.f", "function"), ("m.z", "constant")],
        ),
        (
            "declare global { interface Window { x: string } var here: number }",
            [("Window", "interface"), ("Window.x", "property"), ("here", "variable")],
        ),
        (
            "class K { constructor(private a: string, readonly b = 1, c?: number) {} declare d: string; "
            "static e = () => 1 }",
            [
                ("K", "class"),
                ("K.constructor", "method"),
                ("K.a", "field"),
                ("K.b", "field"),
                ("K.d", "field"),
                ("K.e", "method"),
            ],
        ),
        (
            "abstract class P { abstract m(): void; abstract n: string }",
            [("P", "class"), ("P.m", "method"), ("P.n", "field")],
        ),
        ("import Short = Long.Name", [("Short", "variable")]),
        (
            "const f = ((a: string) => a) satisfies F; const o = { m: (() => 1) as G }",
            [("f", "function"), ("o", "constant"), ("o.m", "method")],
        ),
        ("export default interface D {}", [("D", "interface")]),
    ],
)
def test_each_way_to_define_something_is_found(text: str, expected: list[tuple[str, str]]) -> None:
    assert [(one.qualified, one.kind) for one in read(text).symbols] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "function f(a: string): void\nfunction f(a: number): void\nfunction f(a: any) {}",
            ["overload", "overload", ""],
        ),
        ("declare function f(a: string): void\ndeclare function f(a: number): void", ["declare overload", "declare"]),
        ("export function f(): void\nexport async function f() {}", ["overload", "async"]),
        ("class K { m(): void; m(a?: any) {} static m() {} }", ["", "overload", "", "static"]),
        ("interface I { m(): void; m(a: string): void }", ["", "overload", ""]),
        ("class K { get x() { return 1 } set x(v) {} }", ["", "get", "set"]),
    ],
)
def test_signatures_beside_an_implementation_are_marked(text: str, expected: list[str]) -> None:
    assert [one.modifiers for one in read(text).symbols] == expected


def test_words_and_decorators_in_front_are_modifiers() -> None:
    text = "@C({ a: 1 }) export abstract class K {\n"
    text += "  @I() private static readonly x = 1\n  @a() @b\n  protected override m() {}\n}"
    assert [(one.qualified, one.modifiers, one.line) for one in read(text).symbols] == [
        ("K", "@C abstract", 1),
        ("K.x", "@I private static readonly", 2),
        ("K.m", "@a @b protected override", 3),
    ]


def test_private_members_and_hidden_parts_of_a_namespace_are_not_exported() -> None:
    text = "export class K { private a = 1; protected b() {}; #c = 1; d = 1 }\n"
    text += "export namespace N { export const x = 1; const y = 2 }"
    assert {one.qualified for one in read(text).symbols if one.exported} == {"K", "K.d", "N", "N.x"}


def test_a_signature_is_the_head_in_one_line() -> None:
    text = "export class Box<T>\n  extends Base<T>\n  implements Held {\n  put(\n    item: T,\n  ): void {}\n}\n"
    assert [one.signature for one in read(text).symbols] == [
        "class Box<T> extends Base<T> implements Held",
        "put( item: T, ): void",
    ]


def test_signatures_that_no_semicolon_ends_are_members_of_one_interface() -> None:
    facts = read(
        "export interface Get<E> {\n  // first\n  <K extends keyof E>(key: K): E[K]\n  <K>(key: K): X<K> // more\n\n"
        "  /* and */\n  <\n    K\n  >(key: () => K): { a: K }\n  named: string\n  <K>(key: K): K\n}\n"
        "export type After = string\ntype Both = {\n  (a: string): X\n  <T>(a: T): Y\n}\n"
        "interface Way<in T, out U, in out V> { way: T }\nexport type * from './types'\n"
    )
    assert facts.error_line == 0
    assert [(one.qualified, one.kind) for one in facts.symbols if one.kind != "property"] == [
        ("Get", "interface"),
        ("After", "type"),
        ("Both", "type"),
        ("Way", "interface"),
    ]
    assert facts.symbols[0].signature == "interface Get<E>"
    assert [(one.kind, one.module, one.name) for one in facts.imports] == [("type", "./types", "*")]


def test_a_comparison_over_two_lines_stays_one() -> None:
    assert read("const a = b\n  <c && d\nlet e = =\n").symbols[0].signature == "const a = b <c && d"
