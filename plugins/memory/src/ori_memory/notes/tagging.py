"""Tags, in the frontmatter and in the text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from ori_memory.model import Link
from ori_memory.notes.scalars import Raw, text_of
from ori_memory.notes.spans import Spans

__all__ = ["inline_tags", "property_tags", "unique"]

# Letters and digits of any script, emoji, `_`, `-` and `/`; other signs and blanks end a tag, as in Obsidian.
# What may not stand before the sign is asked after it: a pattern that begins with a plain sign is found faster.
_TAG = re.compile(
    r"#(?<![\w#/&=?.~%+\\-]#)(?:\[\[([^\[\]\n]+)\]\]"
    r"|([^\s!-,.:-@\[-^`{-\xa0\xa1-\xa9\xab-\xb4\xb6-\xb9\xbb-\xbf\u2000-\u200c\u200e-\u206f\u3000-\u303f\uff01-\uff0f\uff1a-\uff20]+))"
)
_SEPARATOR = re.compile(r"[,\s]+")
_WIKI = re.compile(r"#?\[\[([^\[\]\n]+)\]\]")


def property_tags(raw: Mapping[str, Raw]) -> list[str]:
    """Of the keys `tags` and `tag`: a list, or one text with commas or blanks between them."""
    if not raw:
        return []
    found: list[str] = []
    for key in ("tags", "tag", "Tags"):
        value = raw.get(key)
        if isinstance(value, list):
            for item in value:
                found += _listed(text_of(item) if not isinstance(item, list) else text_of(item[0] if item else None))
        else:
            found += _written(text_of(value))
    return [tag for text in found if (tag := _clean(text))]


def inline_tags(text: str, start: int, code: Spans, links: Iterable[Link]) -> list[str]:
    """The `#tags` of the body, not in code and not within a link."""
    if text.find("#", start) < 0:
        return []
    inside = Spans((link.start, link.end) for link in links)
    found = []
    for match in _TAG.finditer(text, start):
        wiki, plain = match.groups()
        if code.covers(match.start()) or inside.covers(match.start()):
            continue
        tag = _clean(wiki or plain)
        if tag and (wiki or not tag.replace("/", "").replace("-", "").isdigit()):
            found.append(tag)
    return found


def unique(items: Iterable[str]) -> tuple[str, ...]:
    """Without repetition, case aside, in the order of first appearance."""
    seen: dict[str, str] = {}
    for item in items:
        seen.setdefault(item.casefold(), item)
    return tuple(seen.values())


def _listed(text: str) -> list[str]:
    return _written(text) if "," in text or "[[" in text else [text]


def _written(text: str) -> list[str]:
    wiki = _WIKI.findall(text)
    rest = _WIKI.sub(" ", text) if wiki else text
    return [*wiki, *_SEPARATOR.split(rest)]


def _clean(tag: str) -> str:
    return tag.strip().lstrip("#").strip("/ ")
