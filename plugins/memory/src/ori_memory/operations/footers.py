"""The two lists at the end of a note: `Relevant Notes:` and `Areas:`, merged and written once."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ori_memory.notes.code import find_code

__all__ = ["with_footers", "without_footers"]

_HEAD = re.compile(r"^(?:##\s+)?(Relevant Notes|Areas):?[ \t]*\r?$", re.MULTILINE | re.IGNORECASE)
_ITEM = re.compile(r"[ \t]*[-*+][ \t]+\[\[([^\]|#]+)(?:[^\]]*)\]\].*")


def with_footers(text: str, related: Iterable[str], areas: Iterable[str]) -> str:
    """`text` with these targets listed; lists that are there are added to, others are made at the end."""
    newline = "\r\n" if "\r\n" in text else "\n"
    for title, targets in (("Relevant Notes", list(related)), ("Areas", list(areas))):
        text = _with_list(text, title, targets, newline)
    return text


def without_footers(text: str) -> str:
    """`text` without these lists: what somebody wrote."""
    code = find_code(text)
    kept, position = [], 0
    for found in _HEAD.finditer(text):
        if not code.covers(found.start()) and found.start() >= position:
            kept.append(text[position : found.start()])
            position = _items_end(text, found.end())
    return "".join([*kept, text[position:]])


def _items_end(text: str, head_end: int) -> int:
    """Where the list below a heading ends."""
    end = text.find("\n", head_end) + 1 or len(text)
    while end < len(text):
        line_end = text.find("\n", end) + 1 or len(text)
        line = text[end:line_end].rstrip("\r\n")
        if line.strip() and _ITEM.fullmatch(line) is None:
            break
        end = line_end
    return end


def _with_list(text: str, title: str, targets: list[str], newline: str) -> str:
    if not targets:
        return text
    code = find_code(text)
    for found in _HEAD.finditer(text):
        if found[1].casefold() == title.casefold() and not code.covers(found.start()):
            return _added(text, found.end(), targets, newline)
    listed = newline.join(f"- [[{target}]]" for target in dict.fromkeys(targets))
    return f"{text.rstrip()}{newline}{newline}{title}:{newline}{listed}{newline}"


def _added(text: str, head_end: int, targets: list[str], newline: str) -> str:
    """Add to the list that follows a heading, after its last item."""
    position = text.find("\n", head_end) + 1 or len(text)
    there: set[str] = set()
    end = position
    while end < len(text):
        line_end = text.find("\n", end) + 1 or len(text)
        line = text[end:line_end].rstrip("\r\n")
        item = _ITEM.fullmatch(line)
        if item is None and line.strip():
            break
        if item is not None:
            there.add(item[1].strip().casefold())
            position = line_end
        end = line_end
    fresh = [target for target in dict.fromkeys(targets) if target.casefold() not in there]
    before = text[:position] if text[:position].endswith("\n") else text[:position] + newline
    return before + "".join(f"- [[{target}]]{newline}" for target in fresh) + text[position:]
