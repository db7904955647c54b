"""Definitions of a file as symbols, and the scopes that their bodies open."""

from __future__ import annotations

import re
from collections.abc import Callable
from operator import attrgetter
from typing import TYPE_CHECKING

from attrs import define, field

from aries_kernel.contracts import Symbol
from aries_language_python.documenting import doc_at
from aries_language_python.scoping import MODULE, Scope, Scopes, Stretches

if TYPE_CHECKING:
    from tree_sitter import Node

    from aries_language_python.grammar import Marks

__all__ = ["Definitions", "define_symbols"]

_LONGEST_SIGNATURE = 240
_WORD = rb"[A-Za-z_\x80-\xff][\w\x80-\xff]*"
_DECORATOR = re.compile(rb"^[ \t]*@[ \t]*([\w.\x80-\xff]+)", re.MULTILINE)
_HEAD = re.compile(rb"(?:class|(?:async[ \t]+)?def)[ \t]+(" + _WORD + rb")")
_FIRST_PARAMETER = re.compile(rb"[ \t]*\(\s*(" + _WORD + rb")")
_COMMENT = re.compile(rb"#[^\n]*")
_SPACE = re.compile(r"\s+")
_TYPE_MAKERS = re.compile(rb"(?:[\w.]+\.)?(?:TypeVar|NewType|ParamSpec|TypeVarTuple)[ \t]*\(")
_ENUMS = re.compile(rb"\b(?:\w*Enum|\w*Flag)\b")
_WITH_VARIABLES = ("module", "class")
_START = attrgetter("start_byte")
_AROUND_TARGET = frozenset({"assignment"})
_AROUND_ALIAS = frozenset({"type", "generic_type", "type_alias_statement"})
_PROPERTIES = ("property", "cached_property", "setter", "getter", "deleter")


@define
class Definitions:
    """What `define_symbols` finds."""

    source: bytes
    line_at: Callable[[int], int]
    symbols: list[Symbol] = field(factory=list)
    scopes: Scopes = field(factory=Scopes)
    places: Stretches[tuple[int, int]] = field(init=False)
    """Scope and innermost symbol, over the whole text."""
    parameters: Stretches[int] = field(init=False)
    """Scopes of functions, over the text of their parameters."""
    bases: set[int] = field(factory=set)
    """Where the base classes of a class begin."""
    members: dict[int, set[bytes]] = field(factory=dict)
    """Names that the body of a class defines, by the place of its symbol."""
    parameter_spans: list[tuple[int, int, int]] = field(factory=list)
    """The same as spans, outer ones first."""
    headers: list[int] = field(factory=list)
    """Where the names of classes and functions stand that are defined there: no references."""
    enums: set[int] = field(factory=set)
    classes_with_bases: set[int] = field(factory=set)


_Open = tuple[int, int, int, int]
"""A container whose end has not come yet: its end, where its body begins, the scope and the symbol of that."""


def define_symbols(marks: Marks, line_at: Callable[[int], int]) -> Definitions:
    """Classes, functions and the variables of modules and classes."""
    found = Definitions(marks.source, line_at)
    decorated = {_definition_start(node): node.start_byte for node in marks.of("decorated")}
    kinds = ("class", "function", "lambda", "comprehension")
    given = [(kind, one) for kind in kinds for one in marks.of(kind)]
    spans = [(one.start_byte, -one.end_byte, number) for number, (_, one) in enumerate(given)]
    spans.sort()
    places: list[tuple[int, int, tuple[int, int]]] = []
    waiting: list[_Open] = [(len(marks.source) + 1, 0, MODULE, -1)]
    scopes = found.scopes
    for start, end, number in spans:
        kind, node = given[number]
        while waiting[-1][0] <= start:
            waiting.pop()
        _, body, outer, symbol = waiting[-1]
        parent = outer if start >= body else scopes.all[outer].parent
        if kind in ("class", "function"):
            whole = decorated.get(start, start)
            opened = _define(found, node, kind, (whole, start, -end), parent, symbol)
            # A body starts behind the heads of what stands before it.
            places.append((whole, end, (parent, opened[3])))
            places.append((opened[1], end, opened[2:]))
        else:
            opened = -end, start, scopes.add(Scope(kind, parent, symbol)), symbol
            places.append((start, end, opened[2:]))
        listed = node.child_by_field_name("parameters") if kind in ("function", "lambda") else None
        if listed is not None:
            found.parameter_spans.append((*listed.byte_range, opened[2]))
        waiting.append(opened)
    places.sort()
    found.places = Stretches([(start, -end, value) for start, end, value in places], (MODULE, -1))
    found.parameters = Stretches(found.parameter_spans, -1)
    for name in ("assigned", "alias"):
        nodes = marks.of(name)
        for node, (scope, _) in zip(nodes, found.places.of(list(map(_START, nodes))), strict=True):
            around = scopes.all[scope]
            if around.kind in _WITH_VARIABLES:
                _define_variables(found, node, around, name == "alias")
    return found


def _definition_start(node: Node) -> int:
    definition = node.child_by_field_name("definition")
    return definition.start_byte if definition is not None else node.start_byte


def _define(
    found: Definitions, node: Node, kind: str, span: tuple[int, int, int], parent_scope: int, parent: int
) -> _Open:
    """The symbol of a class or a function, and the scope of its body. `span`: decorators, what is behind them, end."""
    source, symbols, scopes = found.source, found.symbols, found.scopes
    whole, start, end = span
    place, body = len(symbols), node.child_by_field_name("body")
    body_start = body.start_byte if body is not None else end
    name, named = _name_at(source, start, node)
    text = name.decode("utf-8", "replace")
    around = scopes.all[parent_scope]
    is_method = kind == "function" and around.kind == "class"
    decorators = _decorators(source, whole, start) if whole < start else []
    is_open = text[:1] != "_" or _is_open(text)
    # fmt: off
    symbols.append(tuple.__new__(Symbol, (
        text, f"{symbols[parent].qualified}.{text}" if parent >= 0 else text,
        "class" if kind == "class" else _function_kind(is_method, decorators),
        found.line_at(start) - (source.count(b"\n", whole, start) if decorators else 0), found.line_at(end), whole, end,
        parent, _signature(source[start:body_start]), doc_at(source, body_start, end),
        is_open and (parent < 0 or symbols[parent].exported) and around.kind != "function",
        _modifiers(source[start : start + 6], decorators) if decorators or source.startswith(b"a", start) else "",
    )))
    # fmt: on
    if named >= 0:
        found.headers.append(named)
        scopes.bind(name, parent_scope, ("symbol", place))
        if around.kind == "class":
            found.members.setdefault(parent, set()).add(name)
    scope = scopes.add(Scope(kind, parent_scope, place))
    if kind == "class":
        found.members.setdefault(place, set())
        _note_bases(found, node, place)
    elif is_method and "staticmethod" not in decorators:
        first = _FIRST_PARAMETER.match(source, _behind_name(source, node, named + len(name)))
        if first is not None:
            scopes.bind(first[1], scope, ("self", parent))
    return end, body_start, scope, place


def _name_at(source: bytes, start: int, node: Node) -> tuple[bytes, int]:
    """The name of a class or a function, and where it stands; -1 where there is none."""
    head = _HEAD.match(source, start)
    if head is not None:
        return head[1], head.start(1)
    name = node.child_by_field_name("name")
    return (source[name.start_byte : name.end_byte], name.start_byte) if name is not None else (b"", -1)


def _behind_name(source: bytes, node: Node, place: int) -> int:
    """Where the parameters begin: behind those of types, where the function has any."""
    if source[place : place + 1] in (b"(", b""):
        return place
    parameters = node.child_by_field_name("parameters")
    return parameters.start_byte if parameters is not None else place


def _decorators(source: bytes, whole: int, start: int) -> list[str]:
    found = _DECORATOR.findall(source, source.rfind(b"\n", 0, whole) + 1, start)
    return [one.decode("utf-8", "replace") for one in found]


def _note_bases(found: Definitions, node: Node, place: int) -> None:
    bases = node.child_by_field_name("superclasses")
    if bases is None:
        return
    for base in bases.named_children:
        if base.type in ("identifier", "attribute", "subscript"):
            found.bases.add(base.start_byte)
            if found.source[base.start_byte : base.end_byte] != b"object":
                found.classes_with_bases.add(place)
    if _ENUMS.search(found.source, bases.start_byte, bases.end_byte):
        found.enums.add(place)


def _define_variables(found: Definitions, node: Node, around: Scope, is_alias: bool) -> None:
    """Names on the left of an assignment in a module or a class: symbols."""
    start, statement = node.start_byte, node
    around_it = _AROUND_ALIAS if is_alias else _AROUND_TARGET
    while (above := statement.parent) is not None and above.type in around_it:
        statement = above
    parent = around.symbol
    first, last = statement.byte_range
    line_end = found.source.find(b"\n", first, last)
    head = found.source[first : line_end if line_end >= 0 else last]
    for name in _targets(found.source, node):
        known = around.names.get(name, [])
        if any(kind == "symbol" for kind, _ in known):
            continue
        text = name.decode("utf-8", "replace")
        kind = _variable_kind(found, name, node, parent, is_alias)
        if is_alias:
            found.headers.append(start)
        around.names.setdefault(name, []).append(("symbol", len(found.symbols)))
        if around.kind == "class":
            found.members.setdefault(parent, set()).add(name)
        # fmt: off
        found.symbols.append(tuple.__new__(Symbol, (
            text, f"{found.symbols[parent].qualified}.{text}" if parent >= 0 else text, kind,
            found.line_at(first), found.line_at(last), first, last, parent,
            _cut(head.decode("utf-8", "replace").strip(), 120), "",
            _is_open(text) and (parent < 0 or found.symbols[parent].exported), "",
        )))
        # fmt: on


def _targets(source: bytes, node: Node) -> list[bytes]:
    """Names that an assignment to this pattern binds."""
    if node.type == "identifier":
        return [source[node.start_byte : node.end_byte]]
    names, waiting = [], [node]
    while waiting:
        one = waiting.pop()
        if one.type == "identifier":
            names.append(source[one.start_byte : one.end_byte])
        elif one.type not in ("attribute", "subscript", "call"):
            waiting.extend(reversed(one.named_children))
    return names


def _variable_kind(found: Definitions, name: bytes, node: Node, parent: int, is_alias: bool) -> str:
    above = node.parent
    right = above.child_by_field_name("right") if above is not None else None
    value = found.source[right.start_byte : right.start_byte + 60] if right is not None else b""
    annotation = above.child_by_field_name("type") if above is not None and not is_alias else None
    noted = found.source[annotation.start_byte : annotation.end_byte] if annotation is not None else b""
    if is_alias or b"TypeAlias" in noted or _TYPE_MAKERS.match(value):
        return "type"
    if value.startswith(b"lambda") and not value[6:7].isalnum():
        return "function" if parent < 0 else "method"
    if parent >= 0:
        return "member" if parent in found.enums and not noted and not name.startswith(b"_") else "field"
    return "constant" if name.isupper() or b"Final" in noted else "variable"


def _function_kind(is_method: bool, decorators: list[str]) -> str:
    if not is_method:
        return "function"
    return "property" if any(one.rpartition(".")[2] in _PROPERTIES for one in decorators) else "method"


def _modifiers(head: bytes, decorators: list[str]) -> str:
    if not decorators:
        return "async" if head.startswith(b"async") else ""
    words = ["overload"] if any(one.rpartition(".")[2] == "overload" for one in decorators) else []
    if head.startswith(b"async"):
        words.append("async")
    return " ".join([*words, *(f"@{one}" for one in decorators)])


def _is_open(name: str) -> bool:
    return name[:1] != "_" or (name.startswith("__") and name.endswith("__"))


def _signature(head: bytes) -> str:
    head = head.rstrip()
    if b"\n" not in head and b"#" not in head and len(head) <= _LONGEST_SIGNATURE:
        return head.removesuffix(b":").decode("utf-8", "replace").rstrip()
    text = _COMMENT.sub(b"", head) if b"#" in head else head
    line = _SPACE.sub(" ", text.decode("utf-8", "replace")).strip().removesuffix(":").rstrip()
    return _cut(line.replace("( ", "(").replace(", )", ")").replace(" )", ")"), _LONGEST_SIGNATURE)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
