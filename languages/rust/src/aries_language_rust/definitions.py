"""The definitions of a Rust file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from aries_language_syntax.binding import Named
from aries_language_syntax.grammar import Marks
from aries_language_syntax.outline import Definition, Outline
from aries_language_syntax.text import Text

if TYPE_CHECKING:
    from tree_sitter import Node

__all__ = ["Definitions", "named_type"]

_KINDS = {
    "struct": "struct", "enum": "enum", "trait": "trait", "module": "namespace", "type": "type", "constant": "constant",
    "static": "variable", "macro": "macro", "variant": "member", "field": "field",
}  # fmt: skip
_BETWEEN = re.compile(rb"(?:\s+|//[^\n]*|/\*(?:[^*]|\*(?!/))*\*/)*")
_FRONT = re.compile(rb"(?:pub(?:\s*\([^)]*\))?\s+)?((?:(?:default|const|async|unsafe|extern(?:\s+\"[^\"]*\")?)\s+)*)")
_TYPE = re.compile(
    rb"\s*(?:&\s*(?:'\w+\s+)?|mut\s+|dyn\s+|impl\s+|(?:\w+\s*::\s*)*(?:Box|Arc|Rc)\s*<\s*)*"
    rb"((?:::)?\w+(?:\s*::\s*\w+)*)"
)
_VALUES = frozenset(b"str u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64 bool char fn".split())


def named_type(source: bytes, start: int, end: int) -> Named | None:
    """The type whose methods a value of what stands there has; references and boxes are looked through."""
    found = _TYPE.match(source, start, end)
    if found is None or found[1] in _VALUES:
        return None
    root, *rest = re.split(rb"\s*::\s*", found[1].removeprefix(b"::"))
    return root, b".".join(rest)


class Definitions:
    """All of them, and what methods belong to."""

    def __init__(self, marks: Marks, text: Text) -> None:
        self._text = text
        self.heads = _attribute_heads(marks, text.source)
        """Where the attributes of an item begin, by where the item does."""
        self.owners: list[tuple[int, int, Named]] = []
        """Spans of `impl` and `trait`, with the type that `self` has there."""
        self._owner_at: dict[int, str] = {}
        self._in_trait: set[int] = set()
        for mark in ("impl", "trait"):
            for node in marks.of(mark):
                self._note_members(node, is_trait=mark == "trait")
        self.rows = [*self._functions(marks), *self._others(marks)]

    def types(self, marks: Marks, outline: Outline) -> dict[str, Named]:
        """The types of fields whose declarations name one."""
        found = {}
        by_end = {symbol.end: symbol for symbol in outline.symbols if symbol.kind == "field"}
        for node in marks.of("field"):
            symbol, type_ = by_end.get(node.end_byte), node.child_by_field_name("type")
            named = type_ and named_type(self._text.source, type_.start_byte, type_.end_byte)
            if symbol is not None and named:
                found[symbol.qualified] = named
        return found

    def _note_members(self, node: Node, *, is_trait: bool) -> None:
        named = node.child_by_field_name("name" if is_trait else "type")
        body = node.child_by_field_name("body")
        type_ = named and named_type(self._text.source, named.start_byte, named.end_byte)
        if not named or not type_:
            return
        self.owners.append((node.start_byte, node.end_byte, type_))
        owner = (type_[1].rpartition(b".")[2] or type_[0]).decode("utf-8", "replace")
        for child in body.named_children if body is not None else ():
            if is_trait:
                self._in_trait.add(child.start_byte)
            else:
                self._owner_at[child.start_byte] = owner

    def _functions(self, marks: Marks) -> Iterator[Definition]:
        for node in marks.of("function"):
            start, body = node.start_byte, node.child_by_field_name("body")
            is_method = start in self._owner_at or start in self._in_trait
            yield from self._definition(node, "method" if is_method else "function", body)

    def _others(self, marks: Marks) -> Iterator[Definition]:
        for mark, kind in _KINDS.items():
            for node in marks.of(mark):
                body = node.child_by_field_name("body") or node.child_by_field_name("value")
                if mark == "module" and body is None:
                    continue
                if mark == "macro":
                    body = next((child for child in node.named_children if child.type == "macro_rule"), None)
                yield from self._definition(node, kind, body)

    def _definition(self, node: Node, kind: str, body: Node | None) -> Iterator[Definition]:
        name, text = node.child_by_field_name("name"), self._text
        if name is None:
            return
        start, end = node.start_byte, node.end_byte
        until = body.start_byte if body is not None else end
        whole = self.heads.get(start, start)
        attributes = text.head(whole, start) if whole != start else ""
        words = _FRONT.match(text.source, start) if kind in ("function", "method") else None
        said = words[1].decode() if words is not None else ""
        is_public = text.source.startswith(b"pub", start)
        exported = is_public or kind in ("member", "method" if start in self._in_trait else "member")
        # fmt: off
        yield Definition(
            whole, end, text.source[name.start_byte : name.end_byte], kind, text.head(start, until).rstrip("=({; ")
            if kind in ("macro", "constant", "variable") else text.head(start, until).rstrip(";,"),
            exported, " ".join([attributes, *said.split()]).strip(), self._owner_at.get(start, ""),
            text.doc_above(text.line(whole)), name.start_byte,
        )
        # fmt: on


def _attribute_heads(marks: Marks, source: bytes) -> dict[int, int]:
    """Where the first attribute of an item begins, by where the item does."""
    heads: dict[int, int] = {}
    for node in sorted(marks.of("attribute"), key=lambda node: node.start_byte):
        start = node.start_byte
        after = _BETWEEN.match(source, node.end_byte)
        if after is not None:
            heads[after.end()] = heads.get(start, start)
    return heads
