"""Paths that a `require` computes from nothing but texts and the folder of its file."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

    from aries_language_javascript.file import File

__all__ = ["folded"]

_DEEPEST = 8
_MOST_NAMES = 40
"""That are looked for in one file, each from its beginning to its end."""
_LONGEST_NAME = 100
_TEXTS = frozenset({"string_fragment", "template_substitution"})
_JOINERS = re.compile(rb"(?:[\w$]*[Pp]ath(?:\.posix)?\s*\.\s*)?(join|resolve)\Z")
_PLAIN = re.compile(r"[\w./@\-]*\Z")


def folded(file: File, node: Node | None) -> str | None:
    """The module that a value names, whatever runs before: `__dirname + "/a"`; None where that is not certain."""
    found = _value(file, node, 0)
    if not found or not _PLAIN.match(found) or "/" not in found:
        return None
    # What begins with the folder of the file is relative to that.
    found = found.removeprefix("./") if found.startswith("./../") else found
    return found if found.startswith(".") else None


def _value(file: File, node: Node | None, depth: int) -> str | None:
    if node is None or depth > _DEEPEST:
        return None
    if node.type == "string":
        return file.text(node)[1:-1]
    if node.type == "parenthesized_expression":
        return _value(file, node.named_children[0], depth + 1) if node.named_child_count == 1 else None
    if node.type == "binary_expression":
        operator = node.child_by_field_name("operator")
        if operator is None or operator.type != "+":
            return None
        return _joined(file, [node.child_by_field_name("left"), node.child_by_field_name("right")], "", depth)
    if node.type == "template_string":
        return _template(file, node, depth)
    if node.type == "call_expression":
        return _called(file, node, depth)
    if node.type == "identifier" and file.text(node) == "__dirname":
        return "."
    return _named(file, node, depth) if node.type in ("identifier", "member_expression") else None


def _joined(file: File, nodes: list[Node | None], between: str, depth: int) -> str | None:
    parts = []
    for node in nodes:
        value = _value(file, node, depth + 1)
        if value is None:
            return None
        parts.append(value)
    return between.join(parts)


def _template(file: File, node: Node, depth: int) -> str | None:
    parts = []
    for child in node.named_children:
        if child.type not in _TEXTS:
            return None
        inner = child.named_children[0] if child.type == "template_substitution" and child.named_child_count else None
        value = file.text(child) if child.type == "string_fragment" else _value(file, inner, depth + 1)
        if value is None:
            return None
        parts.append(value)
    return "".join(parts)


def _called(file: File, node: Node, depth: int) -> str | None:
    """`path.join(__dirname, "a")`; what begins with `/` would begin anew."""
    function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if function is None or arguments is None or not _JOINERS.match(file.bytes_of(function)):
        return None
    said = [one for one in arguments.named_children if one.type != "comment"]
    found = _joined(file, list(said), "/", depth)
    return None if found is None or "//" in found or not found.startswith(".") else found


def _named(file: File, node: Node, depth: int) -> str | None:
    """A name to which the file gives a value exactly once."""
    written = file.bytes_of(node)
    if written not in file.folded and len(file.folded) < _MOST_NAMES and len(written) <= _LONGEST_NAME:
        file.folded[written] = None
        file.folded[written] = _given(file, node, re.escape(written), depth)
    return file.folded.get(written)


def _given(file: File, node: Node, name: bytes, depth: int) -> str | None:
    given = list(re.finditer(rb"(?<![\w$.])" + name + rb"\s*(?:[+\-*/|&?]{0,3}=(?![=>])|\+\+|--)\s*", file.source))
    if len(given) != 1 or not given[0][0].rstrip().endswith(b"="):
        return None
    root = node
    while root.parent is not None:
        root = root.parent
    place = given[0].end()
    value = root.descendant_for_byte_range(place, place)
    while value is not None and value.parent is not None and value.parent.start_byte == place:
        value = value.parent
    return _value(file, value, depth + 1) if value is not None and value.start_byte == place else None
