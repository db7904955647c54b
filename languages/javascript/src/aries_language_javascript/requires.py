"""Imports that are calls: `require`, `import()`, `import.meta.glob`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from aries_kernel.contracts.language import Import
from aries_language_javascript.folding import folded

if TYPE_CHECKING:
    from tree_sitter import Node

    from aries_language_javascript.file import File

__all__ = ["calls", "required"]

_GAP = rb"(?:\s++|//[^\n]*+\n|/\*[^*]*+\*++(?:[^/*][^*]*+\*++)*/)*"
_STRING = (
    rb"""(?:"([^"\\\n]*+(?:\\.[^"\\\n]*+)*)"|'([^'\\\n]*+(?:\\.[^'\\\n]*+)*)'"""
    rb"""|`([^`$\\]*+(?:(?:\$(?!\{)|\\.)[^`$\\]*+)*)`)"""
)
_CALLED = re.compile(rb"(?:require|import)" + _GAP + rb"(?:\?\.)?\(" + _GAP + _STRING + _GAP + rb"[,)]")
_DIRECT = re.compile(
    rb"[(\s]*+(?:await\s++)?((?:require|import)" + _GAP + rb"\(" + _GAP + _STRING + _GAP + rb",?" + _GAP + rb"\)"
    rb")[)!\s]*+((?:\??\.\s*+[\w$]++)*)"
)
_AFTER = re.compile(rb"\s*+(?:(?:\?\.\s*+)?(\(|\.\s*+(?:resolve|context)\s*+\()|[,)=])")
_INSIDE_NAMES = frozenset(
    bytes([code]) for code in b"$.#_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
)
_META = re.compile(rb"\s*+\.\s*+(glob|globEager|webpackContext|resolve)\s*+(?:<[^()]*+>)?\s*+\(")
_OPEN = re.compile(_GAP + rb"(?:\.\s*(?:defer|source)\s*)?\(")
_FIRST = re.compile(_GAP + _STRING + _GAP + rb"[,)]")
_MEMBER = re.compile(rb"\)\s*\.\s*([\w$]+)")
_ESCAPE = re.compile(r"\\(?:u\{([0-9a-fA-F]+)\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|\n|(.))", re.DOTALL)
_LINE_ENDS = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "b": "\b", "f": "\f", "v": "\v"}
_VALUE_PARENTS = frozenset(
    {
        "await_expression", "arguments", "arrow_function", "return_statement", "expression_statement", "array", "pair",
        "assignment_expression", "parenthesized_expression", "variable_declarator", "call_expression", "spread_element",
        "unary_expression", "ternary_expression", "binary_expression", "sequence_expression", "yield_expression",
        "public_field_definition", "field_definition", "as_expression", "satisfies_expression", "template_substitution",
        "export_statement", "subscript_expression", "for_in_statement", "augmented_assignment_expression",
        "throw_statement", "non_null_expression", "jsx_expression", "assignment_pattern", "object_assignment_pattern",
        "required_parameter", "switch_case", "if_statement",
    }
)  # fmt: skip
_LONGEST_TEXT = 160


def calls(file: File, root: Node) -> None:
    """Finds them all, and the names that they bind."""
    _mended(file, root)
    places, is_parameter = _places(file.source)
    if not places and not file.nodes("loading") and not file.nodes("meta"):
        return
    bound = _received(file)
    for place in places:
        node = root.descendant_for_byte_range(place, place + 7)
        if node is None or node.type != "identifier" or (is_parameter and _is_parameter(file, node)):
            continue
        _require(file, node, bound)
    for node in file.nodes("loading"):
        _loading(file, node, bound)
    for node in file.nodes("meta"):
        _meta(file, node)


def _mended(file: File, root: Node) -> None:
    """Modules that stand where a type does, as `import("x").T<A>`: the tree has a name in their place."""
    if b"import(" not in file.source:
        return
    loading = {node.start_byte for node in file.nodes("loading")}
    for found in _CALLED.finditer(file.source):
        start = found.start()
        node = root.descendant_for_byte_range(start, start + 7) if start not in loading else None
        is_name = node is not None and node.type in ("identifier", "type_identifier")
        if node is not None and is_name and node.start_byte == start and node.end_byte > start + 7:
            _bind(file, node, "type", string(found), {})


def _places(source: bytes) -> tuple[list[int], bool]:
    """Where `require` is called, and whether it may be the name of a parameter as well."""
    places, is_parameter = [], False
    place = source.find(b"require")
    while place >= 0:
        if source[max(0, place - 1) : place] not in _INSIDE_NAMES or source[max(0, place - 3) : place] == b"...":
            found = _AFTER.match(source, place + 7)
            if found and found[1]:
                places.append(place)
            elif found and source[max(0, place - 80) : place].rstrip()[-1:] in (b"(", b","):
                is_parameter = True
        place = source.find(b"require", place + 7)
    return places, is_parameter


def required(file: File, value: Node) -> int | None:
    """The place of the import that a value is: `require("x")` or `require("x").name`; None for any other value."""
    found = _DIRECT.match(file.source, value.start_byte, value.end_byte)
    return file.calls.get(found.start(1)) if found and found.end() == value.end_byte else None


def _received(file: File) -> dict[int, Node]:
    """Where calls stand whose result a declarator takes as it is."""
    bound = {}
    for node in file.nodes("declarator"):
        value = node.child_by_field_name("value")
        if value is not None:
            found = _DIRECT.match(file.source, value.start_byte, value.end_byte)
            if found and found.end() == value.end_byte and found[5].count(b".") <= 1:
                bound[found.start(1)] = node
            elif found is None and value.type == "call_expression":
                function = value.child_by_field_name("function")
                if function is not None and file.bytes_of(function) == b"require":
                    bound[value.start_byte] = node
    return bound


def _require(file: File, node: Node, bound: dict[int, Node]) -> None:
    found = _AFTER.match(file.source, node.end_byte)
    if found is None:
        return
    file.placed.add(node.start_byte)
    first = _FIRST.match(file.source, found.end())
    is_context = b"context" in found[1]
    file.is_module = True
    computed = None
    if first is None and not is_context:
        call = node.parent
        arguments = call.child_by_field_name("arguments") if call is not None else None
        # `require.resolve(x)` is a call of a member.
        if arguments is not None and arguments.named_child_count == 1:
            computed = folded(file, arguments.named_children[0])
    if computed is not None:
        _bind(file, node, "require", computed, bound)
        return
    if first is None or is_context:
        text = _call_text(file, node, found.end())
        file.imports[node.start_byte] = Import(file.line(node.start_byte), "dynamic", "", text=text)
        return
    _bind(file, node, "require", string(first), bound)


def _loading(file: File, node: Node, bound: dict[int, Node]) -> None:
    if not _OPEN.match(file.source, node.end_byte):
        return
    kind = "dynamic" if _is_value(node) else "type"
    found = _CALLED.match(file.source, node.start_byte)
    if kind == "dynamic":
        file.is_module = True
    if found is None:
        inside = file.source.find(b"(", node.end_byte) + 1
        text = _call_text(file, node, inside)
        file.imports[node.start_byte] = Import(file.line(node.start_byte), "dynamic", "", text=text)
        return
    _bind(file, node, kind, string(found), bound)


def _bind(file: File, node: Node, kind: str, module: str, bound: dict[int, Node]) -> None:
    """One import for each name that the call gives to its declarator; one without a name where it gives none."""
    start, line = node.start_byte, file.line(node.start_byte)
    declarator = bound.get(start)
    member = _DIRECT.match(file.source, start)
    name = "" if member is None else member[5].decode("utf-8", "replace").lstrip("?. \n\t")
    name = name.partition(".")[0].partition("?")[0].strip()
    pattern = None if declarator is None else declarator.child_by_field_name("name")
    file.calls[start] = start
    if declarator is None or pattern is None:
        file.imports[start] = Import(line, kind, module, name)
        return
    file.done.add(declarator.start_byte)
    scope = (declarator.start_byte, declarator.end_byte)
    if pattern.type == "identifier":
        file.imports[start] = Import(line, kind, module, name, file.text(pattern))
        file.bind(pattern, start, scope)
        return
    taken = [] if name else list(_taken(file, pattern))
    if not taken:
        file.imports[start] = Import(line, kind, module, name)
    for key, local in taken:
        place = local.start_byte
        file.calls[start] = place
        file.imports[place] = Import(file.line(local.start_byte), kind, module, key, file.text(local))
        file.bind(local, place, scope)


def _taken(file: File, pattern: Node) -> list[tuple[str, Node]]:
    found = []
    for node in pattern.named_children if pattern.type == "object_pattern" else ():
        if node.type == "shorthand_property_identifier_pattern":
            found.append((file.text(node), node))
        elif node.type == "object_assignment_pattern":
            left = node.child_by_field_name("left")
            found += [] if left is None else [(file.text(left), left)]
        elif node.type == "pair_pattern":
            key, value = node.child_by_field_name("key"), node.child_by_field_name("value")
            if value is not None and value.type == "assignment_pattern":
                value = value.child_by_field_name("left")
            if key is not None and value is not None and value.type == "identifier":
                found.append((file.key(key), value))
    return found


def _meta(file: File, node: Node) -> None:
    found = _META.match(file.source, node.end_byte)
    if found and found[1] == b"resolve":
        first = _FIRST.match(file.source, found.end())
        if first:
            file.imports[node.start_byte] = Import(file.line(node.start_byte), "dynamic", string(first))
    elif found:
        text = _call_text(file, node, found.end())
        file.imports[node.start_byte] = Import(file.line(node.start_byte), "dynamic", "", text=text)


def _is_value(node: Node) -> bool:
    """Whether `import("x")` runs; in the place of a type it only names one."""
    call = node.parent
    inner, parent = call, None if call is None else call.parent
    while parent is not None and parent.type == "member_expression":
        inner, parent = parent, parent.parent
    if parent is not None and parent.type in ("as_expression", "satisfies_expression"):
        return parent.named_children[0] == inner
    return parent is None or parent.type in _VALUE_PARENTS or parent.type == "program"


def _is_parameter(file: File, node: Node) -> bool:
    """Whether a function around it has a parameter of that name: a bundle with its own `require`."""
    parent = node.parent
    while parent is not None:
        parameters = parent.child_by_field_name("parameters")
        if parameters is not None and re.search(rb"(?<![\w$])require(?![\w$])", file.bytes_of(parameters)):
            return True
        parent = parent.parent
    return False


def _call_text(file: File, node: Node, inside: int) -> str:
    end = file.source.find(b")", inside, inside + _LONGEST_TEXT)
    end = min(inside + _LONGEST_TEXT, len(file.source)) if end < 0 else end + 1
    return " ".join(file.source[node.start_byte : end].decode("utf-8", "replace").split())


def string(found: re.Match[bytes]) -> str:
    """The value of the string that a pattern found."""
    text = next(group for group in found.groups() if group is not None).decode("utf-8", "replace")
    return _ESCAPE.sub(_unescaped, text) if "\\" in text else text


def _unescaped(found: re.Match[str]) -> str:
    code = found[1] or found[2] or found[3]
    if code:
        number = int(code, 16)
        return chr(number) if number < 0x110000 and not 0xD800 <= number < 0xE000 else "\ufffd"
    return _LINE_ENDS.get(found[4], found[4]) if found[4] else ""
