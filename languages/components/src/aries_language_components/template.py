"""Templates of Vue: which names of the script they use."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from attrs import define, field

from aries_language_components.code import outline
from aries_language_components.markup import VOID, Attribute, Tag, after_block, after_comment, start_tag
from aries_language_components.native import is_native

if TYPE_CHECKING:
    from aries_language_components.weaving import Woven

__all__ = ["Template"]

_NEXT = re.compile(rb"<|\{\{")
_CLOSING = re.compile(rb"</([^\s>/]{0,200})[^>]{0,400}>")
_IN_OR_OF = re.compile(rb"\s(?:in|of)\s")
_IDENTIFIER = re.compile(rb"[A-Za-z_$][\w$]*\Z")
_DYNAMIC = re.compile(rb"[:@#]\[([^\]]+)\]|^v-\w+:\[([^\]]+)\]")
_BUILT_IN = frozenset(b"bind cloak else else-if for html if is memo model on once pre show slot text".split())
_WITHOUT_VALUE = frozenset(b"v-cloak v-else v-once v-pre".split())
_ENTITIES = ((b"&quot;", b'"'), (b"&#39;", b"'"), (b"&apos;", b"'"), (b"&lt;", b"<"), (b"&gt;", b">"), (b"&amp;", b"&"))


@define(eq=False)
class Template:
    """Adds the code of one template to the program of its component."""

    woven: Woven
    stop: int
    sees_names: bool
    """Whether expressions see what the script declares; else they see members of the component, and only tags count."""
    _open: list[tuple[bytes, bytes]] = field(factory=list)
    """Names of the elements that are open, and what ends the scopes that they began."""
    _as_it_is: int | None = None
    """How many elements were open where one began whose content is no template."""
    _has_end: bool = True
    """Whether there is a `}}` any more."""

    def read(self, place: int) -> None:
        """From the first byte of its text on."""
        source = self.woven.text.source
        while found := _NEXT.search(source, place, self.stop):
            start = found.start()
            if found[0] == b"{{":
                place = self._mustache(start)
            elif source.startswith(b"<!", start):
                place = after_comment(source, start)
            elif closing := _CLOSING.match(source, start, self.stop):
                self._close(closing[1])
                place = closing.end()
            else:
                tag = start_tag(source, start, has_code=False)
                if tag is not None and (not tag.name or tag.end > self.stop):
                    self.woven.broken(start)
                    break
                place = start + 1 if tag is None else self._element(tag)
        for _, closer in reversed(self._open):
            self.woven.say(closer)

    def _mustache(self, start: int) -> int:
        source = self.woven.text.source
        end = source.find(b"}}", start + 2, self.stop) if self._has_end else -1
        if end < 0:
            self._has_end = False
            self.woven.broken(start)
            return start + 2
        if self._as_it_is is None and self.sees_names:
            self._value(start + 2, end)
        return end + 2

    def _close(self, name: bytes) -> None:
        if any(one == name for one, _ in self._open):
            while True:
                last, closer = self._open.pop()
                self.woven.say(closer)
                if last == name:
                    break
        if self._as_it_is is not None and len(self._open) <= self._as_it_is:
            self._as_it_is = None

    def _element(self, tag: Tag) -> int:
        source = self.woven.text.source
        if tag.name in (b"script", b"style"):
            return tag.end if tag.is_whole else after_block(source, tag)[1]
        closers = b""
        if self._as_it_is is None:
            if self.sees_names:
                closers = self._scopes(tag)
            for name in _names(tag.name):
                self.woven.tag(name, tag.place)
            if tag.text(source, b"v-pre") is not None:
                self._as_it_is = None if tag.is_whole else len(self._open)
        if tag.is_whole or tag.name.lower() in VOID:
            self.woven.say(closers)
        else:
            self._open.append((tag.name, closers))
        return tag.end

    def _scopes(self, tag: Tag) -> bytes:
        """The attributes; gives what ends the scopes that they begin."""
        closers = b""
        loop = next((one for one in tag.attributes if one.name == b"v-for"), None)
        if loop is not None and self._loop(loop):
            closers = b"});"
        slots = []
        for one in tag.attributes:
            if one.name in (b"slot-scope", b"v-slot") or one.name.startswith((b"#", b"v-slot:")):
                slots.append(one)
            elif one is not loop:
                self._attribute(tag, one)
        for one in slots:
            self._dynamic(one)
            if one.start >= 0 and self._is_code(one.start, one.end):
                self.woven.say(b";((")
                self._copy(one.start, one.end)
                self.woven.say(b")=>{")
                closers += b"});"
        return closers

    def _loop(self, loop: Attribute) -> bool:
        """`(item, index) in items`: the names are known in the element alone."""
        source = self.woven.text.source
        shown = outline(source[loop.start : loop.end]) if loop.start >= 0 else None
        word = _IN_OR_OF.search(shown) if shown is not None else None
        if shown is None or word is None:
            self.woven.broken(loop.place)
            return False
        start, end = loop.start, loop.start + word.start()
        names = shown[: word.start()]
        if names.lstrip().startswith(b"(") and names.rstrip().endswith(b")"):
            start += names.index(b"(") + 1
            end = loop.start + names.rindex(b")")
        self._value(loop.start + word.end(), loop.end)
        self.woven.say(b";((")
        self._copy(start, end)
        self.woven.say(b")=>{")
        return True

    def _attribute(self, tag: Tag, one: Attribute) -> None:
        name = one.name
        self._dynamic(one)
        if name == b"ref" and one.start >= 0:
            if _IDENTIFIER.match(self.woven.text.source, one.start, one.end):
                self.woven.value(one.start, one.end)
        elif name.startswith((b"@", b"v-on")):
            if one.start >= 0:
                self._handler(one)
        elif name.startswith((b":", b".", b"v-bind:")) and one.start < 0:
            argument = name.lstrip(b":.").removeprefix(b"v-bind:").partition(b".")[0]
            if argument and not argument.startswith(b"["):
                self.woven.value(one.place, one.place + len(name), _camel(argument))
        elif name.startswith((b":", b".", b"v-")) and name not in _WITHOUT_VALUE:
            word = re.split(rb"[:.]", name.removeprefix(b"v-"), maxsplit=1)[0]
            if name.startswith(b"v-") and word and word not in _BUILT_IN:
                self.woven.value(one.place, one.place + len(name), b"v" + _capital(_camel(word)))
            if one.start >= 0:
                self._value(one.start, one.end)
        elif name == b"is" and one.start >= 0 and tag.name.lower() == b"component":
            for written in _names(self.woven.text.source[one.start : one.end].strip()):
                self.woven.tag(written, one.start)

    def _dynamic(self, one: Attribute) -> None:
        found = _DYNAMIC.search(one.name)
        if found:
            group = 1 if found[1] is not None else 2
            self._value(one.place + found.start(group), one.place + found.end(group))

    def _handler(self, one: Attribute) -> None:
        code = self._code(one.start, one.end)
        shown = outline(code)
        if shown is None:
            self.woven.broken(one.start)
        elif b";" in shown or re.match(rb"\s*(?:if|for|switch|try|const|let|return)\b", shown):
            self.woven.say(b";{")
            self._copy(one.start, one.end)
            self.woven.say(b"}")
        else:
            self.woven.value(one.start, one.end, code)

    def _value(self, start: int, end: int) -> None:
        if self._is_code(start, end):
            self.woven.value(start, end, self._code(start, end))

    def _is_code(self, start: int, end: int) -> bool:
        """Whether it can stand in the program without a bracket that would end something else."""
        if outline(self._code(start, end)) is None:
            self.woven.broken(start)
            return False
        return True

    def _copy(self, start: int, end: int) -> None:
        self.woven.copy(start, end, self._code(start, end))

    def _code(self, start: int, end: int) -> bytes:
        code = self.woven.text.source[start:end]
        if b"&" in code:
            for entity, sign in _ENTITIES:
                code = code.replace(entity, sign)
        return code


def _names(tag: bytes) -> list[bytes]:
    """The names by which a script may hold the component of a tag."""
    if is_native(tag):
        return []
    if b"." in tag:
        return [tag] if all(map(_IDENTIFIER.match, tag.split(b"."))) else []
    camel = _camel(tag)
    return [one for one in dict.fromkeys((camel, _capital(camel))) if _IDENTIFIER.match(one)]


def _camel(name: bytes) -> bytes:
    first, *rest = name.split(b"-")
    return first + b"".join(map(_capital, rest))


def _capital(name: bytes) -> bytes:
    return name[:1].upper() + name[1:]
