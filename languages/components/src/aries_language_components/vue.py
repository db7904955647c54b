"""Vue: a template, and one script or two."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from aries_language_components.markup import Tag, after_block, after_comment, start_tag
from aries_language_components.scripts import add_script, dialect_of, language_of
from aries_language_components.template import Template
from aries_language_components.weaving import Woven

if TYPE_CHECKING:
    from aries_language_javascript.dialect import Dialect
    from aries_language_syntax.text import Text

__all__ = ["weave"]

_TEMPLATES = re.compile(rb"<!--|</?template(?=[\s/>])", re.IGNORECASE)
_HTML = (None, b"", b"html")


class _Block(NamedTuple):
    tag: Tag
    start: int
    end: int
    language: str | None


def weave(text: Text) -> tuple[Woven, Dialect] | None:
    """The component as a program, and the dialect of it; None where there is neither a template nor a script."""
    source = text.source
    woven = Woven(text)
    blocks = list(_blocks(source))
    scripts = [one for one in blocks if one.tag.name == b"script"]
    has_setup = any(one.tag.text(source, b"setup") is not None for one in scripts)
    for block in blocks:
        if block.tag.name == b"template":
            if block.tag.text(source, b"lang") in _HTML and block.tag.text(source, b"src") is None:
                Template(woven, block.end, sees_names=has_setup).read(block.start)
            continue
        elsewhere = block.tag.text(source, b"src")
        if elsewhere:
            woven.files.append((text.line(block.tag.place), elsewhere.decode("utf-8", "replace")))
        elif block.language is None:
            woven.broken(block.tag.place)
        else:
            is_setup = block.tag.text(source, b"setup") is not None
            add_script(woven, block.start, block.end, is_module=not is_setup)
    return (woven, dialect_of({one.language for one in scripts if one.language})) if blocks else None


def _blocks(source: bytes) -> list[_Block]:
    """The templates and scripts at the root; everything else there is left out."""
    found = []
    place = source.find(b"<")
    while place >= 0:
        tag = start_tag(source, place, has_code=False)
        if tag is None:
            place = after_comment(source, place) if source.startswith(b"<!", place) else place + 1
        elif tag.is_whole:
            place = tag.end
            if tag.name in (b"script", b"template"):
                found.append(_Block(tag, tag.end, tag.end, language_of(tag, source)))
        else:
            is_markup = tag.name == b"template" and tag.text(source, b"lang") in _HTML
            end, place = _after_template(source, tag.end) if is_markup else after_block(source, tag)
            if tag.name in (b"script", b"template"):
                found.append(_Block(tag, tag.end, end, language_of(tag, source)))
        place = source.find(b"<", place)
    return found


def _after_template(source: bytes, place: int) -> tuple[int, int]:
    """Where the text of a template ends, which may hold others, and where the template does."""
    depth = 1
    while found := _TEMPLATES.search(source, place):
        place = found.end()
        if found[0] == b"<!--":
            place = after_comment(source, found.start())
        elif found[0].startswith(b"</"):
            depth -= 1
            if not depth:
                end = source.find(b">", place)
                return found.start(), len(source) if end < 0 else end + 1
        else:
            tag = start_tag(source, found.start(), has_code=False)
            place = place if tag is None else tag.end
            depth += tag is not None and not tag.is_whole
    return len(source), len(source)
