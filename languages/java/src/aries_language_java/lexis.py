"""How Java is written."""

from __future__ import annotations

from aries_kernel.contracts.lexis import Lexis, words

__all__ = ["LEXIS"]

LEXIS = Lexis(
    words(
        "abstract assert boolean break byte case catch char class const continue default do double else enum "
        "extends final finally float for goto if implements import instanceof int interface long native new "
        "package private protected public return short static strictfp super switch synchronized this throw "
        "throws transient try void volatile while"
    ),
    words("true false null"),
    strings=('"',),
    long_strings=(('"""', '"""'),),
    characters="'",
    contexts=(("class C {", "}"), ("class C { void m() {", "}}")),
    letters="$",
    operators=("==", "!=", "<=", ">=", "->", "::", "&&", "||", "+=", "-=", "*=", "/=", "++", "--", "..."),
)
