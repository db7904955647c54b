"""What a file defines: one function for each kind of node that defines something."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from aries_language_javascript.assignments import assignment
from aries_language_javascript.definition import FUNCTIONS, VALUES, WRAPPERS, Definition, add, give, unwrapped
from aries_language_javascript.file import ExportedName, File
from aries_language_javascript.objects import functions_in_objects

if TYPE_CHECKING:
    from tree_sitter import Node

__all__ = ["HANDLERS", "declared", "define", "field", "method", "variables"]

_MAY_BE_FUNCTION = VALUES | WRAPPERS
_KEYWORD = re.compile(rb"(?:const|let|var)\s+\Z")
_EXPORTS = re.compile(rb"\bmodule\s*\.\s*exports\s*=|\bexports\s*=")
_UPPER = re.compile(r"[A-Z][A-Z0-9_$]*\Z")


def define(file: File, root: Node, handlers: Mapping[str, Callable[[File, Node], None]]) -> None:
    """Finds all definitions of the file, in no order."""
    statements = root.named_children
    for statement in statements:
        file.top.add(statement.start_byte)
        if statement.type in ("export_statement", "ambient_declaration"):
            file.top.update(child.start_byte for child in statement.named_children)
    variables(file, statements, is_top=True)
    for node in file.ordered("definition"):
        handlers[node.type](file, node)
    for node in file.ordered("declarator"):
        _bound(file, node)
    if "class_body" in handlers:
        for node in file.ordered("body"):
            handlers["class_body"](file, node)
    functions_in_objects(file)
    for node in file.ordered("expression"):
        if node.start_byte not in file.values:
            _expression(file, node)


def declared(kind: str) -> Callable[[File, Node], None]:
    """For declarations with a name and a body: functions, classes."""

    def handle(file: File, node: Node) -> None:
        name = node.child_by_field_name("name")
        made = add(file, node, name, kind, body=node.child_by_field_name("body"), binds=True)
        made.is_type = kind == "class"

    return handle


def variables(file: File, statements: Sequence[Node], *, is_top: bool = False) -> None:
    """Variables that stand in a file or a namespace itself."""
    for statement in statements:
        node: Node | None = statement
        while node is not None and node.type in ("export_statement", "ambient_declaration"):
            kinds = ("lexical_declaration", "variable_declaration", "ambient_declaration")
            node = next((child for child in node.named_children if child.type in kinds), None)
        if node is None or node.type not in ("lexical_declaration", "variable_declaration"):
            continue
        declarators = [child for child in node.named_children if child.type == "variable_declarator"]
        for one in declarators:
            if is_top:
                file.top.add(one.start_byte)
            if one.start_byte not in file.done:
                file.done.add(one.start_byte)
                _declarator(file, one, node, is_only=len(declarators) == 1)


def _bound(file: File, node: Node) -> None:
    """A function or a class that a declarator inside something binds to a name."""
    value = node.child_by_field_name("value")
    if value is not None and value.type in _MAY_BE_FUNCTION and node.start_byte not in file.done:
        value = unwrapped(value)
        if value is not None and value.type in VALUES:
            _declarator(file, node, None, is_only=False)


def _declarator(file: File, node: Node, statement: Node | None, *, is_only: bool) -> None:
    name = node.child_by_field_name("name")
    if name is None or name.is_missing:
        return
    value = unwrapped(node.child_by_field_name("value"))
    keyword = _keyword(file, node, statement)
    if name.type != "identifier":
        for one in pattern_names(name):
            _part(file, one, "constant" if keyword == b"const" else "variable", statement)
        return
    if value is not None and value.type == "assignment_expression" and _EXPORTS.search(file.bytes_of(value)[:200]):
        file.export_objects.add(file.text(name))
        file.exports.append(ExportedName("default", file.bytes_of(name)))
        file.is_module = True
    kind = _kind(keyword, value, file.text(name))
    made = _variable(file, node, name, kind, statement, is_only=is_only)
    if value is not None and value.type in VALUES:
        give(file, made, value)


def _variable(file: File, node: Node, name: Node, kind: str, statement: Node | None, *, is_only: bool) -> Definition:
    made = add(file, node, name, kind, binds=True)
    made.modifiers = ""
    if statement is None:
        before = _KEYWORD.search(file.source, max(0, node.start_byte - 20), node.start_byte)
        if before:
            made.start = made.head = before.start()
        return made
    outer = file.outer.get(statement.start_byte)
    if outer is not None:
        made.modifiers = outer.words
        made.exported = made.name if outer.is_exported else ""
    if is_only:
        made.start, made.line = (
            (outer.start, outer.line) if outer else (statement.start_byte, file.line(statement.start_byte))
        )
        made.end, made.end_line, made.head = statement.end_byte, file.line(statement.end_byte), statement.start_byte
    return made


def _part(file: File, name: Node, kind: str, statement: Node | None) -> None:
    """One of the names that a pattern binds."""
    made = add(file, name, name, kind, binds=True)
    if statement is not None and statement.start_byte in file.top:
        file.top.add(name.start_byte)
    outer = None if statement is None else file.outer.get(statement.start_byte)
    if outer is not None:
        made.exported = made.name if outer.is_exported else ""


def _keyword(file: File, node: Node, statement: Node | None) -> bytes:
    start = max(0, node.start_byte - 20) if statement is None else statement.start_byte
    found = re.search(rb"\b(const|let|var)\b", file.source[start : node.start_byte])
    return found[1] if found else b""


def _kind(keyword: bytes, value: Node | None, name: str) -> str:
    if value is not None and value.type in FUNCTIONS:
        return "function"
    if value is not None and value.type == "class":
        return "class"
    return "constant" if keyword == b"const" or _UPPER.match(name) else "variable"


def method(file: File, node: Node) -> None:
    """Of a class or of an object."""
    name = node.child_by_field_name("name")
    made = add(file, node, name, "method", body=node.child_by_field_name("body"))
    file.has_members = True
    if {"get", "set"} & set(made.modifiers.split()):
        made.kind = "property"


def field(file: File, node: Node) -> None:
    """A field of a class; one that holds a function is a method."""
    name = node.child_by_field_name("name") or node.child_by_field_name("property")
    if name is None:
        return
    value = unwrapped(node.child_by_field_name("value"))
    made = add(file, node, name, "field")
    if value is not None and value.type in VALUES:
        made.kind = "class" if value.type == "class" else "method"
        give(file, made, value)


def _expression(file: File, node: Node) -> None:
    """A function or a class expression with a name of its own, handed to somebody or called at once."""
    name = node.child_by_field_name("name")
    kind = "class" if node.type == "class" else "function"
    made = add(file, node, name, kind, body=node.child_by_field_name("body"))
    if name is not None:
        made.inner, made.inner_scope = file.bytes_of(name), made.scope
        file.placed.add(name.start_byte)


def pattern_names(pattern: Node) -> Iterator[Node]:
    """The names that a destructuring pattern binds."""
    waiting = [pattern]
    while waiting:
        node = waiting.pop()
        if node.type in ("identifier", "shorthand_property_identifier_pattern"):
            yield node
        elif node.type in ("assignment_pattern", "object_assignment_pattern"):
            waiting += filter(None, [node.child_by_field_name("left")])
        elif node.type == "pair_pattern":
            waiting += filter(None, [node.child_by_field_name("value")])
        elif node.type in ("object_pattern", "array_pattern", "rest_pattern"):
            waiting += reversed(node.named_children)


HANDLERS: Mapping[str, Callable[[File, Node], None]] = {
    "function_declaration": declared("function"),
    "generator_function_declaration": declared("function"),
    "class_declaration": declared("class"),
    "method_definition": method,
    "field_definition": field,
    "assignment_expression": assignment,
}
