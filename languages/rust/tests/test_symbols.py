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


def test_items_in_the_braces_of_a_macro_are_found_in_their_places() -> None:
    source = """\
ast_struct! {
    /// A thing.
    pub struct Thing #full {
        pub name: Token![extern],
    }
}
mod inner {
    shape! {
        pub trait Shape: Base {
            @section type
            type Area;
            @section self
            fn area(&self) -> Self::Area;
        }
    }
}
bitflags::bitflags! {
    /// Some.
    #[derive(Clone)]
    pub struct Flags: u64 {
        const ONE = 1;
        // const NONE = 0;
        const TWO = 1 << 1;
    }
}
lazy_static! { static ref TABLE: Vec<Thing> = make(); }
cfg_if! { if #[cfg(unix)] { mod unix; pub fn here() {} } else { fn there() {} } }
vec_of!(const, "struct Text {}", fn_name);
fn make() -> Vec<Thing> { quote! { struct Quoted {} }; Vec::new() }
"""
    assert symbols(source) == [
        ("struct", "Thing", 3, 5),
        ("field", "Thing.name", 4, 4),
        ("namespace", "inner", 7, 16),
        ("trait", "inner.Shape", 9, 14),
        ("type", "inner.Shape.Area", 11, 11),
        ("method", "inner.Shape.area", 13, 13),
        ("struct", "Flags", 20, 24),
        ("constant", "Flags.ONE", 21, 21),
        ("constant", "Flags.TWO", 23, 23),
        ("variable", "TABLE", 26, 26),
        ("function", "here", 27, 27),
        ("function", "there", 27, 27),
        ("function", "make", 29, 29),
    ]
    facts = read(source)
    assert [one.module for one in facts.imports if one.kind == "module"] == ["unix"]
    assert facts.error_line == 0
    assert facts.symbols[0].doc == "A thing."
    keywords = 'define! { "as" pub struct As /// `as`\n "in" pub struct In /// `in`\n }\n'
    assert symbols(keywords) == [("struct", "As", 1, 1), ("struct", "In", 2, 2)]
    # What a macro is given is used there as anywhere else, and so is the macro.
    assert ("type", "Thing", "") in {(one.kind, one.root, one.path) for one in facts.references if one.line == 26}
    assert {"ast_struct!", "cfg_if!"} <= {one.root for one in facts.references}


def test_functions_of_a_type_that_only_a_macro_knows_are_methods() -> None:
    source = b"""\
mock! {
    #[derive(Debug)]
    pub File {
        pub fn open(path: PathBuf) -> io::Result<Self>;
    }
    impl From<Handle> for File {
        fn from(handle: Handle) -> Self;
    }
    mod inner {
        pub fn free() {}
    }
    pub fn loose() {}
}
"""
    kinds = {one.name: one.kind for one in Rust().read(source, "a.rs").symbols}
    assert kinds == {"open": "method", "from": "method", "inner": "namespace", "free": "function", "loose": "function"}
