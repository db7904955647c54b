"""The definitions of a Java file."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from aries_language_syntax.binding import Local, Named
from aries_language_syntax.grammar import Marks
from aries_language_syntax.outline import Definition, Outline
from aries_language_syntax.text import Text

if TYPE_CHECKING:
    from tree_sitter import Node

__all__ = ["Definitions", "named_type"]

_FRONT = re.compile(
    rb"(?:@(?!interface\b)[\w$.]+(?:\s*\((?:[^()\"]|\"(?:[^\"\\\n]|\\.)*\"|\((?:[^()\"]|\"(?:[^\"\\\n]|\\.)*\")*\))*\))?\s*"
    rb"|(public|protected|private|static|final|abstract|native|synchronized|default|sealed|non-sealed|strictfp|transient"
    rb"|volatile)\b\s*)"
)
_TYPE = re.compile(rb"\s*(?:(?:final|@[\w$.]+)\s+)*([\w$\x80-\xff]+(?:\s*\.\s*[\w$\x80-\xff]+)*)")
_PLAIN = frozenset(b"int long short byte char boolean float double void var".split())
_IN_TYPES = {"class": "class", "interface": "interface", "enum": "enum"}


def named_type(source: bytes, start: int, end: int) -> Named | None:
    """The class or interface that stands there; None for numbers, `var` and arrays."""
    found = _TYPE.match(source, start, end)
    if found is None or found[1] in _PLAIN or source[start:end].rstrip().endswith(b"]"):
        return None
    root, *rest = re.split(rb"\s*\.\s*", found[1])
    return root, b".".join(rest)


class Definitions:
    """All of them; those in bodies of methods too."""

    def __init__(self, marks: Marks, text: Text) -> None:
        self._text = text
        self.rows: list[Definition] = []
        self.selves: list[Local] = []
        """`this` in each type."""
        self._types: list[tuple[int, Named]] = []
        for mark, kind in _IN_TYPES.items():
            for node in marks.of(mark):
                self._add_type(node, kind)
        for node in marks.of("anonymous"):
            self.selves.append(Local(node.start_byte, b"this"))
        in_interface = marks.spans("interface")
        for node in marks.of("method"):
            self._add(node, "method", self._body(node), is_open=_is_in(node, in_interface))
        for node in marks.of("constructor"):
            self._add(node, "method", self._body(node), is_named=False)
        for node in marks.of("member"):
            self._add(node, "member", node.child_by_field_name("body"), is_open=True)
        for node in marks.of("component"):
            self._add(node, "field", None, is_open=True)
        for node in marks.of("field"):
            self._add_fields(node, is_constant=node.type == "constant_declaration")

    def types(self, outline: Outline) -> dict[str, Named]:
        """The types of fields, by their full names."""
        by_start = dict(self._types)
        return {
            symbol.qualified: by_start[symbol.start]
            for symbol in outline.symbols
            if symbol.kind in ("field", "constant") and symbol.start in by_start
        }

    def _add_type(self, node: Node, kind: str) -> None:
        name = self._add(node, kind, node.child_by_field_name("body"))
        if name is not None:
            self.selves.append(Local(node.start_byte, b"this", (name, b"")))

    def _add_fields(self, node: Node, *, is_constant: bool) -> None:
        words, head = self._front(node)
        kind = "constant" if is_constant or {"static", "final"} <= set(words) else "field"
        type_ = node.child_by_field_name("type")
        named = type_ and named_type(self._text.source, type_.start_byte, type_.end_byte)
        if named:
            self._types.append((node.start_byte, named))
        for declarator in node.children_by_field_name("declarator"):
            name, value = declarator.child_by_field_name("name"), declarator.child_by_field_name("value")
            if name is not None:
                until = (
                    value.start_byte if value is not None and value.end_byte - value.start_byte > 80 else node.end_byte
                )
                self._row(node, name, kind, words, self._text.head(head, until).rstrip(";= "), is_open=is_constant)

    def _add(
        self, node: Node, kind: str, body: Node | None, *, is_open: bool = False, is_named: bool = True
    ) -> bytes | None:
        name = node.child_by_field_name("name")
        if name is None:
            return None
        words, head = self._front(node)
        until = body.start_byte if body is not None else node.end_byte
        signature = self._text.head(head, until).rstrip(";")
        return self._row(node, name, kind, words, signature, is_open=is_open, is_named=is_named)

    def _row(
        self,
        node: Node,
        name: Node,
        kind: str,
        words: list[str],
        signature: str,
        *,
        is_open: bool,
        is_named: bool = True,
    ) -> bytes:
        called = self._text.source[name.start_byte : name.end_byte]
        start = node.start_byte
        shown = " ".join(word for word in words if word not in ("public", "protected", "private"))
        exported = is_open or "private" not in words
        doc = self._text.doc_above(self._text.line(start))
        # fmt: off
        self.rows.append(Definition(
            start, node.end_byte, called, kind, signature, exported, shown, "", doc, name.start_byte, is_named,
        ))
        # fmt: on
        return called

    def _front(self, node: Node) -> tuple[list[str], int]:
        """Words and annotations in front, and where the rest begins."""
        source, place, head = self._text.source, node.start_byte, node.start_byte
        words: list[str] = []
        while True:
            found = _FRONT.match(source, place, node.end_byte)
            if found is None or not found[0]:
                return words, head
            words.append(self._text.head(found.start(), found.end()))
            if found[1] is None and head == place:
                head = found.end()
            place = found.end()

    def _body(self, node: Node) -> Node | None:
        return node.child_by_field_name("body")


def _is_in(node: Node, spans: list[tuple[int, int]]) -> bool:
    place = node.start_byte
    return any(start <= place < end for start, end in spans)
