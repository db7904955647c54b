"""Uses of names that lead to a definition of the file or to an import."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import TYPE_CHECKING

from attrs import define, field

from aries_kernel.contracts import Reference
from aries_language_python.scoping import HIDDEN, MODULE, Binding

if TYPE_CHECKING:
    from collections.abc import Sequence

    from aries_language_python.defining import Definitions
    from aries_language_python.grammar import Marks
    from aries_language_python.importing import Imports

__all__ = ["Lines", "Referrer", "code_of"]

_WORD = rb"[A-Za-z_\x80-\xff][\w\x80-\xff]*"
_USE = re.compile(rb"(?<![\w.\x80-\xff])(" + _WORD + rb")((?:\." + _WORD + rb")*)[ \t]*([(=\[\"']?)(=?)")
_PREFIXES = re.compile(rb"(?i:[rbfut]{1,2})\Z")
_BEFORE_KEYWORD = re.compile(rb"[(,]\s*\Z")
_QUOTES = (b'"', b"'")
_SUPER = re.compile(rb"(?<![\w.\x80-\xff])super\([^()\n]*\)\.(" + _WORD + rb")")

_Use = tuple[int, bytes, bytes, bytes]
"""Where a name stands, the name, the names behind it, and what follows them: `(`, `=`, `[`, a quote or nothing."""


class Lines:
    """Lines of places in a text."""

    def __init__(self, source: bytes) -> None:
        self._ends = [found.start() for found in re.finditer(b"\n", source)]

    def at(self, place: int) -> int:
        """From 1."""
        return bisect_right(self._ends, place - 1) + 1


class _Spans:
    """Spans that lie apart, or whose outer ones alone count."""

    def __init__(self, spans: Sequence[tuple[int, int]]) -> None:
        """`spans`: sorted."""
        self.starts: list[int] = []
        self.ends: list[int] = []
        last = 0
        for start, end in spans:
            if start >= last:
                self.starts.append(start)
                self.ends.append(end)
                last = end

    def holds(self, place: int) -> bool:
        found = bisect_right(self.starts, place) - 1
        return found >= 0 and place < self.ends[found]


def code_of(marks: Marks) -> bytes:
    """The source with texts, comments and import statements blanked, so that every name in it is one of the code.

    Texts within annotations stay: they are types whose names come later in the file.
    """
    code = bytearray(marks.source)
    types = _Spans([one.byte_range for one in marks.of("type")])
    for name in ("comment", "string", "import", "future", "outer"):
        for node in marks.of(name):
            start, end = node.byte_range
            if name != "string" or not types.starts or not types.holds(start):
                code[start:end] = b" " * (end - start)
    return bytes(code)


@define
class Referrer:
    """Finds the references of one file, once its definitions and imports are known."""

    marks: Marks
    found: Definitions
    imports: Imports
    lines: Lines
    code: bytes
    _bound: _Spans = field(init=False)
    _walrus: set[int] = field(init=False)
    _types: _Spans = field(init=False)
    _headers: set[int] = field(init=False)
    _own_fields: dict[int, set[bytes]] = field(factory=dict)
    """Names of instance variables that a class sets on itself, by class."""

    def __attrs_post_init__(self) -> None:
        marks = self.marks
        bound = [*marks.of("bound"), *marks.of("assigned"), *marks.of("alias")]
        self._bound = _Spans(sorted([one.byte_range for one in bound]))
        self._walrus = {node.start_byte for node in marks.of("walrus")}
        self._types = _Spans([one.byte_range for one in marks.of("type")])
        self._headers = {start for start, _ in self.found.headers}

    def references(self) -> list[Reference]:
        """In the order of the text."""
        for node in self.marks.of("outer"):
            scope = self.found.scopes.all[self.found.places.at(node.start_byte)[0]]
            scope.outer.update((node.text or b"").replace(b",", b" ").split()[1:])
        uses = self._uses()
        if b"super(" in self.code:
            uses.extend((found.start(), b"super", found[1], b"(") for found in _SUPER.finditer(self.code))
            uses.sort()
        return list(self._resolved(uses))

    def _uses(self) -> list[_Use]:
        """Where names stand that may mean something; those that are bound there are noted as hidden."""
        names = self.found.scopes.known_names()
        headers, is_binding = self._headers, self._is_binding
        uses: list[_Use] = []
        for found in _USE.finditer(self.code):
            root, path, follows, second = found.groups()
            if root not in names:
                continue
            start = found.start()
            if path:
                if follows == b"=" and not second:
                    self._note_field(start, root, path)
                uses.append((start, root, path[1:], follows))
            elif start not in headers and not is_binding(start, root, follows, second):
                uses.append((start, root, b"", follows))
        return uses

    def _is_binding(self, start: int, root: bytes, follows: bytes, second: bytes) -> bool:
        """Whether the name is bound here, or names a parameter of something that is called."""
        found = self.found
        scope = found.parameters.at(start)
        if scope >= 0 and self._is_parameter(start):
            if not any(kind == "self" for kind, _ in found.scopes.all[scope].names.get(root, ())):
                found.scopes.bind(root, scope, HIDDEN)
            return True
        if self._bound.holds(start):
            if follows in (b"[", b"("):
                return False
            scope, _ = found.places.at(start)
            if scope != MODULE:
                found.scopes.bind(root, scope, HIDDEN)
            return True
        if start in self._walrus:
            found.scopes.bind_walrus(root, found.places.at(start)[0])
            return True
        if follows == b"=" and not second:
            return _BEFORE_KEYWORD.search(self.code, max(0, start - 400), start) is not None
        return follows in _QUOTES and _PREFIXES.match(root) is not None and not self._types.holds(start)

    def _is_parameter(self, start: int) -> bool:
        """Whether a name within a list of parameters is one, and not a part of a default or an annotation."""
        code = self.code
        place = start - 1
        while place >= 0 and code[place] in b" \t\n*":
            place -= 1
        before = code[place : place + 1]
        if before not in (b"(", b",") and code[max(0, place - 5) : place + 1] != b"lambda":
            return False
        opened = place
        while opened >= 0 and self.found.parameters.at(opened) == self.found.parameters.at(start):
            opened -= 1
        inner = code[opened + 1 : start]
        depth = sum(inner.count(one) for one in (b"(", b"[", b"{")) - sum(
            inner.count(one) for one in (b")", b"]", b"}")
        )
        return depth == (1 if inner[:1] == b"(" else 0)

    def _note_field(self, start: int, root: bytes, path: bytes) -> None:
        for kind, place in self.found.scopes.find(root, self.found.places.at(start)[0]):
            if kind == "self":
                self._own_fields.setdefault(place, set()).add(path[1:].split(b".", 1)[0])

    def _class_around(self, start: int) -> int:
        _, place = self.found.places.at(start)
        while place >= 0 and self.found.symbols[place].kind != "class":
            place = self.found.symbols[place].parent
        return place if place in self.found.classes_with_bases else -1

    def _resolved(self, uses: list[_Use]) -> Iterator[Reference]:
        place_at, line_at, find = self.found.places.at, self.lines.at, self.found.scopes.find
        known: dict[tuple[bytes, int], tuple[Binding, ...]] = {}
        texts: dict[bytes, str] = {}
        for start, root, path, follows in uses:
            symbol = binding = -1
            if root == b"super":
                symbol = self._class_around(start)
            scope, inside = place_at(start)
            key = (root, scope)
            meanings = known.get(key)
            if meanings is None:
                meanings = known[key] = find(*key)
            for kind, place in meanings:
                if kind == "import":
                    if (rest := self._behind_module(place, path)) is not None:
                        symbol, binding, path = -1, place, rest
                        break
                elif kind == "self":
                    if short := self._own_path(place, path):
                        symbol, follows, path = place, follows if short == path else b"", short
                    break
                elif symbol < 0:
                    symbol = place
            if symbol < 0 and binding < 0:
                continue
            name = texts.get(root) or texts.setdefault(root, root.decode("utf-8", "replace"))
            rest_name = texts.get(path) or texts.setdefault(path, path.decode("utf-8", "replace"))
            kind = self._kind(start, symbol, path, follows)
            yield Reference(line_at(start), kind, name, rest_name, symbol, binding, inside)

    def _behind_module(self, place: int, path: bytes) -> bytes | None:
        """The path behind the module of an import; None where it leads beside it."""
        prefix = self.imports.prefixes.get(place)
        if prefix is None:
            return path
        if path == prefix:
            return b""
        return path[len(prefix) + 1 :] if path.startswith(prefix + b".") else None

    def _own_path(self, place: int, path: bytes) -> bytes:
        """The first name behind `self` where the class, or a base, may define it; empty for instance variables."""
        first = path.split(b".", 1)[0]
        if first in self.found.members.get(place, ()):
            return first
        is_own = first in self._own_fields.get(place, ())
        return first if place in self.found.classes_with_bases and not is_own else b""

    def _kind(self, start: int, symbol: int, path: bytes, follows: bytes) -> str:
        if start in self.found.bases:
            return "base"
        before = self.code[start - 1 : start]
        if before == b"@" and not self.code[self.code.rfind(b"\n", 0, start) + 1 : start - 1].strip():
            return "decorator"
        if self._types.holds(start):
            return "type"
        if follows != b"(":
            return "use"
        is_class = symbol >= 0 and not path and self.found.symbols[symbol].kind == "class"
        return "new" if is_class else "call"
