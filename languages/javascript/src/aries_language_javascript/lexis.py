"""How JavaScript is written."""

from __future__ import annotations

from aries_kernel.contracts.lexis import Lexis, words

__all__ = ["LEXIS"]

LEXIS = Lexis(
    words(
        "await break case catch class const continue debugger default delete do else export extends finally "
        "for function if import in instanceof let new return super switch this throw try typeof var void "
        "while with yield"
    ),
    words("true false null undefined"),
    long_strings=(("`", "`"),),
    letters="$#",
    operators=(
        "===", "!==", "==", "!=", "<=", ">=", "=>", "&&", "||", "??", "?.", "+=", "-=", "*=", "/=", "++", "--", "...",
    ),
    has_patterns=True,
    has_optional_ends=True,
    contexts=(("class C {", "}"), ("(async function* () {", "})"), ("x = {", "}")),
)  # fmt: skip
