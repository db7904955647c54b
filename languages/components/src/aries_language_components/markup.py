"""Tags and their attributes, as the compilers of components read them."""

from __future__ import annotations

import re
from typing import NamedTuple

from aries_language_components.code import end_of

__all__ = ["VOID", "Attribute", "Tag", "after_block", "after_comment", "start_tag"]

VOID = frozenset(b"area base br col embed hr img input link meta param source track wbr".split())
"""Elements without an end."""
_TAG = re.compile(rb"<([A-Za-z][^\s/>{\"'=<]*)")
_BLANK = re.compile(rb"[\s/]*+")
_NAME = re.compile(rb"[^\s=>/{\"'][^\s=>/{]*+")
_VUE_NAME = re.compile(rb"[^\s=>/][^\s=>/]*+")
_EQUALS = re.compile(rb"\s*+=\s*+")
_BARE = re.compile(rb"[^\s>]++")


class Attribute(NamedTuple):
    """One attribute of a tag."""

    name: bytes
    """Empty for code in its place: `{...rest}`, `{shorthand}`."""
    place: int
    start: int
    """Of its value, without quotes and braces; -1 for none."""
    end: int
    codes: tuple[tuple[int, int], ...] = ()
    """The code in its value."""


class Tag(NamedTuple):
    """The beginning of an element."""

    name: bytes
    place: int
    """Of the name."""
    attributes: list[Attribute]
    end: int
    """Behind its `>`."""
    is_whole: bool
    """Whether the element ends with it: `<br/>`."""

    def text(self, source: bytes, name: bytes) -> bytes | None:
        """The value of an attribute; empty where it has none, None where it is not there."""
        for one in self.attributes:
            if one.name == name:
                return source[one.start : one.end] if one.start >= 0 else b""
        return None


def start_tag(source: bytes, place: int, *, has_code: bool) -> Tag | None:
    """The tag that begins here; None where none does. `has_code`: braces hold code.

    One that does not end takes all that follows, as in browsers, and has no name.
    """
    named = _TAG.match(source, place)
    if named is None:
        return None
    rest = Tag(b"", place, [], len(source), is_whole=True)
    found: list[Attribute] = []
    place = named.end()
    pattern = _NAME if has_code else _VUE_NAME
    while True:
        before = place
        place = _BLANK.match(source, place).end()  # type: ignore[union-attr]  # It matches nothing as well.
        sign = source[place : place + 1]
        if not sign:
            return rest
        if sign == b">":
            is_whole = source[before:place].rstrip().endswith(b"/")
            return Tag(named[1], named.start(1), found, place + 1, is_whole)
        if has_code and sign == b"{":
            end = end_of(source, place + 1)
            if end is None:
                return rest
            found.append(Attribute(b"", place, place + 1, end, ((place + 1, end),)))
            place = end + 1
            continue
        name = pattern.match(source, place)
        if name is None:
            place += 1
            continue
        place = name.end()
        equals = _EQUALS.match(source, place)
        if equals is None:
            found.append(Attribute(name[0], name.start(), -1, -1))
            continue
        attribute = _valued(source, name, equals.end(), has_code)
        if attribute is None:
            return rest
        found.append(attribute)
        place = attribute.end + (source[equals.end() : equals.end() + 1] in (b'"', b"'", b"{", b""))


def _valued(source: bytes, name: re.Match[bytes], place: int, has_code: bool) -> Attribute | None:
    sign = source[place : place + 1]
    if has_code and sign == b"{":
        end = end_of(source, place + 1)
        return None if end is None else Attribute(name[0], name.start(), place + 1, end, ((place + 1, end),))
    if sign in (b'"', b"'"):
        return _quoted(source, name, place, has_code)
    found = _BARE.match(source, place)
    end = found.end() if found else place
    if has_code and found and b"{" in found[0]:
        start = source.index(b"{", place) + 1
        stop = end_of(source, start)
        return None if stop is None else Attribute(name[0], name.start(), place, stop + 1, ((start, stop),))
    if source[end - 1 : end] == b"/" and source[end : end + 1] == b">" and end - 1 > place:
        end -= 1
    return Attribute(name[0], name.start(), place, end)


def _quoted(source: bytes, name: re.Match[bytes], place: int, has_code: bool) -> Attribute | None:
    quote, start = source[place : place + 1], place + 1
    codes: list[tuple[int, int]] = []
    place = start
    while True:
        end = source.find(quote, place)
        if end < 0:
            return None
        brace = source.find(b"{", place, end) if has_code else -1
        if brace < 0:
            return Attribute(name[0], name.start(), start, end, tuple(codes))
        stop = end_of(source, brace + 1)
        if stop is None:
            return None
        codes.append((brace + 1, stop))
        place = stop + 1


def after_comment(source: bytes, place: int) -> int:
    """Behind the comment, or the declaration, that begins here."""
    end = source.find(b"-->", place) + 3 if source.startswith(b"<!--", place) else source.find(b">", place) + 1
    return end if end > place else len(source)


def after_block(source: bytes, tag: Tag) -> tuple[int, int]:
    """Where the text of an element ends that holds no markup, and where the element does; as in HTML, at the first
    `</name`, wherever that stands."""
    found = re.compile(rb"</" + re.escape(tag.name) + rb"(?=[\s/>])[^>]*+>?", re.IGNORECASE).search(source, tag.end)
    return (found.start(), found.end()) if found else (len(source), len(source))
