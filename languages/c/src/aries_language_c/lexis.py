"""How C is written."""

from __future__ import annotations

from aries_kernel.contracts.lexis import Lexis, words

__all__ = ["LEXIS"]

LEXIS = Lexis(
    words(
        "auto break case char const continue default do double else enum extern float for goto if inline int "
        "long register restrict return short signed sizeof static struct switch typedef union unsigned void "
        "volatile while _Bool"
    ),
    words("true false NULL"),
    strings=('"',),
    prefixes="LuUR8",
    characters="'",
    contexts=(("void f(void) {", "}"),),
    operators=("::", "==", "!=", "<=", ">=", "->", "&&", "||", "+=", "-=", "*=", "/=", "++", "--", "##", "..."),
)
