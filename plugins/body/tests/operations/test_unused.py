"""Exports that nobody uses, in languages whose projects offer what they have in different ways."""

from __future__ import annotations

from pathlib import Path

import pytest
from body_trees import write

from aries_body.operations.codebase import Codebase


def unused(root: Path, files: dict[str, str]) -> list[str]:
    write(root, dict(files))
    codebase = Codebase.open(root, cache_folder=None)
    try:
        return [one.symbol.name for one in codebase.unused_exports()]
    finally:
        codebase.close()


def test_what_a_crate_offers_is_not_unused_though_its_modules_lead_to_its_root(root: Path) -> None:
    files = {
        "Cargo.toml": '[package]\nname = "crated"\n',
        "src/lib.rs": "mod a;\npub mod b;\npub use a::Offered;\npub struct Root;\n",
        "src/a.rs": "use crate::Root;\npub struct Offered(Root);\npub struct Forgotten;\n",
        "src/b.rs": "pub fn open() {}\n",
    }
    assert unused(root, files) == ["Forgotten"]


def test_methods_that_stand_outside_of_their_type_are_no_exports(root: Path) -> None:
    files = {
        "go.mod": "module m\n",
        "a/a.go": "package a\n\ntype T struct{}\n\nfunc (t *T) Run() {}\nfunc Idle() {}\nfunc New() *T {}\n",
        "main.go": 'package main\n\nimport "m/a"\n\nfunc main() { a.New().Run() }\n',
    }
    assert "T.Run" not in unused(root, files)
    assert "Idle" in unused(root, files)


@pytest.mark.parametrize("use", ["parts[name]()", "Object.values(parts)"])
def test_exports_of_a_module_that_is_used_as_a_whole_may_all_be_used(root: Path, use: str) -> None:
    files = {
        "src/parts.ts": "export function one() {}\n",
        "src/others.ts": "export function two() {}\nexport function three() {}\n",
        "src/main.ts": f"import * as parts from './parts'\nimport {{ two }} from './others'\ntwo()\n{use}\n",
    }
    assert unused(root, files) == ["three"]


def test_names_that_an_entry_hands_on_are_offered_and_those_of_files_run_by_name_come_last(root: Path) -> None:
    files = {
        "src/index.ts": "export { a } from './impl'\nexport * from './more'\nexport type * from './types'\n",
        "src/impl.ts": "export function a() {}\nexport function b() {}\n",
        "src/more.ts": "export const c = 1\n",
        "src/types.ts": "export interface D {}\n",
        "build.config.ts": "export default { x: 1 }\n",
    }
    assert unused(root, files) == ["b", "default"]


def test_a_module_that_is_required_as_a_value_may_be_used_and_namespaces_are_no_exports(root: Path) -> None:
    files = {
        "lib/mixin.js": "module.exports = cls => class extends cls {}\n",
        "lib/plain.js": "exports.used = () => 1\nexports.idle = () => 2\n",
        "lib/index.js": "const { used } = require('./plain.js')\nmodule.exports = [require('./mixin.js')].map(used)\n",
        "src/a.hh": "namespace shared { struct A {}; }\n",
        "src/b.hh": '#include "a.hh"\nnamespace shared { struct B {}; }\n',
        "src/b.cc": '#include "b.hh"\nvoid shared::B::run() {}\nvoid spare() {}\n',
        "src/c.cc": '#include "b.hh"\nshared::B b;\n',
    }
    names = unused(root, files)
    assert {"idle", "spare"} <= set(names)
    assert not {"module.exports", "shared", "used", "shared.B.run", "B.run", "run"} & set(names)


@pytest.mark.parametrize(
    "line",
    [
        "import { wanted } from './a'",
        "import { wanted as other } from './a'",
        "import type { wanted } from './a'",
        "import { wanted } from './barrel'",
        "export { wanted } from './a'",
        "const { wanted } = require('./a')",
    ],
)
def test_a_name_that_another_file_imports_is_used_even_where_nothing_comes_of_it(root: Path, line: str) -> None:
    files = {
        "src/a.ts": "export function wanted() {}\nexport function idle() {}\n",
        "src/barrel.ts": "export * from './a'\n",
        "src/b.ts": f"{line}\nexport const b = 1\n",
        "src/main.ts": "import { b } from './b'\nimport './barrel'\nb\n",
    }
    assert unused(root, files) == ["idle"]


def test_a_name_of_python_that_is_imported_is_used_and_one_that_its_own_file_imports_is_not(root: Path) -> None:
    files = {
        "pkg/__init__.py": "from pkg.a import wanted\n",
        "pkg/a.py": "from pkg.a import idle\n\ndef wanted(): ...\ndef idle(): ...\n",
        "main.py": "import pkg.a\n",
    }
    assert unused(root, files) == ["idle"]


def test_what_only_components_use_is_used(root: Path) -> None:
    files = {
        "src/format.ts": "export function format() {}\nexport function idle() {}\n",
        "src/Card.vue": "<script setup>\nimport { format } from './format'\n</script>\n"
        "<template>{{ format() }}</template>\n",
        "src/index.ts": "export { default as Card } from './Card.vue'\n",
    }
    assert unused(root, files) == ["idle"]


def test_a_function_is_used_through_the_header_of_any_name_that_declares_it(root: Path) -> None:
    files = {
        "all.h": "void open_it(void);\nvoid forget_it(void);\n",
        "open.c": '#include "all.h"\nvoid open_it(void) {}\nvoid forget_it(void) {}\n',
        "main.c": '#include "all.h"\nint main(void) { open_it(); return 0; }\n',
    }
    found = unused(root, files)
    assert "forget_it" in found and "open_it" not in found


def test_what_a_file_declares_for_the_code_beside_it_is_told_of_there(root: Path) -> None:
    files = {
        "config/ports.d.ts": "export const used: number\nexport const idle: number\nexport const alone: number\n",
        "config/ports.js": "export const used = 1\nexport const idle = 2\n",
        "main.ts": "import { used } from './config/ports.js'\nconsole.log(used)\n",
    }
    write(root, files)
    codebase = Codebase.open(root, cache_folder=None)
    found = [(one.symbol.path, one.symbol.name) for one in codebase.unused_exports()]
    codebase.close()
    assert sorted(found) == [("config/ports.d.ts", "alone"), ("config/ports.js", "idle")]


def test_what_not_even_its_own_file_uses_comes_first(root: Path) -> None:
    files = {
        "a.py": "def inner():\n    pass\n\n\ndef dead():\n    inner()\n\n\ndef shown():\n    inner()\n",
        "b.py": "import a\n\na.shown()\n",
    }
    assert unused(root, files) == ["dead", "inner"]


def test_a_module_that_an_entry_imports_and_does_nothing_with_is_offered(root: Path) -> None:
    files = {
        "index.ts": "import * as ns from './ns'\nimport * as own from './own'\nown.used()\nexport { ns }\n",
        "ns.ts": "export function one() {}\n",
        "own.ts": "export function used() {}\nexport function idle() {}\n",
    }
    assert unused(root, files) == ["idle"]


def test_what_is_used_of_one_of_two_modules_under_conditions_is_used_of_both(root: Path) -> None:
    said = '#[cfg(unix)]\n#[path = "one.rs"]\nmod imp;\n#[cfg(windows)]\n#[path = "two.rs"]\nmod imp;\n'
    files = {
        "Cargo.toml": '[package]\nname = "crated"\n',
        "src/lib.rs": f"{said}pub fn run() {{ imp::start(); }}\n",
        "src/one.rs": "pub fn start() {}\npub fn idle() {}\n",
        "src/two.rs": "pub fn start() {}\npub fn rest() {}\n",
    }
    assert sorted(unused(root, files)) == ["idle", "rest"]


def test_what_only_its_own_source_file_can_see_is_meant_for_nobody(root: Path) -> None:
    files = {
        "a.h": "int run(void);\nint rest(void);\n",
        "a.c": '#include "a.h"\nstruct own { int x; };\nstatic struct { int mode; } state;\n'
        "int run(void) { return 1; }\nint rest(void) { return state.mode; }\n",
        "b.c": '#include "a.h"\nint main(void) { return run(); }\n',
    }
    assert unused(root, files) == ["rest", "main"]


@pytest.mark.parametrize(
    "said",
    [
        '{"name": "x", "main": "./lib/api.js"}',
        '{"name": "x", "module": "lib/api.js"}',
        '{"name": "x", "bin": {"x": "lib/api.js"}}',
        '{"name": "x", "exports": {".": {"import": "./lib/api.js"}}}',
        '{"name": "x", "exports": {"./*": "./lib/*.js"}}',
    ],
)
def test_what_a_package_hands_out_is_not_unused(root: Path, said: str) -> None:
    files = {
        "package.json": said,
        "lib/api.js": 'export { inner } from "../src/inner.js"\nexport function open() {}\n',
        "src/inner.js": 'import { open } from "../lib/api.js"\nexport function inner() {}\nexport function idle() {}\n',
    }
    assert unused(root, files) == ["idle"]


def test_a_package_that_names_no_file_hands_out_its_index(root: Path) -> None:
    files = {
        "package.json": '{"name": "x"}',
        "index.js": "exports.open = function () {}\n",
        "use.js": 'require("./index")\nexports.idle = function () {}\n',
    }
    assert unused(root, files) == ["idle"]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("pyproject.toml", '[project]\nname = "x"\n[project.scripts]\nx = "app.run:main"\n'),
        ("pyproject.toml", '[project]\nname = "x"\n[project.entry-points."x.plugins"]\nx = "app.run:main"\n'),
        ("pyproject.toml", '[tool.poetry.scripts]\nx = "app.run:main"\n'),
        ("setup.cfg", "[options.entry_points]\nconsole_scripts =\n    x = app.run:main\n"),
        ("setup.py", 'setup(entry_points={"console_scripts": ["x = app.run:main"]})\n'),
    ],
)
def test_entry_points_of_python_are_not_unused(root: Path, name: str, said: str) -> None:
    files = {
        name: said,
        "app/__init__.py": "__all__ = ['make']\ndef make(): pass\n",
        "app/run.py": "def main(): pass\ndef idle(): pass\n",
        "app/use.py": "import app.run\nimport app\n",
    }
    assert unused(root, files) == ["idle"]


def test_names_of_a_library_of_go_are_offered_and_those_of_a_program_or_internal_ones_are_not(root: Path) -> None:
    files = {
        "lib/go.mod": "module l\n",
        "lib/a.go": 'package l\n\nimport _ "l/internal/b"\n\nfunc Offered() {}\n',
        "lib/internal/b/b.go": "package b\n\nfunc Hidden() {}\n",
        "lib/examples/one/main.go": "package main\n\nfunc main() {}\n",
        "app/go.mod": "module p\n",
        "app/c/c.go": "package c\n\nfunc Idle() {}\n",
        "app/main.go": 'package main\n\nimport _ "p/c"\n\nfunc main() {}\n',
    }
    assert sorted(one for one in unused(root, files) if one[0].isupper()) == ["Hidden", "Idle"]


def test_a_library_of_rust_offers_what_is_public_in_its_root(root: Path) -> None:
    files = {
        "Cargo.toml": '[package]\nname = "crated"\n',
        "src/lib.rs": "mod a;\npub fn open() {}\n",
        "src/a.rs": "pub fn idle() { crate::other() }\n",
        "src/main.rs": "fn main() { crated::run() }\n",
    }
    assert unused(root, files) == ["idle"]
