"""Where paths of Rust files lead."""

from __future__ import annotations

from aries_kernel.testing.language_view import LanguageView
from aries_language_rust.pack import Rust

VIEW = LanguageView(Rust(), "a.rs")
leads, tree = VIEW.leads, VIEW.tree


CARGO = '[package]\nname = "my-app"\nversion = "0.1.0"\n'


def test_modules_are_files_beside_the_crate_root_and_below_other_modules() -> None:
    texts = {
        "Cargo.toml": CARGO,
        "src/lib.rs": "mod a;\nmod b;\nmod gone;\nmod inline { mod deep; }\n",
        "src/a.rs": "mod inner;\nuse self::inner::X;\nuse super::b;\nuse crate::b::c::Y;\nuse crate::Root;\n",
        "src/a/inner.rs": "use super::super::b::Z;\n",
        "src/b/mod.rs": "pub mod c;\n",
        "src/b/c.rs": "",
        "src/inline/deep.rs": "",
        "src/dead.rs": "",
    }
    assert leads(texts, "src/lib.rs") == {
        "a": "src/a.rs",
        "b": "src/b/mod.rs",
        "gone": "not found",
        "inline::deep": "src/inline/deep.rs",
    }
    assert leads(texts, "src/a.rs") == {
        "inner": "src/a/inner.rs",
        "self::inner:X": "src/a/inner.rs",
        "super:b": "src/b/mod.rs",
        "crate::b::c:Y": "src/b/c.rs",
        "crate:Root": "src/lib.rs",
    }
    assert leads(texts, "src/a/inner.rs") == {"super::super::b:Z": "src/b/mod.rs"}
    resolver = Rust().resolver(tree(texts))
    assert resolver.member("src/b/mod.rs", "c") == "src/b/c.rs"
    assert resolver.member("src/b/mod.rs", "nothing") is None


def test_a_path_attribute_names_the_file_and_its_parent_is_who_wrote_it() -> None:
    texts = {
        "Cargo.toml": CARGO,
        "src/main.rs": '#[path = "odd/name.rs"]\nmod imp;\nmod other;\nuse imp::X;\n',
        "src/odd/name.rs": "mod below;\nuse super::other::Y;\n",
        "src/odd/below.rs": "",
        "src/other.rs": "use crate::imp::Z;\n",
    }
    assert leads(texts, "src/main.rs")["imp:X"] == "src/odd/name.rs"
    assert leads(texts, "src/odd/name.rs") == {"below": "src/odd/below.rs", "super::other:Y": "src/other.rs"}
    assert leads(texts, "src/other.rs") == {"crate::imp:Z": "src/odd/name.rs"}


def test_modules_that_a_macro_declares_are_those_of_the_file_that_calls_it() -> None:
    texts = {
        "Cargo.toml": CARGO,
        "src/lib.rs": "#[macro_use]\nmod modules;\nmodules!();\n",
        "src/modules.rs": (
            "macro_rules! modules {\n    () => {\n        // mod gone;\n        pub mod a;\n"
            '        #[cfg_attr(other, path = "odd/b.rs")]\n        mod b;\n        mod $name;\n        mod own;\n'
            "    };\n}\nmodules!();\n"
        ),
        "src/a.rs": "use crate::b::X;\nuse super::b;\n",
        "src/b/mod.rs": "",
        "src/modules/own.rs": "use super::super::a;\n",
    }
    assert leads(texts, "src/modules.rs") == {"a": "src/a.rs", "b": "src/b/mod.rs", "own": "src/modules/own.rs"}
    assert leads(texts, "src/a.rs") == {"crate::b:X": "src/b/mod.rs", "super:b": "src/b/mod.rs"}
    assert leads(texts, "src/modules/own.rs") == {"super::super:a": "src/a.rs"}


def test_a_path_for_another_build_leaves_the_module_where_it_is_without() -> None:
    texts = {
        "Cargo.toml": CARGO,
        "src/lib.rs": '#[cfg_attr(docs, path = "gone/a.rs")]\nmod a;\n#[cfg_attr(docs, path = "x/b.rs")]\nmod b;\n',
        "src/a.rs": "",
        "src/x/b.rs": "",
    }
    assert leads(texts, "src/lib.rs") == {"a": "src/a.rs", "b": "src/x/b.rs"}


def test_crates_of_a_workspace_know_each_other_by_their_dependencies() -> None:
    texts = {
        "Cargo.toml": '[workspace]\nmembers = ["*"]\n[workspace.dependencies]\nbase-lib = { path = "base" }\n',
        "base/Cargo.toml": '[package]\nname = "base-lib"\n[lib]\npath = "code/base.rs"\n',
        "base/code/base.rs": "pub mod deep;\n",
        "base/code/deep.rs": "",
        "far/Cargo.toml": '[package]\nname = "far"\n',
        "far/src/lib.rs": "",
        "app/Cargo.toml": CARGO
        + '[dependencies]\nbase-lib.workspace = true\nnear = { package = "far", path = "../far" }\n',
        "app/src/lib.rs": "pub struct S;\n",
        "app/src/main.rs": (
            "use base_lib::deep::D;\nuse near::N;\nuse far::F;\nuse my_app::S;\nuse std::fmt;\nuse serde::X;\n"
        ),
        "app/tests/it.rs": "mod common;\nuse my_app::S;\n",
        "app/tests/common/mod.rs": "",
        "app/examples/show/main.rs": "mod part;\n",
        "app/examples/show/part.rs": "",
    }
    assert leads(texts, "app/src/main.rs") == {
        "base_lib::deep:D": "base/code/deep.rs",
        "near:N": "far/src/lib.rs",
        "far:F": "external",
        "my_app:S": "app/src/lib.rs",
        "std:fmt": "external",
        "serde:X": "external",
    }
    assert leads(texts, "app/tests/it.rs") == {"common": "app/tests/common/mod.rs", "my_app:S": "app/src/lib.rs"}
    assert leads(texts, "app/examples/show/main.rs") == {"part": "app/examples/show/part.rs"}


def test_paths_of_old_editions_begin_at_the_crate() -> None:
    texts = {
        "Cargo.toml": CARGO,
        "src/lib.rs": "mod a;\nmod b;\n",
        "src/a.rs": "use b::X;\n",
        "src/b.rs": "",
    }
    assert leads(texts, "src/a.rs") == {"b:X": "src/b.rs"}


def test_without_cargo_a_file_that_nobody_declares_hangs_below_the_nearest_module() -> None:
    texts = {"lib.rs": "mod a;\n", "a.rs": "", "b.rs": "use super::a::X;\n", "Cargo.toml": "not [ toml"}
    assert leads(texts, "b.rs") == {"super::a:X": "a.rs"}


def test_neighbours_are_places_of_macros_and_modules_below() -> None:
    texts = {
        "Cargo.toml": CARGO,
        "src/lib.rs": "mod macros;\nmod a;\nmod b;\n",
        "src/macros.rs": "",
        "src/a.rs": "mod inner;\nstruct S;\n",
        "src/a/inner.rs": "use super::S;\nimpl S { fn f(&self) {} }\n",
        "src/b.rs": "mod deep;\nuse far::*;\n",
        "src/b/deep.rs": "",
    }
    resolver = Rust().resolver(tree(texts))
    assert resolver.ambient("src/a.rs") == ["src/lib.rs", "src/macros.rs", "src/a/inner.rs"]
    assert resolver.ambient("src/b.rs") == ["src/lib.rs", "src/macros.rs"]
