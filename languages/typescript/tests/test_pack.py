"""The pack keeps the contract of language packs."""

from __future__ import annotations

from typing import ClassVar

import pytest

from aries_kernel.contracts.language import LanguagePack
from aries_kernel.testing.language_suite import LanguageSuite
from aries_language_typescript.pack import TypeScript


class TestTypeScript(LanguageSuite):
    edges: ClassVar = frozenset(
        {
            ("src/app.ts", "src/util.ts"),
            ("src/app.ts", "src/view.tsx"),
            ("src/app.ts", "src/global.d.ts"),
            ("src/view.tsx", "src/util.ts"),
            ("src/mod.mts", "src/old.cts"),
        }
    )

    @pytest.fixture
    def pack(self) -> LanguagePack:
        return TypeScript()

    @pytest.fixture
    def tree(self) -> dict[str, str]:
        return {
            "src/app.ts": '/// <reference path="./global.d.ts" />\nimport type { Options } from "@/util"\n'
            'import { run } from "./util.js"\nexport { View } from "@/view"\nrun({} as Options)\n',
            "src/util.ts": "/** What it takes. */\n"
            "export interface Options { deep?: boolean; merge(other: Options): void }\n"
            "export function run(options: Options): void\nexport function run(options?: Options) {}\n"
            "export enum Level { Low = 1, High }\nexport namespace Inner { export const depth = 1 }\n",
            "src/view.tsx": 'import { Level } from "./util"\n'
            "export abstract class View<T> { constructor(private level: Level) {}\n"
            " abstract draw(): T; render() { return <View.Part level={this.level}/> } }\n",
            "src/mod.mts": 'import old = require("./old.cjs")\nexport default old\n',
            "src/old.cts": "const x = 1\nexport = x\n",
            "src/global.d.ts": "declare const VERSION: string\ndeclare module 'x' { export function f(): void }\n",
            "tsconfig.json": '{ "compilerOptions": { "baseUrl": ".", "paths": { "@/*": ["src/*"] } } }',
        }


def test_declaration_files_belong_to_the_pack() -> None:
    assert TypeScript().read(b"declare function f(): void", "a.d.ts").symbols[0].modifiers == "declare"


def test_what_looks_like_jsx_is_a_cast_in_a_plain_file() -> None:
    source = b"const a = <T>(x: T) => x; const b = <Foo>c"
    assert TypeScript().read(source, "a.ts").error_line == 0
    assert TypeScript().read(b"const b = <Foo>c</Foo>", "a.tsx").error_line == 0


@pytest.mark.parametrize(("path", "expected"), [("a.test-d.ts", False), ("a.spec.ts", True), ("a.test.d.ts", True)])
def test_tests_are_known_by_their_names(path: str, expected: bool) -> None:
    assert TypeScript().is_test(path) is expected
