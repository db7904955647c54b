"""Items that stand in the braces of a macro: `ast_struct! { pub struct X { … } }`.

To the grammar what a macro is given is no more than tokens. Where it stands in the place of an item and holds
definitions, the wrapper and the marks that only the macro knows are blanked, so that a second parse finds them in their
places. Of what still is no Rust, such as the flags of `bitflags!`, only names are taken.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from aries_language_syntax.outline import Definition
from aries_language_syntax.text import Text

if TYPE_CHECKING:
    from tree_sitter import Node

__all__ = ["Unwrapped", "left_over", "unwrapped"]

_WORDS = {
    b"struct": "struct", b"union": "struct", b"enum": "enum", b"trait": "trait", b"mod": "namespace", b"type": "type",
    b"const": "constant", b"static": "variable", b"fn": "function",
}  # fmt: skip
_CALL = re.compile(rb"^[ \t]*(?:\w+\s*::\s*)*\w+\s*!\s*[{(\[]", re.MULTILINE)
_ITEM = re.compile(
    rb"(?<![\w'$.:])(?:pub(?:\s*\([^)\n]*\))?\s+)?("
    + b"|".join(_WORDS)
    + rb")\s+(?:(?:ref|mut)\s+)?([A-Za-z_]\w*)(?!\s*!)"
)
_MARKS = re.compile(rb"^[ \t]*@[A-Za-z_\[][^\n]*|#(?!!?\s*\[)\s*\w+|(?<=\bstatic)\s+ref\b", re.MULTILINE)
_HOLDER = re.compile(rb"(?:\b(\w+)\s{1,9}+)?\b(\w+)(?:<[^<>{};]{0,80}>)?\s{0,9}+\Z")
_NO_TYPES = frozenset((b"else", b"unsafe", b"extern", b"const", b"async"))
_REACH = 120
_BRANCHES = re.compile(rb"\s*if\s*#\s*\[")
_NOT_LINES = re.compile(rb"[^\n]")
_DEEPEST = 40
"""Modules in modules that are looked into."""


class Unwrapped(NamedTuple):
    """The text of a file with its items out of their macros, every byte in its place."""

    source: bytes
    """For the grammar."""
    shown: bytes
    """As it is written, but for marks that only a macro knows."""
    insides: list[tuple[int, int]]
    """What stands in macros that hold items."""
    names: list[Node]
    """Names of the macros whose wrappers are gone."""


def unwrapped(source: bytes, root: Node, is_rust: Callable[[bytes], bool]) -> Unwrapped | None:
    """None where no macro holds items. `is_rust`: whether the grammar takes a text."""
    if not _CALL.search(source):
        return None
    text, shown, insides, names = bytearray(source), bytearray(source), [], []
    for call in _calls(root, 0):
        tokens, name = call.named_children[-1], call.child_by_field_name("macro")
        start, end = tokens.start_byte + 1, tokens.end_byte - 1
        inside = source[start:end]
        if name is None or tokens.type != "token_tree" or not _has_items(inside):
            continue
        insides.append((start, end))
        shown[start:end] = inside = _MARKS.sub(_blanked, inside)
        items = _of_branches(inside, tokens) if _BRANCHES.match(inside) else inside
        if is_rust(items):
            text[call.start_byte : call.end_byte] = _NOT_LINES.sub(b" ", source[call.start_byte : call.end_byte])
            text[start:end] = items
            while name.type == "scoped_identifier" and (path := name.child_by_field_name("path")) is not None:
                name = path
            names.append(name)
    return Unwrapped(bytes(text), bytes(shown), insides, names) if insides else None


def left_over(text: Text, root: Node, inner: Unwrapped, known: set[int]) -> Iterator[Definition]:
    """Definitions in macros that the grammar did not take for some: flags without a type, heads of an own kind.

    `root`: of the file as it is written. `known`: where the names stand of those that are found already.
    """
    for first, last in inner.insides:
        items = list(_ITEM.finditer(inner.shown, first, last))
        for found, following in zip(items, [*(one.start() for one in items[1:]), last], strict=True):
            at = found.start(2)
            here = root.descendant_for_byte_range(at, at)
            if at in known or here is None or "comment" in here.type or "string" in here.type:
                continue
            start, end = found.start(), _end(text.source, root, found.end(2), following)
            body = text.source.find(b"{", found.end(2), end)
            if found[1] == b"mod" and body < 0:
                continue
            head = text.head(start, end if body < 0 else body).rstrip("=({;, ")
            is_public = text.source.startswith(b"pub", start)
            kind = _WORDS[found[1]]
            if kind == "function" and _is_in_type(text.source, here, first):
                kind = "method"
            doc = text.doc_above(text.line(start), b"#")
            yield Definition(start, end, found[2], kind, head, is_public, "", "", doc, at)


def _is_in_type(source: bytes, name: Node, first: int) -> bool:
    """Whether the braces around a function stand behind the name of a type: `mock! { pub File { fn open(); } }`."""
    above = name.parent
    while above is not None and above.start_byte >= first:
        if source.startswith(b"{", above.start_byte):
            holder = _HOLDER.search(source, max(first, above.start_byte - _REACH), above.start_byte)
            return holder is not None and holder[1] != b"mod" and holder[2] not in _NO_TYPES
        above = above.parent
    return False


def _calls(node: Node, depth: int) -> Iterator[Node]:
    """Calls of macros in the place of an item."""
    for child in node.named_children:
        if child.type == "expression_statement" and child.named_children:
            child = child.named_children[0]
        if child.type == "macro_invocation":
            yield child
        elif child.type == "mod_item" and depth < _DEEPEST:
            body = child.child_by_field_name("body")
            if body is not None:
                yield from _calls(body, depth + 1)


def _has_items(inside: bytes) -> bool:
    """Whether something is defined, with a body, an end or as public, and not merely named to the macro."""
    found = _ITEM.search(inside)
    return found is not None and (found[0].startswith(b"pub") or re.search(rb"[{;]", inside[found.end() :]) is not None)


def _blanked(found: re.Match[bytes]) -> bytes:
    return _NOT_LINES.sub(b" ", found[0])


def _of_branches(inside: bytes, tokens: Node) -> bytes:
    """`cfg_if! { if #[cfg(unix)] { … } else { … } }`: what stands in the braces."""
    start, items = tokens.start_byte + 1, bytearray(_NOT_LINES.sub(b" ", inside))
    for child in tokens.named_children:
        if child.type == "token_tree" and inside[child.start_byte - start : child.start_byte - start + 1] == b"{":
            first, last = child.start_byte + 1 - start, child.end_byte - 1 - start
            items[first:last] = inside[first:last]
    return bytes(items)


def _end(source: bytes, root: Node, start: int, last: int) -> int:
    """Behind the body of what begins before, or behind its semicolon; of what has neither, the end of its line."""
    place = start
    while place < last:
        here = source[place : place + 1]
        if here in b"([{":
            token = root.descendant_for_byte_range(place, place + 1)
            tree = token.parent if token is not None and token.type in ("(", "[", "{") else None
            if tree is None:
                return place
            place = tree.end_byte
            if here == b"{":
                return place
        elif here == b";":
            return place + 1
        else:
            place += 1
    line = source.find(b"\n", start, last)
    return last if line < 0 else line
