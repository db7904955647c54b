"""Definitions that only TypeScript has."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from aries_language_javascript.definition import Definition, add
from aries_language_javascript.definitions import HANDLERS as SHARED
from aries_language_javascript.definitions import declared, field, method, variables

if TYPE_CHECKING:
    from tree_sitter import Node

    from aries_language_javascript.file import File

__all__ = ["HANDLERS"]

_FIELD_WORDS = frozenset({"accessibility_modifier", "override_modifier", "readonly"})


def _function_signature(file: File, node: Node) -> None:
    """`function f(): void;`, an overload or the declaration of something elsewhere."""
    add(file, node, node.child_by_field_name("name"), "function", binds=True).is_signature = True


def _method_signature(file: File, node: Node) -> None:
    made = add(file, node, node.child_by_field_name("name"), "method")
    made.is_signature = True
    if {"get", "set"} & set(made.modifiers.split()):
        made.kind = "property"


def _property_signature(file: File, node: Node) -> None:
    add(file, node, node.child_by_field_name("name"), "property")


_MEMBERS: Mapping[str, Callable[[File, Node], None]] = {
    "method_signature": _method_signature,
    "property_signature": _property_signature,
}


def _signatures(file: File, body: Node | None) -> None:
    """What a class only declares, and what an interface or the type of an object holds."""
    for member in () if body is None else body.named_children:
        handler = _MEMBERS.get(member.type)
        if handler is not None:
            handler(file, member)


def _interface(file: File, node: Node) -> None:
    _type(file, node, "interface")
    _signatures(file, node.child_by_field_name("body"))


def _alias_of_type(file: File, node: Node) -> None:
    _type(file, node, "type")
    value = node.child_by_field_name("value")
    if value is not None and value.type == "object_type":
        _signatures(file, value)


def _enum(file: File, node: Node) -> None:
    _type(file, node, "enum").is_value = True
    body = node.child_by_field_name("body")
    for member in () if body is None else body.named_children:
        if member.type != "comment":
            add(file, member, member.child_by_field_name("name") or member, "member")


def _type(file: File, node: Node, kind: str) -> Definition:
    made = add(file, node, node.child_by_field_name("name"), kind, body=node.child_by_field_name("body"), binds=True)
    made.is_type, made.is_value = True, False
    return made


def _namespace(file: File, node: Node) -> None:
    """`namespace A.B {}`, `declare module "x" {}`."""
    name = node.child_by_field_name("name")
    body = node.child_by_field_name("body")
    if name is None:
        return
    made = add(file, node, name, "namespace", body=body, binds=name.type == "identifier")
    made.is_type = True
    variables(file, [] if body is None else body.named_children)
    if name.type == "string":
        return
    parts = "".join(made.name.split()).split(".")
    made.name, made.owner = parts[-1], ".".join(parts[:-1])
    if len(parts) > 1:
        made.binds = parts[0].encode()
        file.placed.add(name.start_byte)


def _alias(file: File, node: Node) -> None:
    """`import Short = Some.Space`."""
    if node.named_children and node.named_children[0].type == "identifier":
        made = add(file, node, node.named_children[0], "variable", binds=True)
        made.is_type = True


def _method(file: File, node: Node) -> None:
    method(file, node)
    parameters = node.child_by_field_name("parameters")
    name = node.child_by_field_name("name")
    if parameters is not None and name is not None and file.bytes_of(name) == b"constructor":
        for parameter in parameters.named_children:
            if any(child.type in _FIELD_WORDS for child in parameter.children):
                _parameter(file, parameter)


def _ambient(file: File, node: Node) -> None:
    """`declare global { ... }`"""
    for child in node.named_children:
        if child.type == "statement_block":
            variables(file, child.named_children)


def _parameter(file: File, node: Node) -> None:
    """A parameter of a constructor that is a field as well."""
    pattern = node.child_by_field_name("pattern")
    if pattern is not None and pattern.type == "identifier":
        add(file, node, pattern, "field", owner="this")


HANDLERS: Mapping[str, Callable[[File, Node], None]] = {
    **SHARED,
    "function_signature": _function_signature,
    "abstract_class_declaration": declared("class"),
    "class_body": _signatures,
    "method_definition": _method,
    "abstract_method_signature": _method_signature,
    "public_field_definition": field,
    "interface_declaration": _interface,
    "type_alias_declaration": _alias_of_type,
    "enum_declaration": _enum,
    "internal_module": _namespace,
    "module": _namespace,
    "import_alias": _alias,
    "ambient_declaration": _ambient,
}
