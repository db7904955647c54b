"""How Rust is written."""

from __future__ import annotations

from aries_kernel.contracts.lexis import Lexis, words

__all__ = ["LEXIS"]

LEXIS = Lexis(
    words(
        "as async await break const continue crate dyn else enum extern fn for if impl in let loop match mod "
        "move mut pub ref return self Self static struct super trait type unsafe use where while"
    ),
    words("true false"),
    strings=(),
    long_strings=(('"', '"'),),
    raw_strings=(('r"', '"'), ('r#"', '"#'), ('r##"', '"##'), ('br"', '"'), ('br#"', '"#')),
    prefixes="bc",
    characters="'",
    contexts=(("impl T {", "}"), ("fn f() {", "}")),
    operators=("==", "!=", "<=", ">=", "->", "=>", "::", "+=", "-=", "*=", "/=", ".."),
)
