"""Expansions in which bash evaluates text as an expression, where a substitution hidden in a variable would run."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from aries_tool_shell.syntax import walk

if TYPE_CHECKING:
    from tree_sitter import Node

__all__ = ["evaluating_words", "hidden_evaluations"]

_PLAIN_EXPANSION = re.compile(
    rb"\$\{#?(?:\w+|[@*#?$!-])(?:\[(?:\d+|[@*])\])?(?:\}|:?[-+=?]|##?|%%?|//?|\^\^?|,,?|:\s*-?\d+)", re.DOTALL
)
_NUMBERS = re.compile(rb"[\d\s+\-*/%()<>=!&|^~,?:]*")
_COMPARES = re.compile(rb"-(eq|ne|lt|le|gt|ge)")
_EVALUATING = {
    "let",
    "declare",
    "typeset",
    "local",
    "read",
    "unset",
    "printf",
    "test",
    "[",
    "wait",
    "mapfile",
    "readarray",
}


def hidden_evaluations(root: Node, source: bytes) -> Iterator[str]:
    """Reasons why some text of the script may be evaluated as an expression."""
    for node in walk(root):
        text = source[node.start_byte : node.end_byte]
        if node.type == "expansion" and not _PLAIN_EXPANSION.match(text):
            yield f"{text[:40].decode('utf-8', 'replace')} may evaluate a variable"
        elif node.type == "arithmetic_expansion" and not _NUMBERS.fullmatch(text.lstrip(b"$[").rstrip(b"]")):
            yield "arithmetic may evaluate a variable"
        elif node.type == "subscript" and not re.search(rb"\[(\d+|[@*])\]$", text):
            yield "a subscript may evaluate a variable"
        elif node.type in ("((", "c_style_for_statement"):
            yield "arithmetic may evaluate a variable"
        elif node.type == "test_operator" and _evaluates(node, text):
            yield "a test may evaluate a variable"


def _evaluates(operator: Node, text: bytes) -> bool:
    """`-v` always looks at a subscript; the comparisons of numbers do within double brackets."""
    above = operator.parent
    while above is not None and above.type != "test_command":
        above = above.parent
    is_double = above is None or not above.children or above.children[0].type == "[["
    return text in (b"-v", b"-R") or (is_double and _COMPARES.fullmatch(text) is not None)


def evaluating_words(program: str, texts: list[str]) -> str | None:
    """Why a builtin may evaluate what looks like a variable's name."""
    if program == "let":
        return "let evaluates its words"
    if program in _EVALUATING and any("[" in text and text != "[" for text in texts):
        return f"{program} may evaluate a subscript"
    if program in ("declare", "typeset", "local") and any(re.match(r"-\w*[in]", text) for text in texts):
        return f"{program} may evaluate what is assigned"
    if program in ("printf", "test", "[", "wait") and any(text in ("-v", "-R", "-p") for text in texts):
        return f"{program} may evaluate a name"
    return None
