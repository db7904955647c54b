"""The definitions of a Go file."""

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

__all__ = ["find_definitions", "find_types", "named_type"]

_RECEIVER = re.compile(rb"\(\s*(?:[\w\x80-\xff]+\s+)?\*?\s*\(?\*?([\w\x80-\xff]+)")
_EMBEDDED = re.compile(rb"\*?\s*(?:[\w\x80-\xff]+\s*\.\s*)?([\w\x80-\xff]+)")
_TYPE = re.compile(rb"\s*\*?([\w\x80-\xff]+)(?:\.([\w\x80-\xff]+))?(?:\[[^\n{}]*?\])?\s*(?:[,)=`}\n/;]|$)")
_KINDS = {"struct_type": "struct", "interface_type": "interface"}


def find_definitions(marks: Marks, text: Text) -> list[Definition]:
    """All of them, in no order; those in bodies of functions too, which the outline leaves out."""
    found = list(_functions(marks, text))
    found += _types(marks, text)
    found += _fields(marks, text)
    found += _values(marks, text, "global", "var", "variable")
    found += _values(marks, text, "constant", "const", "constant")
    return found


def find_types(marks: Marks, source: bytes, outline: Outline) -> dict[str, Named]:
    """The types of fields whose declarations name one."""
    found = {}
    ends = {symbol.start: symbol for symbol in reversed(outline.symbols) if symbol.kind == "field"}
    for node in marks.of("field"):
        symbol = ends.get(node.start_byte)
        if symbol is None:
            continue
        names = node.children_by_field_name("name")
        last = names[-1] if names else None
        type_ = named_type(source, last.end_byte if last else node.start_byte, node.end_byte)
        if type_ is not None:
            owner = symbol.qualified.rpartition(".")[0]
            for name in [_decoded(source, one) for one in names] or [symbol.name]:
                found[f"{owner}.{name}"] = type_
    return found


def named_type(source: bytes, start: int, end: int) -> Named | None:
    """The named type, or the pointer to one, that stands there; None for any other."""
    found = _TYPE.match(source, start, end)
    if found is None:
        return None
    return (found[1], found[2] or b"")


def _functions(marks: Marks, text: Text) -> Iterator[Definition]:
    for node in marks.of("function"):
        name = node.child_by_field_name("name")
        if name is not None:
            yield _definition(text, node, name, "function", _head_end(node))
    for node in marks.of("method"):
        name, receiver = node.child_by_field_name("name"), node.child_by_field_name("receiver")
        if name is None or receiver is None:
            continue
        type_ = _RECEIVER.match(text.source, receiver.start_byte)
        owner = type_[1].decode("utf-8", "replace") if type_ else ""
        yield _definition(text, node, name, "method", _head_end(node), owner=owner)
    for node in marks.of("abstract"):
        name = node.child_by_field_name("name")
        if name is not None:
            yield _definition(text, node, name, "method", node.end_byte, modifiers="abstract")


def _types(marks: Marks, text: Text) -> Iterator[Definition]:
    outer = marks.starts("outer")
    for node in marks.of("type"):
        name, type_ = node.child_by_field_name("name"), node.child_by_field_name("type")
        if name is None or node.start_byte not in outer:
            continue
        kind = _KINDS.get(type_.type, "type") if type_ else "type"
        body = type_.named_children[-1:] if type_ and kind == "struct" else []
        end = body[0].start_byte if body else node.end_byte
        if type_ and kind == "interface":
            end = type_.start_byte + len("interface")
        yield _definition(text, node, name, kind, end, before="type ")
    for node in marks.of("alias"):
        name = node.child_by_field_name("name")
        if name is not None and node.start_byte in outer:
            yield _definition(text, node, name, "type", node.end_byte, before="type ")


def _fields(marks: Marks, text: Text) -> Iterator[Definition]:
    for node in marks.of("field"):
        names = node.children_by_field_name("name")
        for name in names:
            yield _definition(text, node, name, "field", node.end_byte)
        if not names:
            found = _EMBEDDED.match(text.source, node.start_byte)
            if found is not None:
                name_ = found[1]
                # fmt: off
                yield Definition(
                    node.start_byte, node.end_byte, name_, "field", text.head(node.start_byte, node.end_byte),
                    _is_exported(name_), "embedded",
                )
                # fmt: on


def _values(marks: Marks, text: Text, mark: str, word: str, kind: str) -> Iterator[Definition]:
    for node in marks.of(mark):
        names = node.children_by_field_name("name")
        value = node.child_by_field_name("value")
        for name in names:
            if name.type == "identifier" and text.source[name.start_byte : name.end_byte] != b"_":
                end = node.end_byte if value is None or value.start_point[0] == value.end_point[0] else value.start_byte
                yield _definition(text, node, name, kind, end, before=word + " ")


def _definition(
    text: Text, node: Node, name: Node, kind: str, end: int, *, before: str = "", owner: str = "", modifiers: str = ""
) -> Definition:
    start, called = node.start_byte, text.source[name.start_byte : name.end_byte]
    head, doc = before + text.head(start, end), text.doc_above(node.start_point[0] + 1)
    exported = _is_exported(called) and (not owner or owner[:1].isupper())
    return Definition(start, node.end_byte, called, kind, head, exported, modifiers, owner, doc, name.start_byte)


def _head_end(node: Node) -> int:
    body = node.child_by_field_name("body")
    return body.start_byte if body is not None else node.end_byte


def _is_exported(name: bytes) -> bool:
    return name.decode("utf-8", "replace")[:1].isupper()


def _decoded(source: bytes, node: Node) -> str:
    return source[node.start_byte : node.end_byte].decode("utf-8", "replace")
