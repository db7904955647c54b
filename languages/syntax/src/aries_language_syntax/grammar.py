"""A compiled grammar with one query, and the nodes that the query marks in a file."""

from __future__ import annotations

import functools
from collections.abc import Callable
from importlib import import_module
from importlib.resources import files
from typing import TYPE_CHECKING

from attrs import field, frozen

from aries_kernel.errors import UserError
from aries_language_syntax.parsing import parsed

if TYPE_CHECKING:
    from tree_sitter import Node

__all__ = ["Grammar", "Marks", "grammar"]

_DEEPEST = 20_000
"""Nodes below this depth are not looked at: a cursor counts depth in 16 bits, and takes for ever beyond them."""


@frozen
class Marks:
    """The nodes of a file that matter, by the names of the query."""

    root: Node
    nodes: dict[str, list[Node]]
    error_line: int
    """The first line that the grammar does not take, from 1; 0 for none."""
    text: bytes = b""
    """What was parsed: the source, or what was made of it. Nodes with the mark `error` are what was not taken."""

    _sorted: set[str] = field(factory=set)

    def of(self, name: str) -> list[Node]:
        """Nodes with this mark, in the order of the text, outer ones first."""
        nodes = self.nodes.get(name, [])
        if name not in self._sorted:
            # A query gives them in the order of their addresses, which is another one each time.
            nodes.sort(key=_place)
            self._sorted.add(name)
        return nodes

    def starts(self, *names: str) -> set[int]:
        """Where nodes with one of these marks begin."""
        return {node.start_byte for name in names for node in self.nodes.get(name, ())}

    def spans(self, name: str) -> list[tuple[int, int]]:
        """First byte and end of each node with this mark, in the order of the text, outer ones first."""
        return [node.byte_range for node in self.of(name)]


class Grammar:
    """Made once a process by `grammar`."""

    def __init__(self, package: str, owner: str) -> None:
        from tree_sitter import Language, Parser, Query, QueryCursor

        language = Language(import_module(package).language())
        query = files(owner).joinpath("facts.scm").read_text(encoding="utf-8")
        self._parser = Parser(language)
        self._cursor = QueryCursor(Query(language, f"{query}\n[(ERROR) (MISSING)] @error\n"))
        self._cursor.set_max_start_depth(_DEEPEST)

    def takes(self, source: bytes) -> bool:
        """Whether a text has no error."""
        return not parsed(self._parser, source).has_error

    def mark(self, source: bytes, mend: Callable[[bytes], bytes] | None = None) -> Marks:
        """Parse and find the marks. `mend` gives a text of the same length, to be parsed where the first has errors."""
        root = parsed(self._parser, source)
        if mend is not None and root.has_error:
            mended = mend(source)
            if mended != source:
                root, source = parsed(self._parser, mended), mended
        nodes = self._cursor.captures(root)
        broken = nodes.get("error", [])
        return Marks(root, nodes, min(node.start_point[0] for node in broken) + 1 if broken else 0, source)


def _place(node: Node) -> tuple[int, int]:
    start, end = node.byte_range
    return start, -end


@functools.cache
def grammar(language: str, package: str, owner: str) -> Grammar:
    """The grammar in `package` with the `facts.scm` of the pack `owner`. Raises: UserError where it is missing."""
    try:
        return Grammar(package, owner)
    except ImportError as error:
        wheel = package.replace("_", "-")
        raise UserError(
            f"{language} files cannot be read: {error}. Install the grammar: pip install tree-sitter {wheel}"
        ) from error
