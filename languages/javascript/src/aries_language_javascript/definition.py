"""A definition while the file is read, and how a node becomes one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import define

from aries_language_javascript.decorators import modifiers

if TYPE_CHECKING:
    from tree_sitter import Node

    from aries_language_javascript.file import File

__all__ = ["FUNCTIONS", "VALUES", "WRAPPERS", "Definition", "add", "give", "unwrapped"]

FUNCTIONS = frozenset({"function_expression", "generator_function", "arrow_function"})
VALUES = FUNCTIONS | {"class"}
WRAPPERS = frozenset(
    {"parenthesized_expression", "as_expression", "satisfies_expression", "non_null_expression", "type_assertion"}
)


@define(eq=False)
class Definition:
    """A definition, before it is known what it stands in."""

    name: str
    kind: str
    start: int
    end: int
    line: int
    end_line: int
    head: int
    """Where its head begins: behind decorators and `export`."""
    head_end: int
    owner: str = ""
    """What its name says it belongs to: `Foo` for `Foo.prototype.bar = ...`; `this` for the class around it."""
    modifiers: str = ""
    binds: bytes = b""
    """The name that it makes known around it, where it makes one known."""
    scope: tuple[int, int] = (0, 0)
    """Start and end of the node that declares it: its name is known in what stands around that."""
    inner: bytes = b""
    """The name that is known only inside its value: of a function expression."""
    inner_scope: tuple[int, int] = (0, 0)
    is_type: bool = False
    is_value: bool = True
    is_signature: bool = False
    """A function without a body."""
    is_group: bool = False
    """An object that only gives its name to the functions in it; no symbol."""
    exported: str = ""
    """The name under which its own statement exports it."""
    place: int = -1
    """Its place among the symbols, once they are in order."""


def add(
    file: File,
    node: Node,
    name: Node | None,
    kind: str,
    *,
    body: Node | None = None,
    owner: str = "",
    binds: bool = False,
) -> Definition:
    """One definition that a whole node makes. Without a name it is what the file exports as `default`."""
    source = file.source
    begin, end = node.start_byte, node.end_byte
    named = begin if name is None else name.start_byte
    start = head = begin
    words = ""
    if file.decorators.are_any:
        start, head = file.decorators.before(begin), file.decorators.behind(begin)
        words = file.decorators.modifiers(start, named)
    elif named > begin:
        words = modifiers(source[begin:named])
    made = Definition(
        name="default" if name is None else file.key(name),
        kind=kind,
        start=start,
        end=end,
        line=file.line(begin) - (source.count(b"\n", start, begin) if start < begin else 0),
        end_line=file.line(end),
        head=head,
        head_end=end if body is None else body.start_byte,
        owner=owner,
        modifiers=words,
        scope=(begin, end),
    )
    outer = file.outer.get(begin) if file.outer else None
    if outer is not None:
        made.start, made.line = min(outer.start, start), min(outer.line, made.line)
        if file.decorators.are_any:
            made.modifiers = file.decorators.modifiers(made.start, named)
        else:
            made.modifiers = f"{outer.words} {words}".strip()
        if outer.is_exported:
            made.exported = outer.name or made.name
    if binds and name is not None:
        made.binds = file.bytes_of(name)
        file.placed.add(name.start_byte)
    file.definitions.append(made)
    return made


def give(file: File, made: Definition, value: Node) -> None:
    """Says that a function or a class is the value of a definition, and takes its head and its name for inside."""
    file.values[value.start_byte] = made
    body = value.child_by_field_name("body")
    if body is not None:
        made.head_end = body.start_byte
    if file.source.startswith(b"async", value.start_byte) and value.type != "class":
        made.modifiers = f"{made.modifiers} async".strip()
    name = value.child_by_field_name("name")
    if name is not None:
        made.inner, made.inner_scope = file.bytes_of(name), (value.start_byte, value.end_byte)
        file.placed.add(name.start_byte)
    made.is_type = value.type == "class"


def unwrapped(node: Node | None) -> Node | None:
    """The value inside brackets and behind assertions of types."""
    while node is not None and node.type in WRAPPERS:
        inner = [child for child in node.named_children if child.type not in ("comment", "type_arguments")]
        node = inner[0] if inner else None
    return node
