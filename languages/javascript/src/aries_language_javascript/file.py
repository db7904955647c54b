"""One file while it is read: its text, what the query found, and what is known so far."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING

from attrs import Factory, define, field

from aries_language_javascript.decorators import Decorators

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tree_sitter import Node

    from aries_kernel.contracts.language import Import
    from aries_language_javascript.definition import Definition

__all__ = ["Binding", "ExportedName", "File", "Outer"]

_QUOTES = "\"'`"


@define(eq=False)
class Outer:
    """A statement around a declaration: `export`, `declare`."""

    start: int
    line: int
    name: str = ""
    """`default` where it exports as that."""
    is_exported: bool = False
    words: str = ""


@define(eq=False)
class Binding:
    """A name that an import makes known."""

    name: bytes
    place: int
    """Where the import stands."""
    scope: tuple[int, int] | None
    """The declarator that receives it; None where it is known in the whole file."""


@define(eq=False)
class ExportedName:
    """What an export statement, or an assignment to `exports`, says of something defined elsewhere."""

    name: str
    local: bytes = b""
    item: int | None = None
    """Or the place of the import that is handed on."""
    is_all: bool = False


@define(eq=False)
class File:
    """Everything the parts of the reader share about one file."""

    source: bytes
    captures: Mapping[str, Sequence[Node]]
    definitions: list[Definition] = Factory(list)
    imports: dict[int, Import] = Factory(dict)
    """By the place where each stands."""
    calls: dict[int, int] = Factory(dict)
    """Places of calls that import, and of the imports that they make."""
    bindings: list[Binding] = Factory(list)
    exports: list[ExportedName] = Factory(list)
    placed: set[int] = Factory(set)
    """Starts of names that are no uses: they are declared, imported or exported there."""
    outer: dict[int, Outer] = Factory(dict)
    """Starts of declarations that stand in an `export` or a `declare`."""
    top: set[int] = Factory(set)
    """Starts of what stands in the file itself."""
    done: set[int] = Factory(set)
    """Starts of declarators that belong to a definition or an import made already."""
    values: dict[int, Definition] = Factory(dict)
    """Starts of functions and classes that are the value of a definition."""
    exported_members: dict[int, str] = Factory(dict)
    """Starts of members of the object that the file exports, and their names."""
    export_objects: set[str] = Factory(set)
    """Names of what `module.exports` is: what is put on them is exported."""
    has_members: bool = False
    """Whether an object has a function, so that names of objects matter."""
    tags: frozenset[int] = frozenset()
    """Starts of names that are tags of a template, where the source was made of one."""
    has_stores: bool = False
    """Whether `$name` means the store `name`."""
    sees_others: bool = False
    """Whether frameworks give it names without an import, whatever they stand for: it is a component."""
    is_module: bool = False
    """Whether it imports or exports anything; else its names are known to all scripts beside it."""
    folded: dict[bytes, str | None] = Factory(dict)
    """Names whose values are known before anything runs."""
    decorators: Decorators = field(init=False)
    line_starts: list[int] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.decorators = Decorators(self.source, self.captures.get("decoration", ()))
        self.line_starts = list(accumulate(map(len, self.source.splitlines(keepends=True)), initial=0))
        if len(self.line_starts) > 1 and not self.source.endswith(b"\n"):
            self.line_starts.pop()

    def bind(self, local: Node, place: int, scope: tuple[int, int] | None) -> None:
        """Notes that a name stands for the import at a place: in the whole file, or around a declarator."""
        self.placed.add(local.start_byte)
        self.bindings.append(Binding(self.bytes_of(local), place, scope))

    def line(self, place: int) -> int:
        """The line of a place, from 1."""
        return bisect_right(self.line_starts, place)

    def nodes(self, capture: str) -> Sequence[Node]:
        """In no order that one may count on."""
        return self.captures.get(capture, ())

    def ordered(self, capture: str) -> list[Node]:
        """In the order of the text, outer ones first."""
        return sorted(self.captures.get(capture, ()), key=_span)

    def bytes_of(self, node: Node) -> bytes:
        return self.source[node.start_byte : node.end_byte]

    def text(self, node: Node) -> str:
        return self.source[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def key(self, node: Node) -> str:
        """The name of a member or a module: without quotes; a computed one as it is written."""
        text = self.text(node)
        return text[1:-1] if text[:1] in _QUOTES and text[-1:] == text[:1] and len(text) > 1 else " ".join(text.split())


def _span(node: Node) -> tuple[int, int]:
    return node.start_byte, -node.end_byte
