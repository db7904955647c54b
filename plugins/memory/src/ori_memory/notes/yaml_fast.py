"""The plain part of YAML that most frontmatter is: `key: value`, lists and mappings in it, read strictly and fast.

Whatever is not plainly of that part is left to the whole reader: `read_fast` gives None and guesses nothing.
"""

from __future__ import annotations

import re

from attrs import frozen

from ori_memory.notes.scalars import Plain, Raw

__all__ = ["Entry", "read_fast"]

# A plain scalar that no reader can take for anything else: it begins with a letter, a digit or a sign without meaning,
# and no colon or number sign in it stands where it would mean something.
_PLAIN = r"[^\W_](?:[^\s:#]|:(?=[^\s])|(?<=[^\s])\#|[ ]++(?!\#))*"
_FLOW_PLAIN = r"[^\W_][\w ./+-]*+"
_QUOTED = r""""[^"\\\n]*"|'[^'\n]*'"""
_NAME = r"[^\W\d][\w./-]*(?: [\w./-]+)*"
_KEY = re.compile(rf"({_NAME}):(?: +(.*))?")
_INNER_KEY = re.compile(rf"( +)({_NAME}):(?: +(.*))?")
_SCALAR = re.compile(rf"(?:({_PLAIN})|({_QUOTED})) *")
_FLOW = re.compile(rf"\[ *(?:(?:{_FLOW_PLAIN}|{_QUOTED}) *(?:, *(?:{_FLOW_PLAIN}|{_QUOTED}) *)*)?\] *")
_PAIR = rf"{_NAME}: +(?:{_FLOW_PLAIN}|{_QUOTED}) *"
_FLOW_MAP = re.compile(rf"\{{ *(?:{_PAIR}(?:, *{_PAIR})*)?\}} *")
_FLOW_PAIR = re.compile(rf"({_NAME}): +(?:({_FLOW_PLAIN})|({_QUOTED}))")
_MOST_DEPTH = 8
_FLOW_ITEM = re.compile(rf"({_FLOW_PLAIN})|({_QUOTED})")
_ITEM = re.compile(r"( *)-(?: +(\S.*)| *)")
# Not printable, not of one width, or a line end for some reader: never for the fast path.
_STRANGE = re.compile(
    r"[\x00-\x09\x0b-\x1f\x7f-\xa0\u1680\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff\ud800-\udfff\ufffe\uffff]"
)


@frozen
class Entry:
    """One key of a mapping, with the lines it takes (0-based within the block, `last` included)."""

    key: str
    value: Raw
    first: int
    last: int


def read_fast(inner: str) -> list[Entry] | None:
    """The entries of a block whose line ends are LF; None: it is for the whole reader."""
    if _STRANGE.search(inner) is not None:
        return None
    return _read(inner.split("\n"))


def _read(lines: list[str]) -> list[Entry] | None:
    entries: list[Entry] = []
    seen: set[str] = set()
    index, count = 0, len(lines)
    while index < count:
        line = lines[index]
        if not line.strip(" ") or line[0] == "#":
            index += 1
            continue
        match = _KEY.fullmatch(line)
        if match is None or match.group(1) in seen:
            return None
        key, rest = match.group(1), (match.group(2) or "").rstrip(" ")
        first = index
        value: Raw | None
        if rest:
            value = _value(rest)
            index += 1
        else:
            value, index = _below(lines, index + 1, 0, 0)
        if value is None or (index < count and _goes_on(lines[index])):
            return None
        seen.add(key)
        entries.append(Entry(key, value, first, index - 1))
    return entries


def _goes_on(line: str) -> bool:
    return line[:1] in (" ", "-") and bool(line.strip(" "))


def _value(rest: str) -> Raw | None:
    if rest[0] == "[":
        if _FLOW.fullmatch(rest) is None:
            return None
        return [_item_text(match) for match in _FLOW_ITEM.finditer(rest)]
    if rest[0] == "{":
        if _FLOW_MAP.fullmatch(rest) is None:
            return None
        pairs = [(match.group(1), _text(match.group(2), match.group(3))) for match in _FLOW_PAIR.finditer(rest)]
        return dict(pairs) if len(dict(pairs)) == len(pairs) else None
    return _one(rest)


def _one(rest: str) -> str | None:
    match = _SCALAR.fullmatch(rest)
    if match is None:
        return None
    return _item_text(match)


def _item_text(match: re.Match[str]) -> str:
    return _text(*match.groups())


def _text(plain: str | None, quoted: str) -> str:
    return Plain(plain.rstrip(" ")) if plain is not None else quoted[1:-1]


def _below(lines: list[str], index: int, least: int, depth: int) -> tuple[Raw | None, int]:
    """What stands under a key that is `least` columns in: a list, a mapping further in, or nothing."""
    match = _INNER_KEY.fullmatch(lines[index]) if index < len(lines) else None
    if match is not None and len(match.group(1)) > least and depth < _MOST_DEPTH:
        return _mapping(lines, index, len(match.group(1)), depth + 1)
    return _list(lines, index, least)


def _mapping(lines: list[str], index: int, indent: int, depth: int) -> tuple[Raw | None, int]:
    found: dict[str, Raw] = {}
    while index < len(lines) and (match := _INNER_KEY.fullmatch(lines[index])) is not None:
        here, key, rest = len(match.group(1)), match.group(2), (match.group(3) or "").rstrip(" ")
        if here < indent:
            break
        if here > indent or key in found:
            return None, index
        value: Raw | None
        if rest:
            value, index = _value(rest), index + 1
        else:
            value, index = _below(lines, index + 1, indent, depth)
        if value is None:
            return None, index
        found[key] = value
    return found, index


def _list(lines: list[str], index: int, least: int = 0) -> tuple[Raw | None, int]:
    items: list[Raw] = []
    indent = None
    while index < len(lines) and (match := _ITEM.fullmatch(lines[index])) is not None:
        if len(match.group(1)) < least or (indent is not None and len(match.group(1)) != indent):
            return None, index
        indent = len(match.group(1))
        # Templates leave items empty, thousands of times. What stands further in below one is for the whole reader.
        item = _one(match.group(2).rstrip(" ")) if match.group(2) else Plain("")
        # `- key: value` is a mapping.
        if item is None:
            return None, index
        items.append(item)
        index += 1
    return (items if indent is not None else Plain("")), index
