"""What the head of a note says to whom searches: tags, authors, summaries, under whatever key a program keeps them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

__all__ = ["property_text"]

_TOLD = frozenset(
    (
        *("id", "title", "alias", "aliases", "description", "pinned", "supersedes", "valid_from", "valid_until"),
        *("type", "status", "confidence", "space", "cssclass", "cssclasses", "layout", "template", "lang", "language"),
    )
)
"""Keys that are read as what they are, and those that only say how a page is shown."""
_TAGS = frozenset(("tag", "tags", "keywords"))
_WHEN = re.compile(r"date|time|created|modified|changed")
_SOURCE = "source"
"""Where ori writes who kept a note, as a mapping."""
_SAYS = re.compile(r"[^\W\d_]{2}")
_PLACE = re.compile(r"\S*[/\\]\S*|\S+@\S+|\S+\.[A-Za-z0-9]{2,4}")
"""An address, a path or a file: one name without blanks."""
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d")
_SMALL = 100
"""Smaller numbers are mostly an order or a weight."""
_MOST = 2_000
_DEEPEST = 4


def property_text(properties: Mapping[str, object]) -> str:
    """One value a line; empty where there is nothing to search for."""
    lines: list[str] = []
    room = _MOST
    for line in _lines(properties, 0):
        if len(line) > room:
            break
        lines.append(line)
        room -= len(line) + 1
    return "\n".join(lines)


def _lines(properties: Mapping[str, object], depth: int) -> Iterator[str]:
    for key, value in properties.items():
        name = str(key).lower()
        if name not in _TOLD and _WHEN.search(name) is None and not (name == _SOURCE and isinstance(value, Mapping)):
            yield from _values(value, depth, is_tag=name in _TAGS)


def _values(value: object, depth: int, *, is_tag: bool) -> Iterator[str]:
    if isinstance(value, str):
        text = " ".join(value.split())
        if _SAYS.search(text) is not None and (is_tag or not _is_technical(text)):
            yield text
    elif isinstance(value, int) and not isinstance(value, bool):
        if value >= _SMALL:
            yield str(value)
    elif depth < _DEEPEST and isinstance(value, Mapping):
        yield from _lines(value, depth + 1)
    elif depth < _DEEPEST and isinstance(value, list | tuple):
        for one in value:
            yield from _values(one, depth + 1, is_tag=is_tag)


def _is_technical(text: str) -> bool:
    return _PLACE.fullmatch(text) is not None or _MOMENT.match(text) is not None
