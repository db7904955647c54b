"""The contract of language packs, held by that of Rust."""

from __future__ import annotations

import pytest

from aries_kernel.contracts import LanguagePack
from aries_kernel.testing.language_suite import LanguageSuite
from aries_language_rust.pack import Rust

TREE = {
    "Cargo.toml": """\
[package]
name = "app"
version = "0.1.0"
edition = "2021"
""",
    "src/main.rs": """\
//! Starts.
mod util;
use crate::util::Server;

/// Begins.
fn main() {
    let server = Server::new();
    server.close();
    util::net::dial(1);
}
""",
    "src/util/mod.rs": """\
pub mod net;

pub struct Server { n: u32 }

impl Server {
    pub fn new() -> Self { Server { n: super::LIMIT } }
    pub fn close(&self) {}
}
""",
    "src/util/net.rs": """\
use super::Server;

pub fn dial(n: u32) -> Option<Server> { None }
""",
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
