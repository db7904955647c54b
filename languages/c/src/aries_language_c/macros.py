"""What the text of a macro uses: to a grammar it is a text like any other."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from aries_language_syntax.binding import Local

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tree_sitter import Node

__all__ = ["MacroBodies"]

_WORD = re.compile(
    rb"//[^\n]*|/\*.*?(?:\*/|\Z)|\"(?:[^\"\\\n]|\\.)*(?:\"|(?=\n)|\\?\Z)"
    rb"|'(?:[^'\\\n]|\\.)*(?:'|(?=\n)|\\?\Z)"
    rb"|##\s*\w+|(?:\.|->|::|#)\s*\w+|(?<!\w)\d[\w.]*|(?<!\w)([A-Za-z_]\w*+)(?!\s*##)",
    re.DOTALL,
)
"""Comments and texts; parts of names that are put together, members and figures, none of which mean anything alone."""
_CALLED = re.compile(rb"[ \t]*\(")
_KEYWORDS = frozenset(
    b"if else for while do switch case break continue return goto default sizeof struct union enum typedef void int "
    b"char long short float double signed unsigned const volatile static extern inline register auto restrict defined "
    b"__VA_ARGS__ this nullptr class namespace template typename using new delete throw try catch operator".split()
)


class MacroBodies:
    """Names in the texts of all macros of a file: of what is called, and of other macros.

    Other names may be those of variables that the text itself declares.
    """

    def __init__(self, macros: Sequence[Node], source: bytes, named: set[int]) -> None:
        self.names: list[int] = []
        """Where they begin."""
        self.parameters: list[Local] = []
        self.spans: list[tuple[int, int]] = []
        for node in macros:
            value = node.child_by_field_name("value")
            found = _WORD.finditer(source, *value.byte_range) if value is not None else ()
            places = [one.start() for one in found if one[1] and _matters(one, source) and one.start() not in named]
            if not places:
                continue
            self.names += places
            self.spans.append(node.byte_range)
            given = node.child_by_field_name("parameters")
            for one in given.named_children if given is not None else ():
                self.parameters.append(Local(one.start_byte, source[one.start_byte : one.end_byte]))


def _matters(word: re.Match[bytes], source: bytes) -> bool:
    if word[1] in _KEYWORDS:
        return False
    return _CALLED.match(source, word.end()) is not None or (word[1].isupper() and len(word[1]) > 1)
