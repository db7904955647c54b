"""Functions that are members of objects: `{ key: function () {} }`, and the objects that give them their names.

They are found from the function backwards in the text: a query for pairs would visit every pair of every table.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from aries_language_javascript.definition import VALUES, Definition, add, give, unwrapped

if TYPE_CHECKING:
    from tree_sitter import Node

    from aries_language_javascript.file import File

__all__ = ["functions_in_objects", "groups"]

_KEY = re.compile(rb"""[{,]\s*+([\w$\x80-\xff]++|"[^"\\\n]*+"|'[^'\\\n]*+'|\[[\w$.]++\])\s*+:\s*+(\(*+)\Z""")
_AFTER = re.compile(rb"\s*+\)++\s*+(?:[,})]|as\b|satisfies\b)")
_WINDOW = 120


def functions_in_objects(file: File) -> None:
    """Finds them all; those whose key cannot be told from the text before them are looked up in the tree."""
    source = file.source
    for capture in ("closure", "arrow", "class"):
        for node in file.nodes(capture):
            start = node.start_byte
            last = source[start - 1 : start]
            if last in b" (\n\t" and start > 1:
                last = source[max(0, start - _WINDOW) : start].rstrip(b" \t\n(")[-1:]
            if last == b":" and start not in file.values:
                _member(file, node)


def _member(file: File, node: Node) -> None:
    start = node.start_byte
    window = max(0, start - _WINDOW)
    found = _KEY.search(file.source, window, start)
    if found is None:
        pair = node.parent
        while pair is not None and pair.type not in ("pair", "statement_block", "program", "arguments", "array"):
            pair = pair.parent if pair.type.endswith("_expression") and pair.type != "call_expression" else None
        key = pair.child_by_field_name("key") if pair is not None and pair.type == "pair" else None
        if key is None or not _is_value(pair, node):
            return
        place, name = key.start_byte, file.key(key)
    elif found[2] and not _AFTER.match(file.source, node.end_byte):
        return
    else:
        place, name = found.start(1), _name(found[1])
    give(file, _pair(file, node, place, name, "class" if node.type == "class" else "method"), node)


def _is_value(pair: Node | None, node: Node) -> bool:
    """Whether a function is what a pair holds, and not a part of it."""
    value = None if pair is None else unwrapped(pair.child_by_field_name("value"))
    return value is not None and value.start_byte == node.start_byte and value.type in VALUES


def _pair(file: File, node: Node, start: int, name: str, kind: str) -> Definition:
    """A definition that begins at its key and ends with its value."""
    file.has_members = True
    made = add(file, node, None, kind)
    made.line -= file.source.count(b"\n", start, made.start)
    made.name, made.start, made.head, made.modifiers, made.exported = name, start, start, "", ""
    made.scope = (start, node.end_byte)
    return made


def _name(key: bytes) -> str:
    return (key[1:-1] if key[:1] in b"\"'" else key).decode("utf-8", "replace")


def groups(file: File, pairs: list[Node]) -> None:
    """Adds the objects that are members themselves: `b` in `a = { b: { run() {} } }`."""
    for pair in pairs:
        key = pair.child_by_field_name("key")
        if key is not None:
            add(file, pair, key, "group").is_group = True
