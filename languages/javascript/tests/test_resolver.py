"""Where imports of JavaScript files lead."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aries_kernel.contracts.language import FileFacts, Import, Missing
from aries_kernel.testing.language_suite import TreeProject
from aries_language_javascript.pack import JavaScript
from aries_language_javascript.resolver import EcmaScriptResolver

CODE = (".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts")


def resolver(*paths: str, **settings: object) -> EcmaScriptResolver:
    """For a tree of code files, and of settings: `a__package_json={...}` is `a/package.json`."""
    texts = dict.fromkeys(paths, "")
    for name, value in settings.items():
        folder, _, base = name.rpartition("__")
        path = f"{folder.replace('__', '/')}/{base}" if folder else base
        for ending in ("json", "yaml"):
            path = path.replace(f"_{ending}", f".{ending}")
        texts[path.replace("_workspace", "-workspace")] = value if isinstance(value, str) else json.dumps(value)
    facts = {path: FileFacts("javascript") for path in texts if path.endswith(CODE)}
    return EcmaScriptResolver(TreeProject(texts, facts))


def lead(made: EcmaScriptResolver, path: str, module: str, kind: str = "import", name: str = "x") -> str:
    found = made.resolve(path, Import(1, kind, module, name))
    return found.reason if isinstance(found, Missing) else " ".join(found.files)


@pytest.mark.parametrize(
    ("module", "expected"),
    [
        ("./util", "src/util.js"),
        ("./util.js", "src/util.js"),
        ("../lib", "lib/index.js"),
        ("../lib/", "lib/index.js"),
        ("../lib/index", "lib/index.js"),
        (".", "src/index.js"),
        ("./", "src/index.js"),
        ("..", "index.cjs"),
        ("./typed.js", "src/typed.ts"),
        ("./view.jsx", "src/view.tsx"),
        ("./mod.mjs", "src/mod.mts"),
        ("./old.cjs", "src/old.cts"),
        ("./a.service", "src/a.service.js"),
        ("./both", "src/both.js"),
        ("./both/", "src/both/index.js"),
        ("./gone", "not found"),
        ("./gone.js", "not found"),
        ("../../../out", "not found"),
        ("./style.css", "asset"),
        ("./data.json", "asset"),
        ("./App.vue", "asset"),
        ("./util.js?raw", "asset"),
        ("./util.js?worker", "src/util.js"),
        ("fs", "external"),
        ("node:fs/promises", "external"),
        ("https://example.org/x.js", "external"),
        ("@scope/pkg/sub", "external"),
        ("/src/util.js", "src/util.js"),
        ("/gone.js", "not found"),
        ("#gone", "not found"),
    ],
)
def test_paths_are_found_with_and_without_their_endings(module: str, expected: str) -> None:
    made = resolver(
        "index.cjs",
        "lib/index.js",
        *[
            f"src/{name}"
            for name in (
                "app.js", "index.js", "util.js", "typed.ts", "view.tsx", "mod.mts", "old.cts", "a.service.js",
                "both.js",
                "both/index.js",
            )
        ],
        package_json={"name": "root"},
    )  # fmt: skip
    assert lead(made, "src/app.js", module) == expected


def test_a_whole_module_is_told_from_a_name_in_it() -> None:
    made = resolver("a.js", "b.js")
    whole, part = (
        made.resolve("a.js", Import(1, "require", "./b", "")),
        made.resolve("a.js", Import(1, "import", "./b", "x")),
    )
    assert not isinstance(whole, Missing) and not isinstance(part, Missing)
    assert (whole.is_whole, part.is_whole) == (True, False)


def test_a_computed_import_is_dynamic() -> None:
    assert resolver("a.js").resolve("a.js", Import(1, "dynamic", "", text="import(x)")) == Missing("dynamic")


def test_a_folder_with_a_manifest_is_what_the_manifest_says() -> None:
    made = resolver(
        "a.js",
        "lib/start.js",
        "lib/index.js",
        "x/index.js",
        lib__package_json={"main": "start"},
        x__package_json={"main": "./gone.js"},
    )
    assert lead(made, "a.js", "./lib") == "lib/start.js"
    assert lead(made, "a.js", "./x") == "x/index.js"
    assert lead(resolver("t/a.js", "lib/api.js", package_json={"main": "./lib/api.js"}), "t/a.js", "..") == "lib/api.js"


def test_a_script_names_code_and_not_its_declaration() -> None:
    made = resolver("a.js", "b.js", "b.d.ts")
    assert lead(made, "a.js", "./b") == "b.js"
    assert made.definitions("b.d.ts") == ["b.js"]
    assert (made.definitions("b.js"), made.ambient("a.js"), made.member("a.js", "b")) == ((), (), None)


PACKAGES = {
    "package_json": {"workspaces": ["packages/*", "!packages/out"]},
    "packages__a__package_json": {
        "name": "@w/a",
        "exports": {
            ".": {"import": "./dist/index.mjs", "types": "./src/index.ts"},
            "./sub": "./src/sub.ts",
            "./feature/*": "./src/feature/*.ts",
            "./feature/internal/*": None,
            "./list": ["./gone.js", "./src/sub.ts"],
            "./style.css": "./style.css",
            "./built": "./dist/node/built.js",
        },
    },
    "packages__b__package_json": {
        "name": "b",
        "main": "dist/b.cjs.js",
        "imports": {"#in/*": "./src/*.js", "#a": "@w/a/sub"},
    },
    "packages__out__package_json": {"name": "out"},
    "elsewhere__package_json": {"name": "elsewhere"},
}
FILES = (
    "packages/a/src/index.ts", "packages/a/src/sub.ts", "packages/a/src/feature/x.ts",
    "packages/a/src/feature/internal/y.ts",
    "packages/a/src/node/built.ts", "packages/b/src/b.js", "packages/b/src/deep/c.js", "packages/out/index.js",
    "elsewhere/index.js",
)  # fmt: skip


@pytest.mark.parametrize(
    ("module", "expected"),
    [
        ("@w/a", "packages/a/src/index.ts"),
        ("@w/a/sub", "packages/a/src/sub.ts"),
        ("@w/a/feature/x", "packages/a/src/feature/x.ts"),
        ("@w/a/feature/internal/y", "not found"),
        ("@w/a/list", "packages/a/src/sub.ts"),
        ("@w/a/style.css", "asset"),
        ("@w/a/built", "packages/a/src/node/built.ts"),
        ("@w/a/secret", "not found"),
        ("b", "packages/b/src/b.js"),
        ("b/src/deep/c", "packages/b/src/deep/c.js"),
        ("#in/deep/c", "packages/b/src/deep/c.js"),
        ("#a", "packages/a/src/sub.ts"),
        ("#other", "not found"),
        ("out", "external"),
        ("elsewhere", "external"),
    ],
)
def test_packages_of_the_project_are_known_by_their_names(module: str, expected: str) -> None:
    assert lead(resolver(*FILES, **PACKAGES), "packages/b/src/b.js", module) == expected


def test_a_hidden_part_of_a_package_is_not_exported() -> None:
    made = resolver("p/src/open.js", "p/src/hidden/x.js", "a.js",
                    package_json={"workspaces": ["p"]},
                    p__package_json={"name": "p", "exports": {"./*": "./src/*.js", "./hidden/*": None}})  # fmt: skip
    assert (lead(made, "a.js", "p/open"), lead(made, "a.js", "p/hidden/x")) == ("p/src/open.js", "not found")


def test_workspaces_of_pnpm_and_lerna_are_read() -> None:
    pnpm = resolver("packages/a/index.js", "x.js", pnpm_workspace_yaml="packages:\n  - 'packages/*'  # all\n",
                    packages__a__package_json={"name": "a"})  # fmt: skip
    lerna = resolver(
        "modules/a/index.js", "x.js", lerna_json={"packages": ["modules/**"]}, modules__a__package_json={"name": "a"}
    )
    assert (lead(pnpm, "x.js", "a"), lead(lerna, "x.js", "a")) == ("packages/a/index.js", "modules/a/index.js")


@pytest.mark.parametrize(
    "text",
    [
        "packages:\n  - packages/*\n",
        '# all\npackages:\n\n- "packages/*" # ours\n# and\n- docs\ncatalog:\n  x: 1\n',
        "packages: ['packages/*']\n",
        "all: &all packages/*\npackages:\n  - *all\n",
        "packages:\n  - >-\n    packages/*\n",
        "x:\n  packages:\n    - docs\npackages:\n  - packages/*\n",
        "'packages':\n  - packages/*\n",
    ],
)
def test_a_list_of_pnpm_means_the_same_however_it_is_written(text: str) -> None:
    made = resolver("packages/a/index.js", "other/b/index.js", "x.js", pnpm_workspace_yaml=text,
                    packages__a__package_json={"name": "a"}, other__b__package_json={"name": "b"})  # fmt: skip
    assert (lead(made, "x.js", "a"), lead(made, "x.js", "b")) == ("packages/a/index.js", "external")


@pytest.mark.parametrize("text", ["", "catalog:\n  x: 1\n", "packages:\n", "packages: 3\n", "packages:\n  - {\n"])
def test_a_list_of_pnpm_without_packages_names_none(text: str) -> None:
    made = resolver("packages/a/index.js", "x.js", pnpm_workspace_yaml=text, packages__a__package_json={"name": "a"})
    assert lead(made, "x.js", "a") == "external"


def test_a_dependency_that_is_a_path_leads_there() -> None:
    made = resolver("app/a.js", "dep/index.js", "dep2/main.js",
                    app__package_json={"dependencies": {"one": "file:../dep", "two": "link:../dep2", "three": "^1"}},
                    dep__package_json={"name": "one"},
                    dep2__package_json={"name": "other", "main": "main.js"})  # fmt: skip
    assert [lead(made, "app/a.js", name) for name in ("one", "two", "three")] == [
        "dep/index.js",
        "dep2/main.js",
        "external",
    ]


def test_a_module_of_node_stands_before_a_package_of_its_name() -> None:
    made = resolver("a.js", "util/index.js", package_json={"workspaces": ["util"]}, util__package_json={"name": "util"})
    assert (lead(made, "a.js", "util"), lead(made, "a.js", "util/index.js")) == ("external", "util/index.js")


def test_a_package_may_name_itself() -> None:
    made = resolver("lib/api.js", "test/t.js", package_json={"name": "me", "exports": {".": "./lib/api.js"}})
    assert lead(made, "test/t.js", "me") == "lib/api.js"
    plain = resolver("lib/api.js", "test/t.js", package_json={"name": "me", "main": "./lib/api.js"})
    assert lead(plain, "test/t.js", "me") == "external"


def test_require_and_import_choose_their_own_condition() -> None:
    made = resolver("a.js", "p/m.mjs", "p/c.cjs", package_json={"workspaces": ["p"]},
                    p__package_json={"name": "p", "exports": {"import": "./m.mjs", "require": "./c.cjs"}})  # fmt: skip
    assert (lead(made, "a.js", "p"), lead(made, "a.js", "p", "require")) == ("p/m.mjs", "p/c.cjs")


def test_nothing_below_node_modules_is_named() -> None:
    made = resolver("a.js", node_modules__dep__package_json={"name": "dep", "main": "index.js"})
    assert lead(made, "a.js", "dep") == "external"


@settings(max_examples=200, deadline=None)
@given(
    st.text(alphabet="./@#*ab?!-:\\~%jsdm_ü ", max_size=24), st.sampled_from(["import", "require", "include", "type"])
)
def test_whatever_a_file_asks_for_gets_an_answer(module: str, kind: str) -> None:
    made = resolver(
        *FILES, **PACKAGES, jsconfig_json={"compilerOptions": {"paths": {"@/*": ["./src/*"], "a*b": ["x*"]}}}
    )
    assert lead(made, "packages/b/src/b.js", module, kind)


@settings(max_examples=100, deadline=None)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(alphabet="./*ab", max_size=6),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    [
                        "exports",
                        "imports",
                        "name",
                        "main",
                        "workspaces",
                        ".",
                        "./*",
                        "paths",
                        "compilerOptions",
                        "baseUrl",
                        "extends",
                        "include",
                        "references",
                        "path",
                        "files",
                        "rootDirs",
                        "dependencies",
                        "packages",
                        "import",
                    ]
                ),
                inner,
                max_size=4,
            )
        ),
        max_leaves=12,
    )
)
def test_whatever_settings_hold_no_question_fails(value: object) -> None:
    made = resolver("a/b.js", package_json=value, a__package_json=value, tsconfig_json=value, lerna_json=value,
                    pnpm_workspace_yaml=json.dumps(value))  # fmt: skip
    for module in ("a", "#a", "./b", "ab/x", "a*"):
        assert lead(made, "a/b.js", module)


def test_the_pack_gives_this_resolver() -> None:
    assert isinstance(JavaScript().resolver(TreeProject({})), EcmaScriptResolver)
