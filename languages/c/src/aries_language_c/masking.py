"""What the preprocessor would take away and a grammar cannot know: blanked, so that all else keeps its place."""

from __future__ import annotations

import re

__all__ = ["masked"]

_CAPITALS = rb"[A-Z][A-Z0-9]*_[A-Z0-9_]*[A-Z0-9]"
_LINKAGE = re.compile(
    rb"^[ \t]*#[ \t]*if[^\n]*__cplusplus[^\n]*\n(?:[ \t]*\n)*([ \t]*(?:extern[ \t]+\"C\"\s*\{|\})[^\n]*)\n(?:[ \t]*\n)*[ \t]*#[ \t]*endif",
    re.MULTILINE,
)
_ON_TYPE = re.compile(
    rb"\b(?:class|struct|union|enum)[ \t]+(" + _CAPITALS + rb"(?:[ \t]*\([^()\n]*\))?)(?=[ \t]+\w+[ \t\n]*[:{;])"
)
_BEFORE = re.compile(
    rb"^[ \t]*(?:(?:static|extern|inline|template[ \t]*<[^<>\n]*>)[ \t]+)*(" + _CAPITALS + rb"(?:[ \t]*\([^()\n]*\))?)"
    rb"(?=\s+(?:(?:const|unsigned|struct|static|inline|virtual|explicit|enum|auto)[ \t]+)*[A-Za-z_][\w:<>,]*[ \t*&]+[A-Za-z_~][\w:]*[ \t]*(?:[(;=\[]|\n?[ \t]*\())",
    re.MULTILINE,
)
_ALONE = re.compile(rb"^[ \t]*(" + _CAPITALS + rb"(?:\(\w*\))?)[ \t]*$(?!\s*[,=|&+}?:(.)\];])", re.MULTILINE)
_IN_MACRO = re.compile(rb"(/\*[^*\n]*\*/)(?=[^\n]*\\\n)")
_ON_FIELD = re.compile(rb"\b\w+[ \t*&>]+\w+[ \t]+(" + _CAPITALS + rb"[ \t]*\([^()\n]*\))(?=[ \t]*[;=])")
_AFTER = re.compile(
    rb"\)[ \t]*(?:const[ \t]*)?((?:"
    + _CAPITALS
    + rb"|noexcept\([^()\n]*\))(?:[ \t]*\((?:[^()\n]|\([^()\n]*\))*\))?)(?=[ \t]*\n?[ \t]*[;{])"
)

_LAST = re.compile(
    rb"(?:;|\b(?:struct|union|class)[ \t]+\w+\s*\{)(?:\s|/\*[^*]*\*/)*\n[ \t]*(" + _CAPITALS + rb")[ \t]*(?=\n\s*\})"
)


def masked(source: bytes) -> bytes:
    """The source with words of macros blanked that stand where the grammar has no place for them.

    `extern "C" {` under a condition, words such as `NAME_EXPORT` before functions, types and behind parameters, and such
    a word alone on its line. Length and lines stay what they are.
    """
    if b"__cplusplus" in source:
        source = _LINKAGE.sub(_blank, source)
    for pattern in (_IN_MACRO, _ON_TYPE, _BEFORE, _AFTER, _ON_FIELD, _ALONE, _LAST):
        source = pattern.sub(_blank, source)
    return source


def _blank(found: re.Match[bytes]) -> bytes:
    start, end = found.span(1)
    before, after = found[0][: start - found.start()], found[0][end - found.start() :]
    return before + re.sub(rb"[^\n]", b" ", found[1]) + after
