"""JavaScript within markup: where it ends, and what of it stands outside of brackets."""

from __future__ import annotations

import re

__all__ = ["after_string", "end_of", "outline", "walk"]

_SIGN = re.compile(rb"[\"'`/(){}\[\]<]")
_IN_TEMPLATE = re.compile(rb"`|\\|\$\{")
_STRINGS = {
    b'"': re.compile(rb'"[^"\\\n]*+(?:\\.[^"\\\n]*+)*"?', re.DOTALL),
    b"'": re.compile(rb"'[^'\\\n]*+(?:\\.[^'\\\n]*+)*'?", re.DOTALL),
}
_PATTERN = re.compile(rb"/[^/\\\[\n]*+(?:(?:\\.|\[[^\]\\\n]*+(?:\\.[^\]\\\n]*+)*\])[^/\\\[\n]*+)*/")
_MARKUP = re.compile(rb"<(?:[A-Za-z]|>)")
_WORD_BEFORE = re.compile(rb"[\w$]+\Z")
_BEFORE_OPERANDS = frozenset(
    b"return typeof case in of await yield delete void else do instanceof new default throw extends".split()
)
_CLOSERS = {b"(": b")", b"[": b"]", b"{": b"}"}
_FARTHEST_BACK = 400
_LONGEST_WORD = 24


def walk(source: bytes, place: int, waiting: list[bytes], *, with_markup: bool = False) -> tuple[str, int]:
    """Goes on to what ends the code, or to an element in it.

    `waiting` holds the signs that are still to come, the innermost last, and is kept up. Gives `end` and the place
    behind the last of them, `markup` and the place of its `<`, or `open` where the text ends before.
    """
    while True:
        if waiting[-1] == b"`":
            found = _IN_TEMPLATE.search(source, place)
            if found is None:
                return "open", len(source)
            place = found.end() + (found[0] == b"\\")
            if found[0] == b"`":
                waiting.pop()
            elif found[0] == b"${":
                waiting.append(b"}")
            if not waiting:
                return "end", place
            continue
        found = _SIGN.search(source, place)
        if found is None:
            return "open", len(source)
        start, sign = found.start(), found[0]
        place = start + 1
        if sign in _STRINGS:
            place = after_string(source, start)
        elif sign == b"/":
            place = _after_slash(source, start)
        elif sign == b"<":
            if with_markup and _MARKUP.match(source, start) and _is_operand_due(source, start):
                return "markup", start
        elif sign == b"`":
            waiting.append(b"`")
        elif sign in _CLOSERS:
            waiting.append(_CLOSERS[sign])
        elif sign == waiting[-1] or sign == b"}":
            # A brace ends what was left open within it.
            while waiting[-1] not in (sign, b"`"):
                waiting.pop()
                if not waiting:
                    return "end", place
            if waiting[-1] == sign:
                waiting.pop()
            if not waiting:
                return "end", place


def end_of(source: bytes, place: int, closer: bytes = b"}") -> int | None:
    """The place of the sign that ends the code which begins at `place`; None where nothing does."""
    how, end = walk(source, place, [closer])
    return end - 1 if how == "end" else None


def outline(code: bytes) -> bytes | None:
    """A text of the same length with blanks for strings, comments and what stands in brackets; None where those do
    not match."""
    shown = bytearray(code)
    depth: list[bytes] = []
    place = since = 0
    while found := _SIGN.search(code, place):
        start, sign = found.start(), found[0]
        place = start + 1
        if sign in _STRINGS:
            place = after_string(code, start)
        elif sign == b"/":
            place = _after_slash(code, start)
        elif sign == b"`":
            end = end_of(code, place, b"`")
            if end is None:
                return None
            place = end + 1
        elif sign in _CLOSERS:
            since = start if not depth else since
            depth.append(_CLOSERS[sign])
            continue
        elif sign != b"<":
            if not depth or depth.pop() != sign:
                return None
            if not depth:
                shown[since + 1 : start] = b" " * (start - since - 1)
            continue
        if not depth and place > start + 1:
            shown[start:place] = b" " * (place - start)
    return None if depth else bytes(shown)


def after_string(source: bytes, start: int) -> int:
    """The place behind the string that begins here; one that is not closed ends with its line."""
    found = _STRINGS[source[start : start + 1]].match(source, start)
    return found.end() if found else start + 1


def _after_slash(source: bytes, start: int) -> int:
    """Behind a comment or a regular expression; behind the sign itself where it divides."""
    following = source[start + 1 : start + 2]
    if following == b"/":
        end = source.find(b"\n", start)
        return len(source) if end < 0 else end
    if following == b"*":
        end = source.find(b"*/", start + 2)
        return len(source) if end < 0 else end + 2
    if _is_operand_due(source, start):
        found = _PATTERN.match(source, start)
        if found:
            return found.end()
    return start + 1


def _is_operand_due(source: bytes, place: int) -> bool:
    """Whether a value may begin here, rather than an operator."""
    before = source[max(0, place - _FARTHEST_BACK) : place].rstrip()
    last = before[-1:]
    if last in (
        b"",
        b"(",
        b"[",
        b"{",
        b",",
        b";",
        b":",
        b"?",
        b"=",
        b"&",
        b"|",
        b"!",
        b"+",
        b"-",
        b"*",
        b"%",
        b"<",
        b"~",
    ):
        return True
    if last == b">":
        return before.endswith(b"=>")
    word = _WORD_BEFORE.search(before, max(0, len(before) - _LONGEST_WORD))
    return word is not None and word[0] in _BEFORE_OPERANDS
