"""The definitions of a C file; C++ adds its own."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from aries_language_c.declarators import Declared, declared
from aries_language_c.made import is_made, made_blocks
from aries_language_syntax.binding import Named
from aries_language_syntax.grammar import Marks
from aries_language_syntax.outline import Definition
from aries_language_syntax.text import Text

if TYPE_CHECKING:
    from tree_sitter import Node

__all__ = ["Definitions", "Spans", "named_type"]

_OF_ITS_FILE = frozenset({"type", "struct", "class", "enum", "member", "field"})
"""Kinds that no linker knows: of a source file, only who includes that very file can use one."""

_TYPE = re.compile(
    rb"(?:(?:const|volatile|static|extern|register|inline|restrict|mutable|constexpr|typename|unsigned|signed|struct|union"
    rb"|enum|class|virtual|explicit|friend)\b\s*)*((?:::)?[A-Za-z_]\w*(?:\s*(?:<[^<>;{}]*(?:<[^<>;{}]*>[^<>;{}]*)*>\s*)?::\s*\w+)*)"
)
_PLAIN = frozenset(b"int char void short long float double bool auto unsigned signed".split())
_HOLDERS = re.compile(rb"(?:std\s*::\s*)?(?:unique_ptr|shared_ptr|weak_ptr)\s*<\s*(?:const\s+)?([\w:]+)")
_GUARD = re.compile(
    rb"^[ \t]*#[ \t]*if(?:ndef[ \t]+|[ \t]*!defined[ \t(]*)(\w+)[^\n]*\n\s*#[ \t]*define[ \t]+(\1)\b", re.MULTILINE
)
_KEYWORDS = frozenset(
    b"if else for while do switch case return struct union enum typedef void int char long const static extern inline "
    b"unsigned float double sizeof goto default".split()
)
_NAMED_GUARD = re.compile(rb"(?:_(?:H|HH|HPP|HXX|INC|INCLUDED|GUARD))_*\Z", re.IGNORECASE)
_STATIC = re.compile(rb"(?:(?:inline|constexpr|const|unsigned|static)\s+)*static\b")
_LONG_VALUE = 60


class Spans:
    """Parts of a file that do not overlap, or lie in each other."""

    def __init__(self, spans: list[tuple[int, int]]) -> None:
        outer: list[tuple[int, int]] = []
        for start, end in sorted(spans):
            if not outer or outer[-1][1] <= start:
                outer.append((start, end))
        self._starts = [start for start, _ in outer]
        self._ends = [end for _, end in outer]

    def __contains__(self, place: int) -> bool:
        found = bisect_right(self._starts, place) - 1
        return found >= 0 and place < self._ends[found]


def named_type(source: bytes, start: int, end: int) -> Named | None:
    """The type that a declaration begins with; pointers that own are looked through."""
    held = _HOLDERS.search(source, start, end)
    found = held or _TYPE.match(source, start, end)
    if found is None or found[1] in _PLAIN or found[1] in _KEYWORDS:
        return None
    bare = re.sub(rb"<.*?>|\s", b"", found[1].removeprefix(b"::"), flags=re.DOTALL)
    words = bare.split(b"::")
    if words[0] == b"std":
        return None
    # Namespaces are left out: files share them.
    first = next((place for place, word in enumerate(words) if word[:1].isupper()), len(words) - 1)
    return words[first], b".".join(words[first + 1 :])


class Definitions:
    """All of them but the variables in bodies of functions."""

    keywords: ClassVar[frozenset[bytes]] = _KEYWORDS
    """What no definition can be called: the grammar finds some where macros tear the text."""

    of_its_file: ClassVar[frozenset[str]] = _OF_ITS_FILE
    """Kinds of which others see nothing that stands in a source file."""

    def __init__(self, marks: Marks, text: Text, *, is_header: bool) -> None:
        self.text, self.source, self.is_header = text, text.source, is_header
        self.rows: list[Definition] = []
        self.places: set[int] = set()
        """Where declared names stand, those of declarations that were left out too."""
        self.owners: set[int] = set()
        """Where names begin that are written with what they are members of: `Type::run`."""
        self.fields: list[tuple[int, Named]] = []
        """Where names of fields stand, and their types."""
        heads, bodies = _parts(marks)
        # A block that no function has is that of a macro: `TEST_CASE("name") {`.
        blocks = [node.byte_range for node in marks.of("scope") if node.type == "compound_statement"]
        self.heads, self.bodies = Spans(heads), Spans(bodies + blocks)
        """What stands before the body of a function, and the bodies: declarations there are local."""
        self._defined: set[tuple[str, bytes]] = set()
        for node in marks.of("function"):
            self.add_function(node)
        known = {row.at for row in self.rows}
        self.rows += [row for row in made_blocks(marks, text, self.bodies.__contains__) if row.at not in known]
        for node in marks.of("declaration"):
            # Those of a head are the parameters of the old form.
            if node.start_byte not in self.bodies and node.start_byte not in self.heads:
                self.add_declaration(node)
        for node in marks.of("typedef"):
            if node.start_byte not in self.bodies:
                self.add_typedef(node)
        for mark in ("struct", "enum"):
            for node in marks.of(mark):
                self.add_type(node, mark)
        for node in marks.of("member"):
            self.add_member(node)
        for node in marks.of("field"):
            self.add_field(node)
        self._add_macros(marks)

    def begin(self, node: Node) -> int:
        """Where a definition begins: what stands around it in C++ may belong to it."""
        return node.start_byte

    def is_hidden(self, node: Node) -> bool:
        """Whether other files cannot see it."""
        return not self.is_header and _STATIC.match(self.source, node.start_byte) is not None

    def kind_of(self, node: Node, what: Declared) -> str:
        """Of a function: what it is called."""
        return "function"

    def add_function(self, node: Node) -> None:
        """A function with its body."""
        inner = node.child_by_field_name("declarator")
        what = declared(inner, self.source) if inner is not None else None
        if what is None:
            return
        is_bare = node.child_by_field_name("type") is None and not what.owner and self.kind_of(node, what) != "method"
        if is_bare and is_made(self.source, node.start_byte):
            return
        self._defined.add((what.owner, what.name))
        body = node.child_by_field_name("body")
        until = body.start_byte if body is not None else node.end_byte
        self.row(node, what, self.kind_of(node, what), until)

    def _declared_in(self, node: Node) -> Iterator[tuple[Node, Declared]]:
        for inner in node.children_by_field_name("declarator"):
            what = declared(inner, self.source)
            if what is not None:
                self.places.add(what.place)
                yield inner, what

    def add_declaration(self, node: Node) -> None:
        """Variables, and functions whose bodies are elsewhere."""
        type_ = node.child_by_field_name("type")
        holds_body = type_ is not None and type_.child_by_field_name("body") is not None
        for inner, what in self._declared_in(node):
            if what.is_function:
                if (what.owner, what.name) not in self._defined:
                    self.row(node, what, self.kind_of(node, what), node.end_byte, "declared")
                continue
            value = inner.child_by_field_name("value")
            is_long = value is not None and value.end_byte - value.start_byte > _LONG_VALUE
            until = value.start_byte if is_long and value is not None else node.end_byte
            head = self.source[node.start_byte : inner.start_byte]
            kind = "constant" if re.search(rb"\bconst(?:expr)?\b", head) and b"*" not in head else "variable"
            if head.lstrip().startswith(b"extern") and value is None:
                self.row(node, what, kind, until, "declared")
            else:
                self.row(node, what, kind, until, alone=inner if holds_body else None)
            self.note_type(what, type_, node)

    def add_typedef(self, node: Node) -> None:
        """A name for a type, or the only name of a struct."""
        type_ = node.child_by_field_name("type")
        body = type_.child_by_field_name("body") if type_ is not None else None
        is_nameless = body is not None and type_ is not None and type_.child_by_field_name("name") is None
        for place, inner in enumerate(node.children_by_field_name("declarator")):
            what = declared(inner, self.source)
            if what is None:
                continue
            if is_nameless and place == 0 and body is not None and type_ is not None:
                kind = "enum" if type_.type == "enum_specifier" else "struct"
                self.row(node, what, kind, body.start_byte)
            else:
                self.row(node, what, "type", node.end_byte, alone=inner if body is not None else None)

    def add_type(self, node: Node, mark: str) -> None:
        """A struct, union or enum that has a body and a name."""
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name is None or body is None:
            return
        called = self.source[name.start_byte : name.end_byte]
        words = "union" if node.type.startswith("union") else ""
        if mark == "enum" and re.match(rb"enum\s+(?:class|struct)\b", self.source[node.start_byte : name.start_byte]):
            words = "class"
        what = Declared(called, "", name.start_byte, False)
        self.row(node, what, mark, body.start_byte, words)

    def add_member(self, node: Node) -> None:
        """A member of an enum."""
        name = node.child_by_field_name("name")
        if name is not None:
            called = self.source[name.start_byte : name.end_byte]
            self.row(node, Declared(called, "", name.start_byte, False), "member", node.end_byte)

    def add_field(self, node: Node) -> None:
        """Fields of a struct; in C++ methods that are defined elsewhere too."""
        type_ = node.child_by_field_name("type")
        holds_body = type_ is not None and type_.child_by_field_name("body") is not None
        for inner, what in self._declared_in(node):
            if what.is_function:
                self.row(node, what, "method", node.end_byte, "declared")
            else:
                self.row(node, what, "field", node.end_byte, alone=inner if holds_body else None)
                self.note_type(what, type_, node)

    def note_type(self, what: Declared, type_: Node | None, node: Node) -> None:
        """Keep the type of a field or a variable, for uses of its members."""
        if type_ is not None:
            named = named_type(self.source, node.start_byte, type_.end_byte)
            if named is not None:
                self.fields.append((what.place, named))

    def row(
        self, node: Node, what: Declared, kind: str, until: int, words: str = "", *, alone: Node | None = None
    ) -> None:
        """One definition. `alone`: the declarator of it, where what stands before is a definition of its own."""
        if what.name in self.keywords:
            return
        if what.begin >= 0:
            self.owners.add(what.begin)
        begin, end = (self.begin(node), node.end_byte) if alone is None else (alone.start_byte, alone.end_byte)
        signature = self.text.head(node.start_byte if alone is None else begin, until).rstrip(";={ ")
        hidden = self.is_hidden(node)
        exported = not hidden and (self.is_header or kind not in self.of_its_file)
        said = "static" if hidden and kind in ("function", "variable", "constant") else ""
        # A constructor has no type, and its name means the class.
        is_named = kind != "method" or node.child_by_field_name("type") is not None
        # fmt: off
        self.rows.append(Definition(
            begin, end, what.name, kind, signature, exported, " ".join(filter(None, (said, words))),
            what.owner, self.doc(self.begin(node)), what.place, is_named,
        ))
        # fmt: on

    def doc(self, place: int) -> str:
        """Of what begins there, if it begins its line."""
        line = self.text.line(place)
        is_first = not self.source[self.text.starts[line - 1] : place].strip()
        return self.text.doc_above(line) if is_first else ""

    def _add_macros(self, marks: Marks) -> None:
        # A file that was put together of several headers has the guards of them all.
        guards = [
            one
            for number, one in enumerate(_GUARD.finditer(self.source))
            if number == 0 or _NAMED_GUARD.search(one[1]) is not None
        ]
        self.places.update(place for one in guards for place in (one.start(1), one.start(2)))
        starts = {one.start(2) for one in guards}
        for node in marks.of("macro"):
            name = node.child_by_field_name("name")
            if name is None:
                continue
            called, value = self.source[name.start_byte : name.end_byte], node.child_by_field_name("value")
            if name.start_byte in starts:
                continue
            until = node.end_byte
            if value is not None and self.source.find(b"\\\n", value.start_byte, value.end_byte) >= 0:
                until = value.start_byte
            start, end = node.start_byte, node.end_byte - self.source.endswith(b"\n", 0, node.end_byte)
            head = self.text.head(start, until).rstrip("\\ ")
            self.rows.append(
                Definition(start, end, called, "macro", head, self.is_header, "", "", self.doc(start), name.start_byte)
            )


def _parts(marks: Marks) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    heads, bodies = [], []
    for node in marks.of("function"):
        body = node.child_by_field_name("body")
        if body is not None:
            heads.append((node.start_byte, body.start_byte))
            bodies.append((body.start_byte, body.end_byte))
    return heads, bodies
