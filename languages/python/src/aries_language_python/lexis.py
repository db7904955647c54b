"""How Python is written."""

from __future__ import annotations

from aries_kernel.contracts.lexis import Lexis, words

__all__ = ["LEXIS"]

LEXIS = Lexis(
    words(
        "and as assert async await break class continue def del elif else except finally for from global if "
        "import in is lambda nonlocal not or pass raise return try while with yield"
    ),
    words("True False None"),
    line_comments=("#",),
    block_comments=(),
    long_strings=(('"""', '"""'), ("'''", "'''")),
    prefixes="rRbBuUfFtT",
    operators=("==", "!=", "<=", ">=", "->", ":=", "+=", "-=", "*=", "/=", "..."),
    has_docstrings=True,
    has_optional_types=True,
)
