"""How Go is written."""

from __future__ import annotations

from aries_kernel.contracts.lexis import Lexis, words

__all__ = ["LEXIS"]

LEXIS = Lexis(
    words(
        "break case chan const continue default defer else fallthrough for func go goto if import interface "
        "map package range return select struct switch type var"
    ),
    words("true false nil"),
    strings=('"',),
    raw_strings=(("`", "`"),),
    characters="'",
    contexts=(("package p; ", ""), ("package p; func f() {", "}")),
    operators=("==", "!=", "<=", ">=", ":=", "<-", "&&", "||", "+=", "-=", "*=", "/=", "++", "--", "..."),
)
