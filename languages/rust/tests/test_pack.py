"""The contract of language packs, held by that of Rust."""

from __future__ import annotations

import pytest

from aries_kernel.contracts import LanguagePack
from aries_kernel.testing.language_suite import LanguageSuite
from aries_language_rust.pack import Rust

TREE = {
    "Cargo.toml": '[package]\nname = "app"\nversion = "0.1.0"\nedition = "2021"\n',
    "src/main.rs": "//! Starts.\nmod util;\nuse crate::util::Server;\n\n/// Begins.\nfn main() {\n    let server = Server::new();\n    server.close();\n    util::net::dial(1);\n}\n",
    "src/util/mod.rs": "pub mod net;\n\npub struct Server { n: u32 }\n\nimpl Server {\n    pub fn new() -> Self { Server { n: super::LIMIT } }\n    pub fn close(&self) {}\n}\n",
    "src/util/net.rs": "use super::Server;\n\npub fn dial(n: u32) -> Option<Server> { None }\n",
}


class TestRust(LanguageSuite):
    edges = frozenset(
        {
            ("src/main.rs", "src/util/mod.rs"),
            ("src/util/mod.rs", "src/main.rs"),
            ("src/util/mod.rs", "src/util/net.rs"),
            ("src/util/net.rs", "src/util/mod.rs"),
        }
    )

    @pytest.fixture
    def pack(self) -> LanguagePack:
        return Rust()

    @pytest.fixture
    def tree(self) -> dict[str, str]:
        return TREE
