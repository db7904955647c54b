"""Definitions that only TypeScript has."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from aries_language_javascript.definition import add
from aries_language_javascript.definitions import HANDLERS as SHARED
from aries_language_javascript.definitions import declared, field

if TYPE_CHECKING:
    from tree_sitter import Node

    from aries_language_javascript.file import File

__all__ = ["HANDLERS"]


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


def _type(kind: str) -> Callable[[File, Node], None]:
    def handle(file: File, node: Node) -> None:
        body = node.child_by_field_name("body")
        made = add(file, node, node.child_by_field_name("name"), kind, body=body, binds=True)
        made.is_type, made.is_value = True, kind == "enum"

    return handle


def _member(file: File, node: Node) -> None:
    """Of an enum: a bare name, or one with a value."""
    if node.type == "enum_assignment" or (node.parent is not None and node.parent.type == "enum_body"):
        add(file, node, node.child_by_field_name("name") or node, "member")


def _namespace(file: File, node: Node) -> None:
    """`namespace A.B {}`, `declare module "x" {}`."""
    name = node.child_by_field_name("name")
    body = node.child_by_field_name("body")
    if name is None:
        return
    made = add(file, node, name, "namespace", body=body, binds=name.type == "identifier")
    made.is_type = True
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


def _parameter(file: File, node: Node) -> None:
    """A parameter of a constructor that is a field as well."""
    pattern = node.child_by_field_name("pattern")
    if pattern is not None and pattern.type == "identifier":
        add(file, node, pattern, "field", owner="this")


HANDLERS: Mapping[str, Callable[[File, Node], None]] = {
    **SHARED,
    "function_signature": _function_signature,
    "abstract_class_declaration": declared("class"),
    "method_signature": _method_signature,
    "abstract_method_signature": _method_signature,
    "property_signature": _property_signature,
    "public_field_definition": field,
    "interface_declaration": _type("interface"),
    "type_alias_declaration": _type("type"),
    "enum_declaration": _type("enum"),
    "enum_assignment": _member,
    "property_identifier": _member,
    "string": _member,
    "internal_module": _namespace,
    "module": _namespace,
    "import_alias": _alias,
    "required_parameter": _parameter,
    "optional_parameter": _parameter,
}
