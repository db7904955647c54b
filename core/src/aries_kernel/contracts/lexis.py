"""The words and marks of a language: enough to tell names, literals and comments apart where code is compared by form.

A language pack may have one as its attribute `lexis`. Without, the host reads code by `COMMON`, which fits most
languages with braces.
"""

from __future__ import annotations

from attrs import frozen

__all__ = ["COMMON", "Lexis", "words"]


def words(text: str) -> frozenset[str]:
    """Words of a text that is written with blanks between them."""
    return frozenset(text.split())


@frozen
class Lexis:
    """How the text of a language falls into words. Wherever it says nothing, each sign is a word of its own."""

    keywords: frozenset[str]
    """Words that no name can be. Those that are one only in some places are left out."""
    constants: frozenset[str] = frozenset()
    """Words that stand for a value: `true`, `None`."""
    line_comments: tuple[str, ...] = ("//",)
    block_comments: tuple[tuple[str, str], ...] = (("/*", "*/"),)
    strings: tuple[str, ...] = ('"', "'")
    """Quotes of texts that end on their line; a backslash escapes."""
    long_strings: tuple[tuple[str, str], ...] = ()
    """The same over several lines, by what opens and closes them."""
    raw_strings: tuple[tuple[str, str], ...] = ()
    """Over several lines, and nothing escapes."""
    prefixes: str = ""
    """Letters that may stand in front of a quote, up to three, and belong to the text."""
    characters: str = ""
    """The quote of single characters, which may also stand for something else (`'a` in Rust)."""
    letters: str = ""
    """Signs that names may hold beside letters, digits and `_`."""
    operators: tuple[str, ...] = ("==", "!=", "<=", ">=", "->", "=>", "::", "&&", "||", "+=", "-=", "*=", "/=", "...")
    """Those that are one word whatever stands beside them."""
    has_patterns: bool = False
    """Whether `/.../` is a literal where a value may stand."""
    has_docstrings: bool = False
    """Whether a text that begins a block after `:` documents it."""
    contexts: tuple[tuple[str, str], ...] = ()
    """What a part of a file (a method, some statements) has to stand between to be parsed; without line ends."""
    has_optional_types: bool = False
    """Whether a function may say the types of its parameters or not."""
    has_optional_ends: bool = False
    """Whether a statement may end with `;` or without, as somebody likes it."""
    dangling: str = ",;"
    """Signs that mean nothing before a closing bracket; a `;` never means anything."""


COMMON = Lexis(
    words(
        "abstract and as async await break case catch class const continue def default defer do elif else elsif end "
        "enum except export extends final finally fn for foreach fun func function go goto if impl implements import "
        "in instanceof interface is let local match mod module namespace new not or override package private "
        "protected public pub raise return self static struct super switch template then this throw throws trait try "
        "type typedef typeof union unless until use using val var virtual void when where while with yield"
    ),
    words("true false null nil None True False NULL nullptr undefined"),
    line_comments=("//", "#"),
    long_strings=(('"""', '"""'),),
)
"""What most languages share."""
