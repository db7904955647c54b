"""Import statements as rows, and the names that they bind."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from attrs import define, field

from aries_kernel.contracts import Import
from aries_language_python.scoping import MODULE

if TYPE_CHECKING:
    from tree_sitter import Node

    from aries_language_python.defining import Definitions
    from aries_language_python.grammar import Marks

__all__ = ["Imports", "read_dynamic_imports", "read_imports"]

_SPACE = re.compile(rb"[\s\\]+")
_PLAIN = re.compile(
    rb"(?:from[ \t]+(\.*[A-Za-z_][\w.]*|\.+)[ \t]+import[ \t]*(?:\((?=[\w\s,]*\)\Z)|(?=[ \t][\w \t,]+\Z))([\w\s,]+)\)?"
    rb"|import[ \t]+([\w., \t]+))\Z"
)
_DYNAMIC = re.compile(rb"(?<![\w.\x80-\xff])(?:(?:importlib\.)?import_module|__import__)[ \t]*\(")
_DEFINITION = re.compile(rb"\bdef[ \t]+\Z")
_LITERAL = re.compile(
    rb"""\s*[rRuU]?(["'])([\w.]+)\1\s*(?:,\s*(?:package\s*=\s*)?(?:(["'])([\w.]+)\3|(__package__|__name__))\s*)?,?\s*\)"""
)
_LONGEST_TEXT = 120


@define
class Imports:
    """What a file brings in."""

    rows: list[Import] = field(factory=list)
    of_module: list[int] = field(factory=list)
    """Places of rows that the whole module sees, in the order of the text."""
    prefixes: dict[int, bytes] = field(factory=dict)
    """Names between the bound one and the module, by row: `b.c` for `import a.b.c`."""


def read_imports(marks: Marks, found: Definitions, type_only: list[tuple[int, int]]) -> Imports:
    """Rows in the order of the text, statements first and computed imports after them; binds names in `found`."""
    result = Imports()
    starts = [start for start, _ in type_only]
    for node in marks.of("import"):
        start, end = node.byte_range
        place = bisect_right(starts, start) - 1
        kind = "type" if place >= 0 and start < type_only[place][1] else "import"
        scope, _ = found.places.at(start)
        line = found.line_at(start)
        for module, name, local, prefix in _plain_names(marks.source[start:end]) or _names(marks.source, node):
            _add(result, found, scope, tuple.__new__(Import, (line, kind, module, name, local, "")), prefix)
    return result


def read_dynamic_imports(source: bytes, code: bytes, line_at: Callable[[int], int]) -> Iterator[Import]:
    """Imports by name at run time. `code` is the source without texts and comments."""
    # Both `import_module` and `__import__`.
    if b"import_" not in code:
        return
    for call in _DYNAMIC.finditer(code):
        if _DEFINITION.search(code, max(0, call.start() - 20), call.start()):
            continue
        literal = _LITERAL.match(source, call.end())
        line = line_at(call.start())
        if literal is None:
            text = source[call.start() : call.start() + _LONGEST_TEXT].split(b"\n", 1)[0]
            yield Import(line, "dynamic", "", text=text.decode("utf-8", "replace").strip())
            continue
        module = literal[2].decode("utf-8", "replace")
        if module.startswith(".") and literal[4]:
            levels = len(module) - len(module.lstrip("."))
            package = literal[4].decode("utf-8", "replace").split(".")
            module = ".".join([*package[: len(package) - levels + 1], module.lstrip(".")]).rstrip(".")
        yield Import(line, "dynamic", module)


def _add(result: Imports, found: Definitions, scope: int, row: Import, prefix: str) -> None:
    place = len(result.rows)
    result.rows.append(row)
    if row.local:
        found.scopes.bind(row.local.encode(), scope, ("import", place))
    if prefix:
        result.prefixes[place] = prefix.encode()
    if scope == MODULE:
        result.of_module.append(place)


def _plain_names(statement: bytes) -> list[tuple[str, str, str, str]]:
    """As `_names`, from the text, which is as it is nearly always; empty where only the tree can tell."""
    found = _PLAIN.match(statement)
    if found is None:
        return []
    module = (found[1] or b"").decode()
    names: list[tuple[str, str, str, str]] = []
    for part in (found[2] or found[3]).decode().split(","):
        words = part.split()
        if not words and names:
            continue
        if len(words) == 1:
            target = alias = words[0]
        elif len(words) == 3 and words[1] == "as":
            target, _, alias = words
        else:
            return []
        if module:
            names.append((module, target, alias, ""))
        else:
            local, _, rest = alias.partition(".")
            names.append((target, "", local, rest))
    return names


def _names(source: bytes, node: Node) -> Iterator[tuple[str, str, str, str]]:
    """Module, name, local name, and what of the module stands behind the local name."""
    given = node.children_by_field_name("name")
    if node.type == "import_statement":
        for one in given:
            target, alias = _alias(source, one)
            local, _, rest = target.partition(".")
            yield target, "", alias or local, "" if alias else rest
        return
    module = _text(source, node.child_by_field_name("module_name"))
    for one in given:
        target, alias = _alias(source, one)
        yield module, target, alias or target, ""
    if not given and any(child.type == "wildcard_import" for child in node.named_children):
        yield module, "*", "", ""


def _alias(source: bytes, node: Node) -> tuple[str, str]:
    if node.type == "aliased_import":
        return _text(source, node.child_by_field_name("name")), _text(source, node.child_by_field_name("alias"))
    return _text(source, node), ""


def _text(source: bytes, node: Node | None) -> str:
    written = source[node.start_byte : node.end_byte] if node is not None else b""
    return _SPACE.sub(b"", written).decode("utf-8", "replace")
