"""What is right, and a grammar does not take: written so that it does, each byte in its place.

The text is mended for the parser alone, after it found errors; names and heads are read from the file as it is.
"""

from __future__ import annotations

import re

__all__ = ["mended_scripts", "mended_types"]

_RESERVED = (
    rb"break|case|catch|class|const|continue|debugger|default|delete|do|else|enum|export|extends|finally|for|function|if|"
    rb"import|in|instanceof|new|null|return|super|switch|this|throw|true|false|try|typeof|var|void|while|with"
)
_ATTRIBUTE = re.compile(rb"(?<=\s)(?:" + _RESERVED + rb")(?=\s*=\s*[\"'{<])")
"""In `<label for="x">`. Nothing else may stand before such a sign: a reserved word takes no value."""
_EXPORTED_AS = re.compile(rb"(?<=[\w$\"']\sas\s)(?!default\b)(?:" + _RESERVED + rb")(?=\s*[,}])")
_IMPORTED_AS = re.compile(rb"([{,]\s*)(?!default\b)(" + _RESERVED + rb")(?=\sas\s)")
"""`export { name as class }`: what others ask for may be called as words of the language are."""
_ENTITIES = re.compile(rb"(?<==)(?:\"[^\"\n]{0,900}&[^\"\n]{0,900}\"|'[^'\n]{0,900}&[^'\n]{0,900}')")
"""`href="?a=1&b=2"`: a browser takes it, an entity it is not."""
_COMMENT = rb"(?://[^\n]{0,400}|/\*(?:[^*]|\*(?!/)){0,400}\*/[ \t]*)?"
_SIGNATURE = re.compile(
    rb"(?<=[\w)\]}>'\"`])(?<!=>)((?:[ \t]*"
    + _COMMENT
    + rb"\n){1,60}[ \t]*)[ \t](?=<[A-Za-z_$\n]|in[\w$]{0,80}\??[ \t]?:)"
)
"""A member `<T>(x: T): T` of an interface, or one like `index: T`, below one that ends with its line. Comments are no
longer and no more than that: where none of many ends, each would be looked through to the end of the file."""
_VARIANCE = re.compile(rb"(?<=[<,])(\s*)((?:in\s+)?out|in)(?=\s+[A-Za-z_$])")
_TYPES_OF_ALL = re.compile(rb"(?<=\bexport)(\s+)type(?=\s*\*)")
_IMPORT = (
    rb"import\((?:\"[^\"\n]{1,300}\"|'[^'\n]{1,300}')"
    rb"(?:,[ ]?\{[ ]?[\w$]{1,20}:[ ]?\{[^{}\n]{1,80}\}[ ]?\})?\)"
)
_TYPE_BEHIND = re.compile(
    rb"((?:<|\b(?:extends|implements|keyof|typeof))[ \t]{0,4}(?:typeof[ \t]{1,4})?)(" + _IMPORT + rb")"
)
_TYPE_BEFORE = re.compile(
    rb"(?<![\w$.])" + _IMPORT + rb"(?=(?:\.(?!(?:then|catch|finally)\b)[\w$]{1,80}){0,6}[ \t]?[<\[]"
    rb"|(?:\.[\w$]{1,80}){1,6}[ \t]?>)"
)
"""`import("x")` where only a type can be: a grammar takes it for a value, which has no `<A>`. Nobody compares one."""


def mended_scripts(source: bytes) -> bytes:
    """JSX whose attributes are called as words of the language are, or hold an `&`; exports that are called so."""
    return _with_exports(_with_entities(_ATTRIBUTE.sub(lambda found: b"x" * len(found[0]), source)))


def mended_types(source: bytes) -> bytes:
    """Signatures that no semicolon ends, `export type *`, modules as types, and which way a type parameter may vary."""
    source = _with_exports(source)
    source = _with_entities(_SIGNATURE.sub(rb"\1;", source))
    source = _TYPES_OF_ALL.sub(rb"\1    ", source)
    if b"import(" in source:
        source = _TYPE_BEHIND.sub(lambda found: found[1] + _named(found[2]), source)
        source = _TYPE_BEFORE.sub(lambda found: _named(found[0]), source)
    return _VARIANCE.sub(lambda found: found[1] + b" " * len(found[2]), source)


def _named(module: bytes) -> bytes:
    """A name of the same length, in the place of `import("x")`."""
    return b"i" + b"_" * (len(module) - 1)


def _with_exports(source: bytes) -> bytes:
    source = _EXPORTED_AS.sub(lambda found: b"x" * len(found[0]), source)
    return _IMPORTED_AS.sub(lambda found: found[1] + b"x" * len(found[2]), source)


def _with_entities(source: bytes) -> bytes:
    return _ENTITIES.sub(lambda found: found[0].replace(b"&", b"_"), source)
