"""The names in declarators: what is called, and whether it is a function."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tree_sitter import Node

__all__ = ["Declared", "declared", "plain_name"]

_ARGUMENTS = re.compile(rb"<[^<>]*(?:<[^<>]*(?:<[^<>]*>[^<>]*)*>[^<>]*)*>")
_WRAPPERS = frozenset(
    {
        "pointer_declarator", "array_declarator", "function_declarator", "parenthesized_declarator", "init_declarator",
        "reference_declarator", "attributed_declarator", "variadic_declarator", "operator_cast",
    }
)  # fmt: skip
_DEEPEST = 64


class Declared(NamedTuple):
    """What a declarator names."""

    name: bytes
    """Without what it is a member of."""
    owner: str
    """The class or namespace before it, joined by dots."""
    place: int
    """Where the name begins."""
    is_function: bool
    begin: int = -1
    """Where what it is a member of begins."""


def declared(node: Node, source: bytes) -> Declared | None:
    """The name that a declarator declares; None where there is none."""
    is_function, is_pointer = False, False
    for _ in range(_DEEPEST):
        kind = node.type
        if kind not in _WRAPPERS:
            break
        if kind == "function_declarator":
            is_function = True
        elif kind == "parenthesized_declarator":
            is_pointer = True
        inner = node.child_by_field_name("declarator")
        if inner is None:
            inner = next(
                (child for child in node.named_children if "declarator" in child.type or _is_name(child)), None
            )
        if inner is None or kind == "operator_cast":
            break
        named = _given_to_macro(inner) if kind in ("function_declarator", "array_declarator") else None
        if named is not None:
            return Declared(source[named.start_byte : named.end_byte], "", named.start_byte, is_function)
        node = inner
    start, end = node.start_byte, node.end_byte
    type_ = node.child_by_field_name("type") if node.type == "operator_cast" else None
    if type_ is not None:
        return Declared(b"operator " + source[type_.start_byte : type_.end_byte], "", start, True)
    if not _is_name(node):
        return None
    owner, _, name = plain_name(source[start:end]).rpartition(b"::")
    if not name:
        return None
    # `int (*f)(void)` is a variable.
    is_function = is_function and not is_pointer
    said = owner.replace(b"::", b".").decode("utf-8", "replace")
    return Declared(name, said, end - len(name), is_function, start if owner else -1)


def _given_to_macro(node: Node) -> Node | None:
    """`run` of `APP_CALL(run)(int)` and `APP_NAME(run)[3]`: no function gives a function or an array."""
    parameters = node.child_by_field_name("parameters") if node.type == "function_declarator" else None
    if parameters is None or parameters.named_child_count != 1:
        return None
    only = parameters.named_children[0]
    found = only.named_children[0] if only.named_child_count == 1 else None
    return found if found is not None and found.type == "type_identifier" else None


def plain_name(text: bytes) -> bytes:
    """A qualified name without arguments of templates and blanks."""
    operator = text.find(b"operator")
    head, tail = (text, b"") if operator < 0 else (text[:operator], text[operator:])
    head = re.sub(rb"\s+", b"", _ARGUMENTS.sub(b"", head) if b"<" in head else head)
    return head + b" ".join(tail.split())


def _is_name(node: Node) -> bool:
    return node.type.endswith(("identifier", "_name", "operator_cast", "primitive_type"))
