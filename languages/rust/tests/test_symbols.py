"""Definitions of Rust files."""

from __future__ import annotations

from aries_kernel.testing.language_view import LanguageView
from aries_language_rust.pack import Rust

VIEW = LanguageView(Rust(), "a.rs")
read, symbols, uses = VIEW.read, VIEW.symbols, VIEW.uses


def test_every_kind_of_definition_has_its_span_and_its_full_name() -> None:
    source = """\
//! Sells.

/// Holds.
#[derive(Debug)]
pub struct Cart<T> {
    pub items: Vec<T>,
}
union Bits { a: u8 }
pub enum Kind { Plain, Pair(u8, u8), Named { n: u8 } }
pub trait Sell: Send { type Price; const MOST: u8 = 1; fn sell(&self); fn give(&self) {} }
impl<T> Sell for Cart<T> {
    type Price = u8;
    fn sell(&self) {
        fn inner() {}
    }
}
impl Cart<u8> { pub const fn new() -> Self { todo!() } }
mod sub { pub fn deep() {} }
mod file;
static S: u8 = 1;
pub const C: u8 = 1;
type Alias = u8;
macro_rules! make { () => {} }
extern "C" { fn c_side(n: u8); }
"""
    assert symbols(source) == [
        ("struct", "Cart", 4, 7),
        ("field", "Cart.items", 6, 6),
        ("struct", "Bits", 8, 8),
        ("field", "Bits.a", 8, 8),
        ("enum", "Kind", 9, 9),
        ("member", "Kind.Plain", 9, 9),
        ("member", "Kind.Pair", 9, 9),
        ("member", "Kind.Named", 9, 9),
        ("field", "Kind.Named.n", 9, 9),
        ("trait", "Sell", 10, 10),
        ("type", "Sell.Price", 10, 10),
        ("constant", "Sell.MOST", 10, 10),
        ("method", "Sell.sell", 10, 10),
        ("method", "Sell.give", 10, 10),
        ("type", "Cart.Price", 12, 12),
        ("method", "Cart.sell", 13, 15),
        ("function", "Cart.sell.inner", 14, 14),
        ("method", "Cart.new", 17, 17),
        ("namespace", "sub", 18, 18),
        ("function", "sub.deep", 18, 18),
        ("variable", "S", 20, 20),
        ("constant", "C", 21, 21),
        ("type", "Alias", 22, 22),
        ("macro", "make", 23, 23),
        ("function", "c_side", 24, 24),
    ]


def test_heads_comments_attributes_and_visibility_are_told() -> None:
    facts = read("""\
//! Sells.

/// Runs it.
///
/// And more.
#[inline]
#[must_use]
pub(crate) async unsafe fn run<T>(
    one: T, // what
) -> Option<T>
where
    T: Send,
{
    None
}
fn quiet() {}
""")
    run, quiet = facts.symbols
    assert facts.doc == "Sells."
    assert (run.line, run.doc, run.modifiers) == (6, "Runs it.", "#[inline] #[must_use] async unsafe")
    assert run.signature == "pub(crate) async unsafe fn run<T>(one: T,) -> Option<T> where T: Send,".rstrip(",")
    assert (run.exported, quiet.exported) == (True, False)
