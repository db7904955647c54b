"""What the preprocessor would take away and a grammar cannot know: blanked, so that all else keeps its place."""

from __future__ import annotations

import re

__all__ = ["masked", "named_types"]

_CAPITALS = rb"[A-Z][A-Z0-9]*_[A-Z0-9_]*[A-Z0-9]\b"
_CALLED = rb"(?:[ \t]*\((?:[^()\n]|\([^()\n]*\))*\))?"
_LINKAGE = re.compile(
    rb"^[ \t]*#[ \t]*if[^\n]*__cplusplus[^\n]*\n(?:[ \t]*\n)*([ \t]*(?:extern[ \t]+\"C\"\s*\{|\})[^\n]*)\n"
    rb"(?:[ \t]*\n)*[ \t]*#[ \t]*endif",
    re.MULTILINE,
)
_IN_MACRO = re.compile(rb"(/\*[^*\n]*\*/)(?=[^\n]*\\\n)")
_ON_TYPE = re.compile(
    rb"\b(?:class|struct|union|enum(?:[ \t]+class)?)\s+((?:[A-Z][A-Z0-9_]*+(?:\s*+\([^(){};]{0,400}+\))?\s++){1,6})"
    rb"(?=(?!final\b)[A-Za-z_][\w:]*+(?:<[^<>{};]{0,200}+>)?(?:\s+final)?\s*(?:(?<!:):(?!:)[^;{}]{0,400}\{|\{))"
    rb"|\bclass[ \t]+(" + _CAPITALS + rb")(?=[ \t]+(?!final\b)\w+[ \t]*;)"
)
"""Words between `class` and the name, where what follows shows that both are there: not in `struct NODE node;`."""
_BEFORE = re.compile(
    rb"^[ \t]*(?:(?:static|extern|inline|template[ \t]*<[^<>\n]*>)[ \t]+)*(" + _CAPITALS + rb"(?:[ \t]*\([^()\n]*\))?)"
    rb"(?=\s+(?:(?:const|unsigned|struct|static|inline|virtual|explicit|enum|auto)[ \t]+)*[A-Za-z_][\w:<>,]*[\s*&]+"
    rb"[A-Za-z_~][\w:]*[ \t]*(?:[(;=\[]|\n?[ \t]*\())",
    re.MULTILINE,
)
_AFTER = re.compile(
    rb"\)[ \t]*(?:const[ \t]*)?((?:" + _CAPITALS + rb"|noexcept\([^()\n]*\))" + _CALLED + rb")(?=[ \t]*\n?[ \t]*[;{])"
)
_BETWEEN = re.compile(
    rb"^[ \t]*(?:\w+[ \t*]+)+(\w+[ \t]*\([ \t]*\d[\d, \t]*\))(?=\s{1,40}+\**[A-Za-z_]\w*[ \t]*\()", re.MULTILINE
)
"""`void printflike(1, 2) log(...)`: no function has figures for parameters."""
_ON_PARAMETER = re.compile(
    rb"[(,]\s{0,80}+(__[a-z][a-z_]*+)(?!__)(?=\s{1,80}+(?:(?:const|volatile|struct|union|enum|unsigned|signed)[ \t]+)*"
    rb"[A-Za-z_]\w*+[\s*]{1,80}+[A-Za-z_]\w*+[ \t]*+[,)\[])"
)
"""`__unused struct item *item`: a word before a type and a name."""
_GUARDED = re.compile(
    rb"\)[ \t]*(\n[ \t]*#[ \t]*if[^\n]*\n[ \t]*__attribute__[ \t]*\(\([^\n;{}]*\n"
    rb"[ \t]*#[ \t]*endif[^\n]*)(?=\s{0,40}+[;{])"
)
"""An attribute under a condition, between a function and its end."""
_ON_FIELD = re.compile(rb"(?<=[\w>*&][ \t])(" + _CAPITALS + rb"[ \t]*\([^()\n]*\))(?=[ \t]*[;=])")
_DECLARATOR = re.compile(rb"[\w>*&][ \t*&>]+(\w+)[ \t]+\Z")
_NO_NAMES = frozenset({b"return", b"else", b"case", b"goto", b"sizeof", b"delete", b"throw"})
_ALONE = re.compile(rb"^[ \t]*(" + _CAPITALS + rb"(?:\(\w*\))?)[ \t]*$(?!\s*[,=|&+}?:(.)\];])", re.MULTILINE)
_LAST = re.compile(rb"^[ \t]*(" + _CAPITALS + rb")[ \t]*(?=\n\s*\})", re.MULTILINE)
_BEFORE_LAST = re.compile(rb"(?:;|\b(?:struct|union|class)[ \t]+\w+\s*\{)(?:\s|/\*[^*]*\*/)*\Z")
_REACH = 200


def named_types(source: bytes) -> bytes:
    """The source with words between `class` and the name blanked: the grammar takes them for parts of a function."""
    return _ON_TYPE.sub(_blank, source) if b"class" in source or b"struct" in source else source


def masked(source: bytes) -> bytes:
    """The source with words of macros blanked that stand where the grammar has no place for them.

    `extern "C" {` under a condition, words such as `NAME_EXPORT` before functions and behind parameters, and such a
    word alone on its line. Length and lines stay what they are.
    """
    if b"__cplusplus" in source:
        source = _LINKAGE.sub(_blank, source)
    for pattern in (_IN_MACRO, _ON_TYPE, _GUARDED, _BEFORE, _BETWEEN, _AFTER):
        source = pattern.sub(_blank, source)
    if b" __" in source or b"(__" in source or b"\t__" in source:
        source = _ON_PARAMETER.sub(_blank, source)
    source = _ON_FIELD.sub(_blank_on_field, source)
    source = _ALONE.sub(_blank, source)
    return _LAST.sub(_blank_last, source)


def _blank(found: re.Match[bytes]) -> bytes:
    start, end = found.span(found.lastindex or 1)
    before, after = found[0][: start - found.start()], found[0][end - found.start() :]
    return before + re.sub(rb"[^\n]", b" ", found.string[start:end]) + after


def _blank_on_field(found: re.Match[bytes]) -> bytes:
    """An attribute behind the name of a field or a variable, and no call."""
    named = _DECLARATOR.search(found.string, max(0, found.start() - _REACH), found.start())
    return found[0] if named is None or named[1] in _NO_NAMES else _blank(found)


def _blank_last(found: re.Match[bytes]) -> bytes:
    """The last word in a struct that stands for fields; in an enum it would be a member."""
    place = found.start()
    return _blank(found) if _BEFORE_LAST.search(found.string, max(0, place - _REACH), place) else found[0]
