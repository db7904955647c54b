"""What the preprocessor would take away and a grammar cannot know: blanked, so that all else keeps its place."""

from __future__ import annotations

import re

from aries_language_c.conditions import settled

__all__ = ["masked", "named_types"]

_CAPITALS = rb"[A-Z][A-Z0-9]*_[A-Z0-9_]*[A-Z0-9]\b"
_INSTANCE = rb"(?:<[^<>;{}()]{0,200}+>)?"
_CALLED = rb"(?:[ \t]*\((?:[^()\n]|\([^()\n]*\))*\))?"
_LINKAGE = re.compile(
    rb"^[ \t]*#[ \t]*if[^\n]*__cplusplus[^\n]*\n(?:[ \t]*\n)*([ \t]*(?:extern[ \t]+\"C\"\s*\{|\})[^\n]*)\n"
    rb"(?:[ \t]*\n)*[ \t]*#[ \t]*endif",
    re.MULTILINE,
)
_MACRO_LINE = re.compile(rb"^(?:[ \t]*#[ \t]*define\b[^\n]*|[^\n]*\\)$", re.MULTILINE)
_COMMENT = re.compile(rb"(/\*[^*\n]*\*/)")
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
_MIDDLE = re.compile(
    rb"(?<=[\w>*&][ \t])([A-Z][A-Z0-9_]{2,}+|__[a-z]\w++)"
    rb"(?=\s{1,80}+[*&]*(?:~|[A-Za-z_])[\w:]*+(?:<[^<>;{}()]{0,200}+>::~?\w++)?[ \t]*+\()"
)
_TYPED = re.compile(rb"^[ \t]*(?:[\w:]+(?:<[^<>;{}()]*>)?[ \t*&]+)+\Z")
_NO_TYPES = re.compile(
    rb"(?:\A|\s)(?:return|else|goto|case|new|delete|throw|using|co_return|#\w*)\s"
    rb"|(?:\A|\s)(?:static|const|extern|inline|virtual|explicit|struct|enum|union|class|friend|constexpr|volatile|typename"
    rb"|unsigned|signed)[ \t]+\Z"
)
_AROUND_NAME = re.compile(rb"(?<=[\w>*&][ \t])([A-Z][A-Z0-9_]{2,}+)(?=[ \t]*\([ \t]*[A-Za-z_]\w*[ \t]*\)[ \t]*[\[(])")
_ON_POINTER = re.compile(
    rb"\([ \t]*([A-Z][A-Z0-9_]{2,}+)(?=[ \t]*\*[ \t]*\w+[ \t]*\)[ \t]*\()|\*[ \t]*("
    + _CAPITALS
    + rb")(?=[ \t]+\w+[ \t]*[,)])"
)
"""`void (APP_CALL *run)(int)`, `char *APP_RESTRICT text`."""
_ON_BLOCK = re.compile(rb"[;{}]\s{0,200}+(" + _CAPITALS + rb")(?=\s{0,80}+\{)")
"""`APP_TRY {`: the grammar takes it for a value with its type."""
_RESERVED = re.compile(
    rb"^[ \t]*(?:(?:static|extern|inline)[ \t]+)*(__[a-z]\w*+)"
    rb"(?=\s{1,80}+(?:(?:const|unsigned|signed|struct|enum|static|inline)[ \t]+)*[A-Za-z_]\w*+"
    rb"[\s*]{1,80}+[A-Za-z_]\w*+[ \t]*\()",
    re.MULTILINE,
)
_EXPLICIT = re.compile(rb"\bexplicit[ \t]+(" + _CAPITALS + rb"(?:\([^()\n]*\))?)(?=\s{1,80}+\w+[ \t]*\()")
_OF_CLASS = re.compile(
    rb"^[ \t]*(?:(?:static|inline|template[ \t]*<[^<>\n]*>)[ \t]+)*(" + _CAPITALS + rb")"
    rb"(?=\s{1,80}+(?:(?:\w++" + _INSTANCE + rb"::)*(?:~|operator[ \t]+\w)"
    rb"|(?:\w++::)*(\w++)" + _INSTANCE + rb"::\2[ \t]*\())",
    re.MULTILINE,
)
"""A word before a constructor, a destructor or a conversion, none of which has a type."""
_ON_ENUM = re.compile(
    rb"\b(?:enum(?:[ \t]+(?:class|struct))?|struct|union|class)[ \t]+[A-Za-z_]\w*[ \t]+([A-Z][A-Z0-9_]+)"
    rb"\s*(?=\{|:(?!:)[^;{}()]{0,400}\{)"
)
_BEHIND = re.compile(
    rb"\b(?!(?:if|for|while|switch|return|sizeof|catch)\b)\w++[ \t]*\([^(){};\n]{0,400}\)\s{0,80}+"
    rb"(?:(?:const|noexcept|override|final)\b\s{0,80}+)*"
    rb"(?!L?\b(?:NULL|TRUE|FALSE)\b)([A-Z][A-Z0-9]{2,}+\b(?:[ \t]*\((?:[^()\n]|\([^()\n]*\))*\))?)(?=\s{0,80}+[;{])"
)
"""`void lock() ACQUIRE(mutex) {`."""
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
_QT = re.compile(
    rb"^[ \t]*(?:(?P<access>signals|Q_SIGNALS)[ \t]*(?=:)"
    rb"|(?:public|protected|private)[ \t]+(?P<slots>slots|Q_SLOTS)[ \t]*(?=:)"
    rb"|(?P<alone>Q_[A-Z_]+[ \t]*\([^\n;]*\))[ \t]*$)",
    re.MULTILINE,
)
_LAST = re.compile(rb"^[ \t]*(" + _CAPITALS + rb")[ \t]*(?=\n\s*\})", re.MULTILINE)
_BEFORE_LAST = re.compile(rb"(?:;|\b(?:struct|union|class)[ \t]+\w+\s*\{)(?:\s|/\*[^*]*\*/)*\Z")
_REACH = 200


def named_types(source: bytes) -> bytes:
    """The source with words between `class` and the name blanked: the grammar takes them for parts of a function."""
    return _ON_TYPE.sub(_blank, source) if b"class" in source or b"struct" in source else source


def masked(source: bytes, *, is_cplusplus: bool = False) -> bytes:
    """The source with words of macros blanked that stand where the grammar has no place for them.

    `extern "C" {` under a condition, words such as `NAME_EXPORT` before functions and behind parameters, and such a
    word alone on its line. Length and lines stay what they are.
    """
    if b"__cplusplus" in source:
        source = _LINKAGE.sub(_blank, source)
    source = settled(source, {b"__cplusplus": is_cplusplus})
    if is_cplusplus and (b"Q_" in source or b"signals" in source or b"slots" in source):
        source = _QT.sub(_plain_class, source)
    if b"/*" in source:
        source = _MACRO_LINE.sub(lambda line: _COMMENT.sub(_blank, line[0]), source)
    for pattern in (_ON_ENUM, _ON_TYPE, _GUARDED, _BEFORE, _BETWEEN, _AFTER, _BEHIND):
        source = pattern.sub(_blank, source)
    if b" __" in source or b"(__" in source or b"\t__" in source:
        source = _ON_PARAMETER.sub(_blank, source)
    source = _OF_CLASS.sub(_blank_first, source)
    for pattern in (_MIDDLE, _AROUND_NAME):
        source = pattern.sub(_blank_behind_type, source)
    for pattern in (_ON_POINTER, _RESERVED, _EXPLICIT, _ON_BLOCK):
        source = pattern.sub(_blank, source)
    source = _ON_FIELD.sub(_blank_on_field, source)
    source = _ALONE.sub(_blank, source)
    return _LAST.sub(_blank_last, source)


def _blank(found: re.Match[bytes]) -> bytes:
    start, end = found.span(found.lastindex or 1)
    before, after = found[0][: start - found.start()], found[0][end - found.start() :]
    return before + re.sub(rb"[^\n]", b" ", found.string[start:end]) + after


def _plain_class(found: re.Match[bytes]) -> bytes:
    """What Qt's own compiler reads in a class; signals are public."""
    start, end = (place - found.start() for place in found.span(found.lastgroup or 0))
    word = b"public" if found.lastgroup == "access" else b""
    return found[0][:start] + word.ljust(end - start) + found[0][end:]


def _blank_first(found: re.Match[bytes]) -> bytes:
    start, end = (place - found.start() for place in found.span(1))
    return found[0][:start] + b" " * (end - start) + found[0][end:]


def _blank_behind_type(found: re.Match[bytes]) -> bytes:
    """A word behind a type and in front of a name, where there is no other type."""
    line = found.string.rfind(b"\n", 0, found.start()) + 1
    before = found.string[line : found.start()]
    # `int APP_CALL run(`, `typedef int APP_CALLBACK(run)(`
    is_typed = len(before) <= _REACH and _TYPED.match(before) is not None and _NO_TYPES.search(before) is None
    return b" " * len(found[0]) if is_typed else found[0]


def _blank_on_field(found: re.Match[bytes]) -> bytes:
    """An attribute behind the name of a field or a variable, and no call."""
    named = _DECLARATOR.search(found.string, max(0, found.start() - _REACH), found.start())
    return found[0] if named is None or named[1] in _NO_NAMES else _blank(found)


def _blank_last(found: re.Match[bytes]) -> bytes:
    """The last word in a struct that stands for fields; in an enum it would be a member."""
    place = found.start()
    return _blank(found) if _BEFORE_LAST.search(found.string, max(0, place - _REACH), place) else found[0]
