"""Definitions that a macro makes where a block follows it: `TEST(Suite, name) {`, `BOOST_AUTO_TEST_CASE(name) {`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from aries_language_syntax.outline import Definition

if TYPE_CHECKING:
    from aries_language_syntax.grammar import Marks
    from aries_language_syntax.text import Text

__all__ = ["is_made", "made_blocks"]

_MADE = re.compile(
    rb"^[ \t]*((?:static[ \t]+)?[A-Z][A-Z0-9_]{2,}+[ \t]*\([ \t\n]*(?:([A-Za-z_]\w*+)[ \t]*,[ \t\n]*)?([A-Za-z_]\w*+)"
    rb"(?:[ \t]*,[^(){};\n]*+)?[ \t\n]*\)(?:[ \t]*\([^(){};]{0,400}+\))?)\s{0,80}+\{",
    re.MULTILINE,
)
_TYPES = frozenset(b"int char void short long float double bool unsigned signed const struct".split())
_CALLED = re.compile(rb"(?:[A-Z][A-Z0-9_]*|\w*[Ff]or_?[Ee]ach\w*)\s*\(")


def is_made(source: bytes, start: int) -> bool:
    """Whether what the grammar takes for a function without a type is a macro that is called."""
    return _CALLED.match(source, start) is not None


def made_blocks(marks: Marks, text: Text, is_within: Callable[[int], bool]) -> Iterator[Definition]:
    """What macros in capitals make of a name, or of a suite and a name, and a block; not within functions."""
    for found in _MADE.finditer(text.source):
        start = found.start(1)
        if is_within(start):
            continue
        brace = marks.root.descendant_for_byte_range(found.end() - 1, found.end())
        block = brace.parent if brace is not None else None
        if block is None or block.type != "compound_statement" or block.start_byte != found.end() - 1:
            continue
        # Of a case the name comes first, and then its fixture: `BOOST_FIXTURE_TEST_CASE(name, Fixture)`.
        owner, name, at = found[2], found[3], found.start(3)
        if owner and (b"CASE" in found[1].partition(b"(")[0] or name in _TYPES):
            owner, name, at = b"", found[2], found.start(2)
        signature = text.head(start, found.end(1))
        # fmt: off
        yield Definition(
            start, block.end_byte, name, "function", signature, False, "", (owner or b"").decode(),
            text.doc_above(text.line(start)), at, False,
        )
        # fmt: on
