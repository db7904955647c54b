"""What is right and the grammar does not take."""

from __future__ import annotations

import pytest

from aries_language_javascript.mending import mended_types
from aries_language_typescript.pack import TypeScript


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('type A = import("./x").T<B>', "T"),
        ('let a: import("./x").N.T<B>[]', "N"),
        ("let a: Array<import('./x').T<B>>", "T"),
        ('type A = import("./x")["y"]', ""),
        ('interface A extends import("./x").T<B> {}', "T"),
        ('const m = await load<typeof import("./x")>()', ""),
        ('f<import("./x").T>()', "T"),
        ('let x = a as import("./x").T<B>', "T"),
        ('type A = typeof import("./x", { with: { "resolution-mode": "import" } }).y; f<A>()', ""),
    ],
)
def test_a_module_is_a_type_wherever_types_stand(text: str, name: str) -> None:
    facts = TypeScript().read(f"interface B {{}}\n{text}\nexport class Last {{}}\n".encode(), "a.ts")
    assert facts.error_line == 0
    assert [(one.line, one.kind, one.module, one.name) for one in facts.imports] == [(2, "type", "./x", name)]
    assert facts.symbols[-1].qualified == "Last" and facts.symbols[-1].line == 3


def test_a_member_whose_name_begins_as_an_operator_does_follows_one_without_a_semicolon() -> None:
    members = ("one?: B | null", "/** Said of it. */", "in_reply?: string", "in?: T", "index: number")
    text = "export interface A {\n  " + "\n  ".join(members) + "\n}\n"
    facts = TypeScript().read(text.encode(), "a.ts")
    assert facts.error_line == 0
    assert [(one.name, one.line) for one in facts.symbols[1:]] == [("one", 2), ("in_reply", 4), ("in", 5), ("index", 6)]


def test_arguments_of_such_a_type_are_uses() -> None:
    facts = TypeScript().read(b'import { B } from "./b"\ntype A = import("./x").T<B>\n', "a.ts")
    assert [(one.line, one.root) for one in facts.references] == [(2, "B")]


@pytest.mark.parametrize(
    "text", ['import("./x").then<A>(f)', '(await import("./x")).f<A>(1)', 'import("./x").then((a) => a < b)']
)
def test_a_module_that_is_loaded_stays_one_beside_what_is_mended(text: str) -> None:
    facts = TypeScript().read(f'{text}\nlet b: import("./y").T<A>\n'.encode(), "a.ts")
    assert [(one.kind, one.module) for one in facts.imports] == [("dynamic", "./x"), ("type", "./y")]


@pytest.mark.parametrize(
    "text",
    ['import("x").a', "typeof ", "<", 'import("', 'import("x", { a: { ', "import('x').a.b ", "a\n//", "a\n/* */"],
)
def test_each_byte_stays_in_its_place_however_much_of_it_there_is(text: str) -> None:
    source = text.encode() * 100_000
    assert len(mended_types(source)) == len(source)
