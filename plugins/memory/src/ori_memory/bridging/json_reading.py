"""JSON as people write it, with comments and trailing commas, and where each part of it stands."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Iterator
from typing import Any, NoReturn

from attrs import define, field

from ori_memory.bridging.place import CannotEdit, line_of

__all__ = ["Item", "Node", "read_json"]

_TOKEN = re.compile(
    r"(?P<space>[ \t\r\n]+|//[^\n]*|/\*.*?\*/)|(?P<mark>[{}\[\],:])"
    r'|(?P<text>"[^"\\\x00-\x1f]*(?:\\.[^"\\\x00-\x1f]*)*")|(?P<word>-?[A-Za-z0-9.+-]+)',
    re.DOTALL,
)


@define
class Item:
    """A member of an object, or an element of an array. `start` is where its name or value begins."""

    name: str
    start: int
    node: Node
    comma: int | None = None
    """Where the comma behind it stands."""


@define
class Node:
    """A value with its place; `items` of objects and arrays."""

    start: int
    end: int
    value: Any
    items: list[Item] = field(factory=list)

    @property
    def is_object(self) -> bool:
        return isinstance(self.value, dict)

    def member(self, name: str) -> Item | None:
        """The member that counts: of several with one name the last, as readers of JSON do."""
        return next((item for item in reversed(self.items) if item.name == name), None) if self.is_object else None


@define
class _Tokens:
    text: str
    stream: Iterator[tuple[str, int, int]]
    kind: str = ""
    start: int = 0
    end: int = 0

    def advance(self) -> None:
        self.kind, self.start, self.end = next(self.stream)

    @property
    def word(self) -> str:
        return self.text[self.start : self.end]

    def fail(self, wanted: str) -> NoReturn:
        found = "the file ends" if self.kind == "end" else f"there is {self.word[:20]!r}"
        raise CannotEdit(f"this is not valid JSON: {wanted} is expected, and {found}.", *line_of(self.text, self.start))


@functools.lru_cache(maxsize=4)
def read_json(text: str) -> Node | None:
    """The document; None where there is nothing but blanks and comments. It is only looked at, never changed.

    The last ones are kept: one edit looks several times, and clients keep megabytes of other things in such a file.
    Raises: CannotEdit.
    """
    tokens = _Tokens(text, _scan(text))
    tokens.advance()
    if tokens.kind == "end":
        return None
    try:
        node = _value(tokens)
    except RecursionError as error:
        raise CannotEdit("this is nested too deep to be edited.", *line_of(text, tokens.start)) from error
    if tokens.kind != "end":
        tokens.fail("the end of the file")
    return node


def _scan(text: str) -> Iterator[tuple[str, int, int]]:
    at = 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            what = "a comment does not end" if text.startswith("/*", at) else f"{text[at : at + 20]!r} means nothing"
            what = "a text does not end, or holds a line break" if text[at] == '"' else what
            raise CannotEdit(f"this is not valid JSON: {what}.", *line_of(text, at))
        if found.lastgroup != "space":
            yield str(found.lastgroup), at, found.end()
        at = found.end()
    yield "end", len(text), len(text)


def _value(tokens: _Tokens) -> Node:
    start, end, word = tokens.start, tokens.end, tokens.word
    if tokens.kind == "mark" and word in "{[":
        return _container(tokens, "}" if word == "{" else "]")
    if tokens.kind not in ("text", "word"):
        tokens.fail("a value")
    try:
        value = json.loads(word, strict=True, parse_constant=_no_constant)
    except ValueError:
        tokens.fail("a value")
    tokens.advance()
    return Node(start, end, value)


def _no_constant(name: str) -> NoReturn:
    raise ValueError(name)


def _container(tokens: _Tokens, closing: str) -> Node:
    is_object = closing == "}"
    node = Node(tokens.start, tokens.end, {} if is_object else [])
    tokens.advance()
    while tokens.word != closing or tokens.kind != "mark":
        if node.items and node.items[-1].comma is None:
            tokens.fail(f"a comma or '{closing}'")
        item = _member(tokens) if is_object else Item("", tokens.start, _value(tokens))
        node.items.append(item)
        if tokens.kind == "mark" and tokens.word == ",":
            item.comma = tokens.start
            tokens.advance()
    node.end = tokens.end
    values = [item.node.value for item in node.items]
    node.value = dict(zip((item.name for item in node.items), values, strict=True)) if is_object else values
    tokens.advance()
    return node


def _member(tokens: _Tokens) -> Item:
    if tokens.kind != "text":
        tokens.fail("a name in quotation marks")
    start = tokens.start
    try:
        name = json.loads(tokens.word)
    except ValueError:
        tokens.fail("a name in quotation marks")
    tokens.advance()
    if tokens.word != ":":
        tokens.fail("':'")
    tokens.advance()
    return Item(name, start, _value(tokens))
