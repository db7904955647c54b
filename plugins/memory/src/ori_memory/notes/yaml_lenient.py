"""Frontmatter that is not YAML, read line by line the way a person means it."""

from __future__ import annotations

import re

from ori_memory.notes.scalars import Plain, Raw
from ori_memory.notes.yaml_fast import Entry

__all__ = ["read_lenient"]

_KEY = re.compile(
    r"""(?:"([^"\n]+)"[ \t]*|'([^'\n]+)'[ \t]*|((?:[^\s#\-\[\]{}&*!|>%@"':]|-[^\s:])[^:\n]*+)):(?!//)[ \t]*(.*)"""
)
_ITEM = re.compile(r"[ \t]*-(?:[ \t]+(.*))?")
_BLOCK_SIGN = re.compile(r"[|>][-+]?\d?")


def read_lenient(inner: str) -> list[Entry]:
    """What can be saved: `key: rest of the line`, lists below a key, and deeper lines as that key's text."""
    entries: list[Entry] = []
    lines = inner.split("\n")
    index = 0
    while index < len(lines):
        match = _KEY.match(lines[index]) if lines[index][:1] not in (" ", "\t", "#", "") else None
        if match is None:
            index += 1
            continue
        first = index
        below: list[str] = []
        index += 1
        while index < len(lines) and _belongs(lines[index]):
            below.append(lines[index])
            index += 1
        key = (match.group(1) or match.group(2) or match.group(3)).strip()
        entries.append(Entry(key, _value(match.group(4).strip(), below), first, index - 1))
    return entries


def _belongs(line: str) -> bool:
    return line[:1] in ("", " ", "\t") or _ITEM.fullmatch(line) is not None


def _value(rest: str, below: list[str]) -> Raw:
    below = [line for line in below if line.strip()]
    if not rest and below and all(_ITEM.fullmatch(line) for line in below):
        return [_scalar((match.group(1) or "").strip()) for line in below if (match := _ITEM.fullmatch(line))]
    if below:
        head = [] if _BLOCK_SIGN.fullmatch(rest) else [rest]
        return "\n".join([*head, *(line.strip() for line in below)]).strip()
    if rest.startswith("[") and rest.endswith("]") and not rest.startswith("[["):
        return [_scalar(item) for part in rest[1:-1].split(",") if (item := part.strip())]
    return _scalar(rest)


def _scalar(text: str) -> str:
    if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'":
        return text[1:-1]
    return Plain(text)
