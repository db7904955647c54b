"""Svelte: scripts of the module and of the component, and markup with code in braces."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from attrs import define, field

from aries_language_components.code import end_of, outline
from aries_language_components.markup import VOID, Attribute, Tag, after_block, after_comment, start_tag
from aries_language_components.scripts import add_script, dialect_of, language_of
from aries_language_components.weaving import Woven

if TYPE_CHECKING:
    from aries_language_javascript.dialect import Dialect
    from aries_language_syntax.text import Text

__all__ = ["weave"]

_NEXT = re.compile(rb"[<{]")
_CLOSING = re.compile(rb"</([^\s>/]{0,200})[^>]{0,400}>")
_WORD = re.compile(rb"\s*([#:@/][a-z]+(?:\s+if\b)?)\s*")
_AS = re.compile(rb"\sas\s")
_THEN = re.compile(rb"\s(?:then|catch)(?:\s+|\Z)")
_SHORT = re.compile(rb"[A-Za-z_$][\w$]*\Z")
_OF_VALUES = frozenset(b"bind class style".split())
"""Directives whose name is what they say about, where they have no value."""
_OF_FUNCTIONS = frozenset(b"animate in out transition use".split())
"""Directives whose name is a function of the script."""


def weave(text: Text) -> tuple[Woven, Dialect] | None:
    """The component as a program, and the dialect of it; None where there is no markup at all."""
    woven = Woven(text)
    markup = _Markup(woven)
    markup.read()
    return (woven, dialect_of(markup.languages)) if markup.languages or markup.is_any else None


@define(eq=False)
class _Markup:
    woven: Woven
    languages: set[str] = field(factory=set)
    is_any: bool = False
    """Whether there is an element or code."""
    _open: list[tuple[bytes, bytes]] = field(factory=list)
    """Elements and blocks (with `#`) that are open, and what ends the scopes that they began."""

    def read(self) -> None:
        source, place = self.woven.text.source, 0
        while found := _NEXT.search(source, place):
            start = found.start()
            if found[0] == b"{":
                end = end_of(source, start + 1)
                if end is None:
                    self.woven.broken(start)
                    break
                self.is_any = True
                self._code(start + 1, end)
                place = end + 1
            elif source.startswith(b"<!", start):
                place = after_comment(source, start)
            elif closing := _CLOSING.match(source, start):
                self._close(closing[1])
                place = closing.end()
            else:
                tag = start_tag(source, start, has_code=True)
                if tag is not None and not tag.name:
                    self.woven.broken(start)
                    break
                place = start + 1 if tag is None else self._element(tag)
        for _, closer in reversed(self._open):
            self.woven.say(closer)

    def _element(self, tag: Tag) -> int:
        source = self.woven.text.source
        self.is_any = True
        if tag.name in (b"script", b"style"):
            start, end = tag.end, after_block(source, tag)[0] if not tag.is_whole else tag.end
            if tag.name == b"script" and not self._open:
                self._script(tag, start, end)
            return tag.end if tag.is_whole else after_block(source, tag)[1]
        if tag.name[:1].isupper() or b"." in tag.name:
            self.woven.tag(tag.name, tag.place)
        names: list[Attribute] = []
        for one in tag.attributes:
            if one.name.startswith(b"let:"):
                names.append(one)
            else:
                self._attribute(one)
        closer = b""
        if names:
            self.woven.say(b";((")
            for one in names:
                self.woven.copy(*(one.codes[0] if one.codes else (one.place + 4, one.place + len(one.name))))
                self.woven.say(b",")
            self.woven.say(b")=>{")
            closer = b"});"
        if tag.is_whole or tag.name.lower() in VOID:
            self.woven.say(closer)
        else:
            self._open.append((tag.name, closer))
        return tag.end

    def _script(self, tag: Tag, start: int, end: int) -> None:
        source = self.woven.text.source
        language = language_of(tag, source)
        if language is None:
            self.woven.broken(tag.place)
            return
        self.languages.add(language)
        is_module = tag.text(source, b"module") is not None or tag.text(source, b"context") == b"module"
        add_script(self.woven, start, end, is_module=is_module)

    def _attribute(self, one: Attribute) -> None:
        kind, colon, rest = one.name.partition(b":")
        name = rest.partition(b"|")[0]
        place = one.place + len(kind) + 1
        is_use = kind in _OF_FUNCTIONS or (kind in _OF_VALUES and one.start < 0)
        if colon and is_use and _SHORT.match(name.partition(b".")[0]):
            self.woven.value(place, place + len(name))
        for start, end in one.codes:
            code = self.woven.text.source[start:end]
            if code.lstrip().startswith(b"@attach"):
                start += code.index(b"@attach") + len(b"@attach")
            self._value(start, end)

    def _close(self, name: bytes) -> None:
        """An element ends, with all in it that did not; a block around it stays."""
        for place in range(len(self._open) - 1, -1, -1):
            if self._open[place][0].startswith(b"#"):
                return
            if self._open[place][0] == name:
                self._end(place)
                return

    def _end(self, place: int) -> None:
        while len(self._open) > place:
            self.woven.say(self._open.pop()[1])

    def _code(self, start: int, end: int) -> None:
        found = _WORD.match(self.woven.text.source, start, end)
        if found is None:
            self._value(start, end)
            return
        word, start = b" ".join(found[1].split()), found.end()
        if word.startswith(b"/"):
            blocks = [place for place, (name, _) in enumerate(self._open) if name == b"#" + word[1:]]
            if blocks:
                self._end(blocks[-1])
        elif word.startswith(b"#"):
            self._block(word, start, end)
        elif word.startswith(b":"):
            self._branch(word, start, end)
        elif word == b"@const":
            if self._is_code(start, end):
                self.woven.say(b";const ")
                self.woven.copy(start, end)
                self.woven.say(b";")
        else:
            self._value(start, end)

    def _block(self, word: bytes, start: int, end: int) -> None:
        if not self._is_code(start, end):
            self._open.append((word, b""))
        elif word == b"#each":
            self._each(start, end)
        elif word == b"#snippet":
            self.woven.say(b";function ")
            self.woven.copy(start, end)
            self.woven.say(b"{")
            self._open.append((word, b"}"))
        else:
            shown = outline(self.woven.text.source[start:end]) or b""
            then = _THEN.search(shown) if word == b"#await" else None
            self._value(start, start + then.start() if then else end)
            self._scope(word, start + then.end() if then else end, end)

    def _each(self, start: int, end: int) -> None:
        shown = outline(self.woven.text.source[start:end]) or b""
        words = list(_AS.finditer(shown))
        if not words:
            self._value(start, end)
            self._scope(b"#each", end, end)
            return
        names, key = words[-1].end(), shown.find(b"(", words[-1].end())
        self._value(start, start + words[-1].start())
        self._scope(b"#each", start + names, end if key < 0 else start + key)
        if key >= 0:
            self._value(start + key, end)

    def _scope(self, word: bytes, start: int, end: int) -> None:
        """Begins the body of a block, in which the names between two places are known."""
        if self.woven.text.source[start:end].strip():
            self.woven.say(b";((")
            self.woven.copy(start, end)
            self.woven.say(b")=>{")
            self._open.append((word, b"});"))
        else:
            self.woven.say(b";{")
            self._open.append((word, b"}"))

    def _branch(self, word: bytes, start: int, end: int) -> None:
        """`{:else}`, `{:then value}`: another body of the innermost block."""
        blocks = [place for place, (name, _) in enumerate(self._open) if name.startswith(b"#")]
        if not blocks:
            self.woven.broken(start)
            return
        name = self._open[blocks[-1]][0]
        self._end(blocks[-1])
        if not self._is_code(start, end):
            self._open.append((name, b""))
            return
        is_test = word.endswith(b"if")
        if is_test:
            self._value(start, end)
        self._scope(name, end if is_test else start, end)

    def _value(self, start: int, end: int) -> None:
        if self._is_code(start, end) and self.woven.text.source[start:end].strip():
            self.woven.value(start, end)

    def _is_code(self, start: int, end: int) -> bool:
        """Whether it can stand in the program without a bracket that would end something else."""
        if outline(self.woven.text.source[start:end]) is None:
            self.woven.broken(start)
            return False
        return True
