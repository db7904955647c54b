"""Whether a file is broken, or only not to be read without what its macros stand for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from aries_language_c.conditions import is_balanced

if TYPE_CHECKING:
    from tree_sitter import Node

    from aries_language_syntax.grammar import Marks

__all__ = ["first_broken"]

_OF_MACROS = re.compile(
    rb"(?<![\w\"])(?!(?:NULL|TRUE|FALSE|FILE|EOF)\b)(?:[A-Z][A-Z0-9_]{2,}+|_[A-Z_]\w*+|__\w++)(?!\w)|\w[Ff]or_?[Ee]ach|\b(?:va_arg|offsetof)\b"
    rb"|,\s{0,9}+[<>=!]=?\s{0,9}+[,)]"
)
_DIRECTIVE = re.compile(rb"^[ \t]*#|\\$", re.MULTILINE)
_DEFINED = re.compile(rb"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE)
_WORD = re.compile(rb"[A-Za-z_]\w*")
_LINES_AROUND = 2
_LONGEST = 4_000
_MOST = 300
"""Errors that are looked at."""


def first_broken(marks: Marks) -> int:
    """The first line, from 1, that is wrong whatever macros stand for; 0 for none.

    The grammar knows no macro: of correct files it takes one in four not whole. An error counts where neither a word
    in capitals, one that the file itself defines, nor a condition is near, and where brackets do not match at all.
    """
    if not marks.error_line:
        return 0
    if not is_balanced(marks.text):
        return marks.error_line
    defined = set(_DEFINED.findall(marks.text))
    lines = marks.text.split(b"\n")
    for node in marks.of("error")[:_MOST]:
        if not _is_excused(node, lines, defined):
            return node.start_point[0] + 1
    return 0


def _is_excused(node: Node, lines: list[bytes], defined: set[bytes]) -> bool:
    first, last = node.start_point[0], node.end_point[0]
    # What is missing is told of where the next word stands.
    first = max(0, first - 1) if node.is_missing else first
    code = b"\n".join(lines[first : last + 1])[:_LONGEST]
    if _OF_MACROS.search(code) or not defined.isdisjoint(_WORD.findall(code)):
        return True
    around = b"\n".join(lines[max(0, first - _LINES_AROUND) : last + 1 + _LINES_AROUND])[:_LONGEST]
    # A call that a block follows is none: `list_for_each(item, list) {`.
    is_loop = node.is_missing and node.type == ";" and around.find(b"{") >= 0 and b")" in code
    return is_loop or _DIRECTIVE.search(around) is not None
