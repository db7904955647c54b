"""The pack keeps the contract of language packs."""

from __future__ import annotations

import subprocess
import sys
from typing import ClassVar

import pytest

from aries_kernel.contracts.language import LanguagePack
from aries_kernel.testing.language_suite import LanguageSuite
from aries_language_javascript.pack import JavaScript


class TestJavaScript(LanguageSuite):
    edges: ClassVar = frozenset(
        {
            ("app.js", "lib/util.js"),
            ("app.js", "lib/view.jsx"),
            ("lib/view.jsx", "lib/util.js"),
            ("old.cjs", "lib/legacy/index.cjs"),
            ("lib/index.mjs", "lib/util.js"),
        }
    )

    @pytest.fixture
    def pack(self) -> LanguagePack:
        return JavaScript()

    @pytest.fixture
    def tree(self) -> dict[str, str]:
        return {
            "app.js": 'import { run as go } from "./lib/util"\nconst view = () => import("@/view")\n'
            'import "./style.css"\nimport fs from "node:fs"\ngo(fs)\n',
            "lib/util.js": "/** Runs. */\nexport async function run(x) { return helper(x) }\nfunction helper() {}\n"
            "export class Box { #size = 1; get size() { return this.#size } static of() { return new Box() } }\n",
            "lib/view.jsx": 'import { Box } from "./util.js"\nexport default () => <Box.Part a={Box}/>\n',
            "lib/index.mjs": 'export * from "./util.js"\nexport { default as view } from "./missing.js"\n',
            "old.cjs": 'const { a, b: c } = require("./lib/legacy")\nexports.run = function () { return a(c) }\n'
            "require(process.argv[2])\n",
            "lib/legacy/index.cjs": "var app = module.exports = {}\napp.a = function () {}\n"
            "Foo.prototype.bar = function () { this.baz() }\nfunction Foo() {}\n",
            "jsconfig.json": '{ // names\n  "compilerOptions": { "paths": { "@/*": ["./lib/*"], } } }',
        }


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("src/a.test.js", True),
        ("src/a.spec.mjs", True),
        ("src/__tests__/a.jsx", True),
        ("test/a.js", True),
        ("e2e/login.js", True),
        ("src/latest.js", False),
        ("src/contest/a.js", False),
    ],
)
def test_tests_are_known_by_the_customs_of_their_tools(path: str, expected: bool) -> None:
    assert JavaScript().is_test(path) is expected


def test_a_missing_grammar_is_named_with_what_to_install() -> None:
    code = (
        "import sys; sys.modules['tree_sitter_javascript'] = None\n"
        "from aries_kernel.errors import UserError\n"
        "from aries_language_javascript.pack import JavaScript\n"
        "try:\n    JavaScript().read(b'', 'a.js')\n"
        "except UserError as error:\n    print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, encoding="utf-8", timeout=60, check=True
    )
    assert "pip install tree-sitter-javascript" in done.stdout


def test_the_facts_do_not_depend_on_the_hash_seed() -> None:
    code = (
        "from aries_language_javascript.pack import JavaScript\n"
        'text = b\'import {a, b, c} from "./x"; export {a, b}; class K { m() { return a(b, c, this.m) } };'
        " module.exports = {K, n() {}}; var {p, q, r} = K; q(r(p))'\n"
        "print(JavaScript().read(text, 'a.js'))\n"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=60,
            check=True,
            env={"PYTHONHASHSEED": seed, "SYSTEMROOT": ""},
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert len(found) == 1
