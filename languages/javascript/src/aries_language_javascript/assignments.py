"""Definitions that are written as assignments, and what CommonJS exports by them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from aries_language_javascript.definition import FUNCTIONS, VALUES, add, give, unwrapped
from aries_language_javascript.file import ExportedName, File
from aries_language_javascript.requires import required

if TYPE_CHECKING:
    from tree_sitter import Node

__all__ = ["assignment"]

_PATH = re.compile(r"[\w$#]+(?:\.[\w$#]+)*\Z")
_LONGEST_CHAIN = 20
"""Of `a = b = c = value`."""
_NOTHING = re.compile(rb"undefined|void\s+0|null")


def assignment(file: File, node: Node) -> None:
    """`app.use = function ...`, `Foo.prototype.bar = ...`, `this.run = ...`, `exports.x = ...`."""
    left, value = node.child_by_field_name("left"), node.child_by_field_name("right")
    for _ in range(_LONGEST_CHAIN):
        if value is None or value.type != "assignment_expression":
            break
        value = value.child_by_field_name("right")
    if left is None or value is None or left.type not in ("identifier", "member_expression"):
        return
    value = unwrapped(value)
    if value is None or (left.type == "identifier" and value.type not in VALUES):
        return
    path = "".join(file.text(left).split())
    if not _PATH.match(path):
        return
    parts = path.split(".")
    if parts[:2] == ["module", "exports"]:
        _export(file, node, parts[2:], value)
    elif parts[0] == "exports" and len(parts) > 1:
        _export(file, node, parts[1:], value)
    elif value.type in VALUES or value.type == "object":
        _owned(file, node, parts, value)


def _owned(file: File, node: Node, parts: list[str], value: Node) -> None:
    """Something put on an object, or a bare name that gets a function."""
    is_group = value.type == "object"
    if parts[-1] == "prototype":
        parts = parts[:-1]
        if not is_group or not parts:
            return
    owner = [part for part in parts[:-1] if part != "prototype"]
    made = add(file, node, None, "method" if owner else "function", owner=".".join(owner))
    made.name, made.is_group = parts[-1], is_group
    if value.type == "class":
        made.kind = "class"
    if value.type in VALUES:
        give(file, made, value)


def _export(file: File, node: Node, parts: list[str], value: Node) -> None:
    file.is_module = True
    item = required(file, value)
    if value.type == "identifier":
        local = file.bytes_of(value)
        if not _NOTHING.fullmatch(local):
            file.exports.append(ExportedName(parts[-1] if parts else "default", local))
        if not parts:
            file.export_objects.add(file.text(value))
    elif item is not None:
        if not parts:
            file.exports.append(ExportedName("*", item=item, is_all=True))
        file.exports.append(ExportedName(parts[-1] if parts else "default", item=item))
    elif parts:
        _named(file, node, parts, value)
    elif value.type == "object":
        _members(file, value)
    elif value.type in VALUES:
        made = add(file, node, None, "class" if value.type == "class" else "function")
        give(file, made, value)
        made.name, made.owner = ("exports", "module") if not made.inner else (made.inner.decode("utf-8", "replace"), "")
        made.exported = "default"


def _named(file: File, node: Node, parts: list[str], value: Node) -> None:
    if _NOTHING.fullmatch(file.bytes_of(value)):
        return
    kind = "class" if value.type == "class" else "function" if value.type in FUNCTIONS else "variable"
    made = add(file, node, None, kind, owner=".".join(parts[:-1]))
    made.name = parts[-1]
    if len(parts) == 1:
        made.exported = parts[0]
    if value.type in VALUES:
        give(file, made, value)


def _members(file: File, exported: Node) -> None:
    """`module.exports = { a, b: c, d() {}, e: require("./e"), ...require("./f") }`."""
    for member in exported.named_children:
        if member.type == "shorthand_property_identifier":
            file.exports.append(ExportedName(file.text(member), file.bytes_of(member)))
        elif member.type == "method_definition":
            name = member.child_by_field_name("name")
            file.exported_members[member.start_byte] = "" if name is None else file.key(name)
        elif member.type == "pair":
            _member(file, member)
        elif member.type == "spread_element" and member.named_children:
            item = required(file, member.named_children[0])
            if item is not None:
                file.exports.append(ExportedName("*", item=item, is_all=True))


def _member(file: File, pair: Node) -> None:
    key, value = pair.child_by_field_name("key"), pair.child_by_field_name("value")
    if key is None or value is None:
        return
    item = required(file, value)
    if value.type in VALUES:
        file.exported_members[pair.start_byte] = file.key(key)
    elif value.type == "identifier":
        file.exports.append(ExportedName(file.key(key), file.bytes_of(value)))
    elif item is not None:
        file.exports.append(ExportedName(file.key(key), item=item))
