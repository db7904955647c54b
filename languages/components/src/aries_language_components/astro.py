"""Astro: a script between fences, and markup with code in braces that holds markup in turn."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from attrs import define, field

from aries_language_components.code import walk
from aries_language_components.markup import VOID, after_block, after_comment, start_tag
from aries_language_components.scripts import add_script
from aries_language_components.weaving import Woven
from aries_language_typescript.dialects import PLAIN

if TYPE_CHECKING:
    from aries_language_javascript.dialect import Dialect
    from aries_language_syntax.text import Text

__all__ = ["weave"]

_BEGIN = re.compile(rb"(?:\s|<!--(?:[^-]|-(?!->))*-->)*---")
_END = re.compile(rb"^[ \t]*---|---(?=[ \t]*(?:\n|<|\Z))", re.MULTILINE)
_IN_TEXT = re.compile(rb"[<{}]")
_CLOSING = re.compile(rb"</([^\s>/]{0,200})[^>]{0,400}>")
_NAME = re.compile(rb"<([A-Za-z][^\s/>{\"'=<]*)?")
_IN_TAG = re.compile(rb"[\s/]*+(?:(>)|(\{)|([^\s=>/{`\"'][^\s=>/{`]*+)(?:\s*+=\s*+)?|([\"'`]))")
_BLANK = re.compile(rb"[\s/]*+")
_BARE = re.compile(rb"[^\s>\"'`{][^\s>]*+")
_ALONE = (b"script", b"style")


def weave(text: Text) -> tuple[Woven, Dialect] | None:
    """The component as a program, and the dialect of it; None where there is neither a script nor markup."""
    source, woven = text.source, Woven(text)
    begin = _BEGIN.match(source)
    place = 0
    if begin is not None:
        end = _END.search(source, begin.end())
        if end is None:
            woven.broken(begin.end())
        stop = len(source) if end is None else end.start()
        add_script(woven, begin.end(), stop, is_module=False)
        place = len(source) if end is None else end.end()
    elif not re.search(rb"<[A-Za-z!>]|\{", source):
        return None
    _Markup(woven).read(place)
    return woven, PLAIN


@define(eq=False)
class _Text:
    """Markup: of the file, or within code."""

    is_inner: bool
    elements: list[bytes] = field(factory=list)


@define(eq=False)
class _Element:
    """A tag that is being read."""

    name: bytes
    is_raw: bool = False


@define(eq=False)
class _Code:
    """Code: what is still to come of brackets."""

    start: int
    waiting: list[bytes]
    is_string: bool
    """Whether the sign that ends it belongs to it."""


@define(eq=False)
class _Markup:
    """Reads in one go with what is open on a stack: markup holds code, and code holds markup, to any depth."""

    woven: Woven
    _open: list[_Text | _Element | _Code] = field(factory=lambda: [_Text(is_inner=False)])

    def read(self, place: int) -> None:
        size = len(self.woven.text.source)
        while self._open and place < size:
            inner = self._open[-1]
            if isinstance(inner, _Code):
                place = self._code(inner, place)
            elif isinstance(inner, _Element):
                place = self._tag(inner, place)
            else:
                place = self._text(inner, place)
        if len(self._open) > 1:
            self._give_up(size)

    def _give_up(self, size: int) -> None:
        """The file ends within something: brackets are closed, so that the program can be read."""
        self.woven.broken(size - 1)
        for inner in reversed(self._open):
            if isinstance(inner, _Code):
                self.woven.say(b"".join(reversed(inner.waiting[1:])) + b"];")
            elif isinstance(inner, _Text) and inner.is_inner:
                self.woven.say(b"0]")

    @property
    def _is_in_code(self) -> bool:
        return any(isinstance(one, _Code) for one in self._open)

    def _begin_code(self, start: int, closer: bytes = b"}") -> None:
        self.woven.say(b"[" if self._is_in_code else b";[")
        self._open.append(_Code(start, [closer], closer == b"`"))

    def _code(self, code: _Code, place: int) -> int:
        source = self.woven.text.source
        how, end = walk(source, place, code.waiting, with_markup=True)
        stop = end if how != "end" or code.is_string else end - 1
        self.woven.copy(code.start, stop)
        if how == "markup":
            code.start = end
            self.woven.say(b"[")
            self._open.append(_Text(is_inner=True))
        elif how == "end":
            self._open.pop()
            self.woven.say(b"]," if self._is_in_code else b"];")
        return end

    def _text(self, text: _Text, place: int) -> int:
        source = self.woven.text.source
        found = _IN_TEXT.search(source, place)
        if found is None:
            return len(source)
        start = found.start()
        if found[0] == b"{":
            self._begin_code(start + 1)
            return start + 1
        if found[0] == b"}":
            if text.is_inner:  # The element was not closed: the code around it goes on.
                self._end_inner(start)
            return start if text.is_inner else start + 1
        if source.startswith(b"<!", start):
            return after_comment(source, start)
        if closing := _CLOSING.match(source, start):
            if closing[1] in text.elements:
                while text.elements.pop() != closing[1]:
                    pass
            return self._after_element(text, closing.end())
        return self._begin_tag(start)

    def _begin_tag(self, start: int) -> int:
        source = self.woven.text.source
        named = _NAME.match(source, start)
        if named is None or (named[1] is None and source[start + 1 : start + 2] != b">"):
            return start + 1
        name = named[1] or b""
        if name in _ALONE:
            return self._alone(start)
        if name[:1].isupper() or b"." in name:
            self._use(name, start + 1)
        self._open.append(_Element(name))
        return named.end()

    def _use(self, name: bytes, place: int) -> None:
        if self._is_in_code:
            self.woven.tags.add(self.woven.size + 1)
            self.woven.copy(place, place + len(name))
            self.woven.say(b",")
        else:
            self.woven.tag(name, place)

    def _alone(self, start: int) -> int:
        """A script or a style. Scripts with nothing but a source are bundled, others go to the browser as they are."""
        source, text = self.woven.text.source, self._open[-1]
        tag = start_tag(source, start, has_code=True)
        if tag is None:
            return start + 1
        for one in tag.attributes:
            for begin, stop in one.codes:
                self._begin_code(begin)
                self.woven.copy(begin, stop)
                self._open.pop()
                self.woven.say(b"]," if self._is_in_code else b"];")
        stop, end = (tag.end, tag.end) if tag.is_whole else after_block(source, tag)
        elsewhere = tag.text(source, b"src")
        if tag.name == b"script" and all(one.name == b"src" and not one.codes for one in tag.attributes):
            if elsewhere is not None and elsewhere.startswith((b"./", b"../")):
                self.woven.files.append((self.woven.text.line(tag.place), elsewhere.decode("utf-8", "replace")))
            elif elsewhere is None and not self._is_in_code:
                self.woven.say(b";{")
                self.woven.copy(tag.end, stop)
                self.woven.say(b"}")
        return self._after_element(text, end) if isinstance(text, _Text) else end

    def _tag(self, element: _Element, place: int) -> int:
        source = self.woven.text.source
        found = _IN_TAG.match(source, place)
        if found is None:
            return _BLANK.match(source, place).end() + 1  # type: ignore[union-attr]  # It matches nothing as well.
        if found[1]:
            return self._end_tag(element, source[place : found.end() - 1].rstrip().endswith(b"/"), found.end())
        if found[2]:
            self._begin_code(found.end())
            return found.end()
        if found[4]:
            return self._quoted(found.start(4))
        element.is_raw |= found[3] == b"is:raw"
        if b"=" not in source[found.end(3) : found.end()]:
            return found.end()
        bare = _BARE.match(source, found.end())
        return bare.end() if bare else found.end()

    def _quoted(self, start: int) -> int:
        source = self.woven.text.source
        quote = source[start : start + 1]
        if quote == b"`":
            self._begin_code(start, b"`")
            return start + 1
        end = source.find(quote, start + 1)
        return len(source) if end < 0 else end + 1

    def _end_tag(self, element: _Element, is_whole: bool, place: int) -> int:
        self._open.pop()
        text = self._open[-1]
        if not isinstance(text, _Text):
            return place
        if is_whole or element.name.lower() in VOID:
            return self._after_element(text, place)
        if element.is_raw:
            end = self.woven.text.source.find(b"</" + element.name, place)
            place = len(self.woven.text.source) if end < 0 else end
        text.elements.append(element.name)
        return place

    def _after_element(self, text: _Text, place: int) -> int:
        if text.is_inner and not text.elements:
            self._end_inner(place)
        return place

    def _end_inner(self, place: int) -> None:
        self.woven.say(b"0]")
        self._open.pop()
        code = self._open[-1]
        if isinstance(code, _Code):
            code.start = place
