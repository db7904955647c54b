"""Where imports of TypeScript files lead: by the compiler's rules and the settings above the file."""

from __future__ import annotations

import pytest

from aries_kernel.contracts.language import FileFacts, Import, Missing, Resolver
from aries_kernel.testing.language_suite import TreeProject
from aries_language_typescript.pack import TypeScript

CODE = (".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts")


def resolver(tree: dict[str, str]) -> Resolver:
    return TypeScript().resolver(TreeProject(tree, {path: FileFacts("") for path in tree if path.endswith(CODE)}))


def lead(made: Resolver, path: str, module: str, kind: str = "import") -> str:
    found = made.resolve(path, Import(1, kind, module, "x"))
    return found.reason if isinstance(found, Missing) else " ".join(found.files)


@pytest.mark.parametrize(
    ("module", "expected"),
    [
        ("./a", "src/a.ts"),
        ("./a.js", "src/a.ts"),
        ("./both", "src/both.ts"),
        ("./both.js", "src/both.ts"),
        ("./view", "src/view.tsx"),
        ("./view.jsx", "src/view.tsx"),
        ("./mod.mjs", "src/mod.mts"),
        ("./old.cjs", "src/old.cts"),
        ("./decl", "src/decl.d.ts"),
        ("./decl.js", "src/decl.d.ts"),
        ("./plain", "src/plain.js"),
        ("./folder", "src/folder/index.tsx"),
        ("./a.ts", "src/a.ts"),
        ("./decl.ts", "src/decl.d.ts"),
        ("./style.css", "asset"),
        ("./gone", "not found"),
    ],
)
def test_typed_files_come_first(module: str, expected: str) -> None:
    names = (
        "a.ts",
        "both.ts",
        "both.js",
        "view.tsx",
        "mod.mts",
        "old.cts",
        "decl.d.ts",
        "decl.js",
        "plain.js",
        "folder/index.tsx",
    )
    assert lead(resolver({f"src/{name}": "" for name in (*names, "app.ts")}), "src/app.ts", module) == expected


def test_a_file_that_paths_name_is_meant_as_it_is_written() -> None:
    made = resolver(
        {
            "tsconfig.json": '{"compilerOptions": {"paths": {"core": ["./lib/core.js"], "@/*": ["./lib/*"]}}}',
            "app.ts": "",
            "lib/core.js": "",
            "lib/core.d.ts": "",
            "lib/gone.ts": "",
        }
    )
    assert lead(made, "app.ts", "core") == "lib/core.js"
    assert lead(made, "app.ts", "@/core.js") == lead(made, "app.ts", "@/core") == "lib/core.d.ts"
    assert lead(made, "app.ts", "@/gone.js") == "lib/gone.ts"


def test_names_of_paths_are_read_with_comments_and_through_what_is_extended() -> None:
    made = resolver(
        {
            "app.ts": "",
            "src/util.ts": "",
            "src/deep/x.ts": "",
            "lib/only.ts": "",
            "tsconfig.json": '{\n  // names\n  "extends": "./config/base", /* all */\n}',
            "config/base.json": '{"compilerOptions": {"paths": {"@/*": ["../src/*"], "@/deep/*": ["../src/deep/*",],'
            ' "one": ["../gone.ts", "../lib/only"], "a*z": ["../lib/*"]}}}',
        }
    )
    modules = ("@/util", "@/deep/x", "one", "aonlyz", "@/gone", "other")
    assert [lead(made, "app.ts", name) for name in modules] == [
        "src/util.ts",
        "src/deep/x.ts",
        "lib/only.ts",
        "lib/only.ts",
        "external",
        "external",
    ]


def test_the_last_of_several_extended_files_wins_and_the_file_itself_over_all() -> None:
    tree = {
        "a/x.ts": "",
        "b/x.ts": "",
        "c/x.ts": "",
        "app.ts": "",
        "one.json": '{"compilerOptions": {"paths": {"~/*": ["./a/*"]}}}',
        "two.json": '{"compilerOptions": {"paths": {"~/*": ["./b/*"]}}}',
        "tsconfig.json": '{"extends": ["./one.json", "./two.json"]}',
    }
    assert lead(resolver(tree), "app.ts", "~/x") == "b/x.ts"
    tree["tsconfig.json"] = '{"extends": ["./one.json"], "compilerOptions": {"paths": {"~/*": ["./c/*"]}}}'
    assert lead(resolver(tree), "app.ts", "~/x") == "c/x.ts"


def test_settings_may_come_from_a_package() -> None:
    tree = {
        "src/x.ts": "",
        "app.ts": "",
        "tsconfig.json": '{"extends": "@org/config/base.json"}',
        "node_modules/@org/config/base.json": '{"compilerOptions": {"paths": {"~/*": ["${configDir}/src/*"]}}}',
    }
    assert lead(resolver(tree), "app.ts", "~/x") == "src/x.ts"
    tree["tsconfig.json"] = '{"extends": "own-config"}'
    tree["package.json"] = '{"workspaces": ["tools/*"]}'
    tree["tools/config/package.json"] = '{"name": "own-config"}'
    tree["tools/config/tsconfig.json"] = '{"compilerOptions": {"baseUrl": "${configDir}/src"}}'
    assert lead(resolver(tree), "app.ts", "x") == "src/x.ts"


def test_files_that_extend_each_other_end() -> None:
    tree = {"app.ts": "", "tsconfig.json": '{"extends": "./b.json"}', "b.json": '{"extends": "./tsconfig.json"}'}
    assert lead(resolver(tree), "app.ts", "x") == "external"


def test_base_url_starts_names_and_the_paths_that_have_no_dot() -> None:
    tree = {
        "src/util.ts": "",
        "src/lib/x.ts": "",
        "src/app.ts": "",
        "tsconfig.json": '{"compilerOptions": {"baseUrl": "src", "paths": {"#l/*": ["lib/*"]}}}',
    }
    made = resolver(tree)
    assert [lead(made, "src/app.ts", name) for name in ("util", "lib/x", "#l/x", "react")] == [
        "src/util.ts",
        "src/lib/x.ts",
        "src/lib/x.ts",
        "external",
    ]


def test_the_nearest_settings_that_name_a_file_count() -> None:
    paths = '{"compilerOptions": {"paths": {"~/*": ["./%s/*"]}}%s}'
    tree = {
        "a/x.ts": "",
        "pkg/b/x.ts": "",
        "pkg/in.ts": "",
        "pkg/test/out.ts": "",
        "tsconfig.json": paths % ("a", ""),
        "pkg/tsconfig.json": paths % ("b", ', "include": ["*.ts"]'),
    }
    made = resolver(tree)
    assert (lead(made, "pkg/in.ts", "~/x"), lead(made, "pkg/test/out.ts", "~/x")) == ("pkg/b/x.ts", "a/x.ts")


def test_a_referenced_project_has_its_own_names() -> None:
    tree = {
        "src/x.ts": "",
        "src/app.ts": "",
        "vite.config.ts": "",
        "tsconfig.json": '{"files": [], "references": ['
        '{"path": "./tsconfig.app.json"}, {"path": "./tsconfig.node.json"}]}',
        "tsconfig.app.json": '{"compilerOptions": {"paths": {"@/*": ["./src/*"]}}, "include": ["src/**/*.ts"]}',
        "tsconfig.node.json": '{"include": ["vite.config.ts"]}',
    }
    made = resolver(tree)
    assert (lead(made, "src/app.ts", "@/x"), lead(made, "vite.config.ts", "@/x")) == ("src/x.ts", "external")


def test_several_roots_are_one_folder() -> None:
    tree = {
        "src/a/app.ts": "",
        "generated/a/made.ts": "",
        "tsconfig.json": '{"compilerOptions": {"rootDirs": ["src", "generated"]}}',
    }
    assert lead(resolver(tree), "src/a/app.ts", "./made") == "generated/a/made.ts"


def test_a_package_of_the_project_leads_to_its_source_before_it_is_built() -> None:
    tree = {
        "package.json": '{"workspaces": {"packages": ["packages/*"]}}',
        "packages/a/package.json": '{"name": "@w/a", "exports": {".": {"import": "./dist/index.mjs",'
        ' "types": "./src/index.ts"}, "./sub": "./src/sub.ts", "./feature/*": "./src/feature/*.ts"}}',
        "packages/a/src/index.ts": "",
        "packages/a/src/sub.ts": "",
        "packages/a/src/feature/x.ts": "",
        "packages/b/package.json": '{"name": "b", "main": "lib/cjs/b.js", "types": "lib/types/b.d.ts"}',
        "packages/b/src/b.ts": "",
    }
    made = resolver(tree)
    modules = ("@w/a", "@w/a/sub", "@w/a/feature/x", "b")
    assert [lead(made, "packages/b/src/b.ts", name) for name in modules] == [
        "packages/a/src/index.ts",
        "packages/a/src/sub.ts",
        "packages/a/src/feature/x.ts",
        "packages/b/src/b.ts",
    ]


def test_a_reference_by_path_starts_at_the_file() -> None:
    tree = {"types/g.d.ts": "", "types/h.d.ts": "", "app.ts": ""}
    made = resolver(tree)
    assert lead(made, "types/h.d.ts", "g.d.ts", "include") == "types/g.d.ts"
    assert lead(made, "app.ts", "node", "type") == "external"


def test_the_code_beside_a_declaration_is_its_definition() -> None:
    made = resolver({"a.d.ts": "", "a.js": "", "b.d.mts": "", "b.mjs": "", "c.ts": ""})
    assert [list(made.definitions(path)) for path in ("a.d.ts", "b.d.mts", "c.ts")] == [["a.js"], ["b.mjs"], []]


def test_the_source_of_what_the_conditions_choose_comes_before_what_they_do_not() -> None:
    tree = {
        "package.json": '{"workspaces": ["p/*"]}',
        "p/a/package.json": '{"name": "a", "exports": {".": {"types": "./dist/a.d.ts", "import": "./dist/a.mjs",'
        ' "require": "./index.js"}, "./old": {"require": "./old.js"}}}',
        "p/a/index.js": "",
        "p/a/old.js": "",
        "p/a/src/index.ts": "",
        "p/b/app.ts": "",
    }
    made = resolver(tree)
    assert lead(made, "p/b/app.ts", "a") == "p/a/src/index.ts"
    assert lead(made, "p/b/app.ts", "a/old") == "p/a/old.js"
