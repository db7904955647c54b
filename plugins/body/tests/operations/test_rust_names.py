"""What names mean in Rust, in the graph of a project."""

from __future__ import annotations

from pathlib import Path

from body_trees import write

from aries_body.operations.codebase import Codebase


def test_a_function_that_is_handed_on_beside_the_module_of_its_name_is_what_is_called(root: Path) -> None:
    files: dict[str, str | bytes] = {
        "Cargo.toml": '[package]\nname = "crated"\n',
        "src/lib.rs": "mod b;\nmod scope;\npub use self::scope::{scope, Scope};\nfn f() { scope(1); scope::other() }\n",
        "src/scope/mod.rs": "pub struct Scope;\npub fn scope(n: i32) {}\npub fn other() {}\n",
        "src/b.rs": "use crate::scope;\nfn t() { scope(2); scope::other() }\n",
        "tests/a.rs": "use crated::scope;\nfn t() { scope(2); crated::scope(3); }\n",
    }
    write(root, files)
    codebase = Codebase.open(root, cache_folder=None)
    try:
        found = [(one.path, one.line) for one in codebase.callers("src/scope/mod.rs::scope") if one.kind == "call"]
        assert found == [("src/b.rs", 2), ("src/lib.rs", 4), ("tests/a.rs", 2), ("tests/a.rs", 2)]
        assert [(one.path, one.line) for one in codebase.callers("other")] == [("src/b.rs", 2), ("src/lib.rs", 4)]
        assert {one.path for one in codebase.show_dependencies("tests/a.rs")} == {"src/scope/mod.rs"}
    finally:
        codebase.close()
