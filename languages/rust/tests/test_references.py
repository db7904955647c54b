"""Imports and uses of names in Rust files."""

from __future__ import annotations

from aries_kernel.testing.language_view import LanguageView
from aries_language_rust.pack import Rust

VIEW = LanguageView(Rust(), "a.rs")
read, uses = VIEW.read, VIEW.uses


def rows(source: str) -> list[tuple[str, str, str, str]]:
    return [(one.kind, one.module, one.name, one.local) for one in read(source).imports]


def test_use_trees_make_a_row_for_each_name() -> None:
    source = """\
use std::fmt::{self, Display as Show, Write as _};
use crate::a::{b::{C, d::*}, e};
pub use self::x::Y;
pub(crate) use super::z;
use alone;
extern crate other as o;
pub mod child;
#[cfg_attr(unix, path = "unix.rs")]
#[cfg_attr(windows, path = "windows.rs")]
mod imp;
"""
    assert rows(source) == [
        ("import", "std", "fmt", "fmt"),
        ("import", "std::fmt", "Display", "Show"),
        ("import", "std::fmt", "Write", ""),
        ("import", "crate::a::b", "C", "C"),
        ("import", "crate::a::b::d", "*", ""),
        ("import", "crate::a", "e", "e"),
        ("reexport", "self::x", "Y", "Y"),
        ("reexport", "super", "z", "z"),
        ("import", "alone", "", "alone"),
        ("import", "other", "", "o"),
        ("module", "child", "", "child"),
        ("module", "imp", "", "imp"),
        ("module", "imp", "", "imp"),
    ]
    assert [one.text for one in read(source).imports[-2:]] == ["unix.rs", "windows.rs"]


def test_paths_at_places_of_use_become_imports_that_are_bound_there() -> None:
    source = """\
mod child;
fn run() {
    crate::a::b::go(1);
    crate::shop::Cart::new();
    super::up();
    serde_json::to_string(1);
    child::go();
    child::Thing::new();
}
"""
    assert rows(source)[1:] == [
        ("import", "crate::a::b", "go", ""),
        ("import", "crate::shop", "Cart", ""),
        ("import", "super", "up", ""),
        ("import", "serde_json", "to_string", ""),
    ]
    assert uses(source) == [
        (3, "call", "crate::a::b:go", ""),
        (4, "call", "crate::shop:Cart", "new"),
        (5, "call", "super:up", ""),
        (6, "call", "serde_json:to_string", ""),
        (7, "call", "child:", "go"),
        (8, "call", "child:", "Thing.new"),
    ]


def test_names_of_an_inline_module_are_its_own_and_reach_out_by_super() -> None:
    source = """\
use crate::far::Far;
struct Near;
fn help() {}
mod tests {
    use super::*;
    fn help() {}
    fn run(one: Near) { help(); Far::new(); }
}
mod apart {
    use super::{Near as N, help};
    use super::super::above;
    fn run(one: N) { help(); above(); Near; }
}
"""
    assert uses(source) == [
        (7, "type", "Near", ""),
        (7, "call", "tests.help", ""),
        (7, "call", "crate::far:Far", "new"),
        (12, "type", "Near", ""),
        (12, "call", "help", ""),
        (12, "call", "super:above", ""),
    ]


def test_patterns_and_parameters_hide_but_not_before_two_colons() -> None:
    source = """\
use crate::config;
fn x() {}
fn run(Pair(a, x): Pair) {
    x();
    let config = config::load();
    config::other();
    config.x();
    match a { Some(config) if x > 1 => config, None => 1 };
    if let Some(ref x) = a { x(); }
    for (i, x) in a { x(); }
    let f = |x: u8, &y| x(y);
}
fn last() { x(); }
"""
    found = [row for row in uses(source) if row[2] in ("x", "crate:config")]
    assert found == [
        (5, "call", "crate:config", "load"),
        (6, "call", "crate:config", "other"),
        (13, "call", "x", ""),
    ]


def test_calls_on_values_of_a_declared_type_lead_to_the_type() -> None:
    source = """\
use crate::remote::Remote;
struct Conn;
struct Server { conn: Box<Conn>, far: Option<Remote> }
impl Server {
    fn run(&mut self, remote: &dyn Remote, own: std::rc::Rc<Conn>) {
        self.stop();
        self.conn.close();
        remote.go();
        own.close();
        Self::make();
        let made = Server::new();
        made.stop();
        let said: &Conn = pick();
        said.close();
        let guess = pick();
        guess.close();
    }
}
"""
    assert [row for row in uses(source) if row[1] == "call" and row[0] > 5] == [
        (6, "call", "Server", "stop"),
        (7, "call", "Conn", "close"),
        (8, "call", "crate::remote:Remote", "go"),
        (9, "call", "Conn", "close"),
        (10, "call", "Server", "make"),
        (11, "call", "Server", "new"),
        (12, "call", "Server", "stop"),
        (14, "call", "Conn", "close"),
    ]


def test_methods_that_stand_here_are_found_though_their_type_is_elsewhere() -> None:
    source = """\
use super::Parser;
impl Parser {
    fn statement(&mut self) { self.expression(); self.bump(); }
    fn expression(&mut self) {}
}
"""
    assert [row for row in uses(source) if row[1] == "call"] == [
        (3, "call", "Parser.expression", ""),
        (3, "call", "super:Parser", "bump"),
    ]


def test_kinds_of_uses_are_told_apart_also_in_arguments_of_macros() -> None:
    source = """\
use a::{Base, Debug, Item, Made, MAX};
#[derive(Debug)]
struct S { item: Item }
impl Base for S {}
fn run(one: Vec<Item>) { println!("{}", MAX); let x = Made { n: MAX }; }
"""
    assert uses(source) == [
        (2, "decorator", "a:Debug", ""),
        (3, "type", "a:Item", ""),
        (4, "base", "a:Base", ""),
        (4, "type", "S", ""),
        (5, "type", "a:Item", ""),
        (5, "call", "println!?", ""),
        (5, "use", "a:MAX", ""),
        (5, "new", "a:Made", ""),
        (5, "use", "a:MAX", ""),
    ]


def test_what_a_file_hands_on_is_exported() -> None:
    source = (
        "pub use crate::a::B;\npub use crate::c::*;\nuse crate::d::E;\nmod inner { pub struct Deep; struct Own; }\n"
    )
    exports = [(one.name, one.symbol >= 0, one.is_public) for one in read(source).exports]
    assert exports == [
        ("inner", True, True),
        ("B", False, True),
        ("*", False, True),
        ("E", False, False),
        ("Deep", True, False),
    ]
