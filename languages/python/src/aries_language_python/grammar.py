"""The compiled grammar and the marks that one pass over a tree gives."""

from __future__ import annotations

import re
from importlib.resources import files
from operator import attrgetter
from typing import TYPE_CHECKING

from attrs import field, frozen

from aries_language_syntax.parsing import parsed

if TYPE_CHECKING:
    from tree_sitter import Node

__all__ = ["Grammar", "Marks"]

_MOST_REPAIRS = 12
"""Broken lines that are taken out of a file, one parse each; what is left broken costs the definitions around it."""

_DEEPEST = 20_000
"""Nodes below this depth are not looked at: a cursor counts depth in 16 bits, and takes for ever beyond them."""

_START = attrgetter("start_byte")
_TYPE_CHECKING = re.compile(rb"\bTYPE_CHECKING\b")
_HEADER = re.compile(rb":[ \t]*(?:#[^\n]*)?\Z")


@frozen
class Marks:
    """The nodes of a file that matter, by the names of the query."""

    root: Node
    nodes: dict[str, list[Node]]
    source: bytes
    """The bytes that were parsed: those of the file, broken lines replaced by harmless ones of the same length."""
    error_line: int
    broken: tuple[bytes, ...]
    """Lines that were replaced."""
    _sorted: set[str] = field(factory=set)
    _spans: dict[str, list[tuple[int, int]]] = field(factory=dict)

    def of(self, name: str) -> list[Node]:
        """Nodes with this name, in the order of the text."""
        nodes = self.nodes.get(name, [])
        if name not in self._sorted:
            nodes.sort(key=_START)
            self._sorted.add(name)
        return nodes

    def spans(self, name: str) -> list[tuple[int, int]]:
        """First byte and end of each node with this name, in the order of the text."""
        spans = self._spans.get(name)
        if spans is None:
            spans = self._spans[name] = sorted([node.byte_range for node in self.nodes.get(name, ())])
        return spans


class Grammar:
    """Loaded once a process. Raises: ImportError."""

    def __init__(self) -> None:
        import tree_sitter_python
        from tree_sitter import Language, Parser, Query, QueryCursor

        language = Language(tree_sitter_python.language())
        text = files("aries_language_python").joinpath("facts.scm").read_text(encoding="utf-8")
        self._parser = Parser(language)
        self._cursor = QueryCursor(Query(language, text))
        self._cursor.set_max_start_depth(_DEEPEST)

    def mark(self, source: bytes) -> Marks:
        """Parse and find the marks. A line with an error is taken out, so that it does not swallow what follows it."""
        root = parsed(self._parser, source)
        error_line, broken = 0, []
        if root.has_error:
            first = _first_error(root)
            error_line, repaired = source.count(b"\n", 0, first) + 1, source
            for _ in range(_MOST_REPAIRS):
                repaired, line = _without_line(repaired, first)
                broken.append(line)
                tree = parsed(self._parser, repaired)
                if not tree.has_error:
                    root, source = tree, repaired
                    break
                after = _first_error(tree)
                if after <= first:
                    break
                root, source, first = tree, repaired, after
        return Marks(root, self._cursor.captures(root), source, error_line, tuple(broken))

    def type_checking_blocks(self, marks: Marks) -> list[tuple[int, int]]:
        """Spans that only a type checker runs: below `if TYPE_CHECKING:`, `if typing.TYPE_CHECKING:`."""
        if b"TYPE_CHECKING" not in marks.source:
            return []
        spans = []
        for found in _TYPE_CHECKING.finditer(marks.source):
            name = marks.root.descendant_for_byte_range(*found.span())
            if name is None or name.type != "identifier" or (above := name.parent) is None:
                continue
            condition, statement = (above, above.parent) if above.type == "attribute" else (name, above)
            if statement is None or statement.type != "if_statement":
                continue
            block = statement.child_by_field_name("consequence")
            if block is not None and statement.child_by_field_name("condition") == condition:
                spans.append(block.byte_range)
        return sorted(spans)


def _first_error(root: Node) -> int:
    # A query takes minutes in a tree as deep as that of 200,000 wrong signs.
    cursor = root.walk()
    while (node := cursor.node) is not None and not (node.is_error or node.is_missing):
        if not (cursor.goto_first_child() if node.has_error else cursor.goto_next_sibling()):
            return 0
    return node.start_byte if node is not None else 0


def _without_line(source: bytes, place: int) -> tuple[bytes, bytes]:
    """The source with the line around `place` made harmless, its length kept, and the line."""
    start = source.rfind(b"\n", 0, place) + 1
    end = source.find(b"\n", place)
    end = len(source) if end < 0 else end
    line = source[start:end]
    indent = len(line) - len(line.lstrip())
    size = len(line) - indent
    if _HEADER.search(line) and size >= 5:
        new = b"if 1:".ljust(size)
    else:
        new = b"pass".ljust(size) if size >= 4 else b"0".ljust(size)[:size]
    return source[:start] + line[:indent] + new + source[end:], line
