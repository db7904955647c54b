"""What C++ defines beside C: namespaces, classes with their access, templates, aliases."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from aries_language_c.declarators import Declared, plain_name
from aries_language_c.definitions import Definitions, Spans
from aries_language_syntax.grammar import Marks
from aries_language_syntax.outline import Definition
from aries_language_syntax.text import Text

if TYPE_CHECKING:
    from tree_sitter import Node

__all__ = ["ClassDefinitions"]


class ClassDefinitions(Definitions):
    """All of them but the variables in bodies of functions."""

    keywords: ClassVar[frozenset[bytes]] = Definitions.keywords.union(
        b"class namespace using friend template typename try catch throw new delete".split()
    )
    of_its_file: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, marks: Marks, text: Text, *, is_header: bool) -> None:
        self._templates: dict[int, int] = {}
        self._in_class: set[int] = set()
        self._private: set[int] = set()
        for node in sorted(marks.of("template"), key=lambda node: node.start_byte):
            inner = node.named_children[-1] if node.named_children else None
            if inner is not None:
                self._templates[inner.start_byte] = self._templates.get(node.start_byte, node.start_byte)
        for node in marks.of("struct"):
            self._note_access(node, text.source)
        nameless = [node for node in marks.of("namespace") if node.child_by_field_name("name") is None]
        self._nameless = Spans([(node.start_byte, node.end_byte) for node in nameless])
        super().__init__(marks, text, is_header=is_header)
        for node in marks.of("namespace"):
            self._add_namespace(node)
        for node in marks.of("alias"):
            name = node.child_by_field_name("name")
            if name is not None and node.start_byte not in self.bodies:
                called = self.source[name.start_byte : name.end_byte]
                self.row(node, Declared(called, "", name.start_byte, False), "type", node.end_byte)

    def begin(self, node: Node) -> int:
        """Where its template begins, if it has one."""
        return self._templates.get(node.start_byte, node.start_byte)

    def is_hidden(self, node: Node) -> bool:
        """Static in a source file, in a namespace without a name, or private in its class."""
        start = node.start_byte
        if start in self._in_class:
            return start in self._private
        return start in self._nameless or super().is_hidden(node)

    def kind_of(self, node: Node, what: Declared) -> str:
        """A function in a class, or one that is written as `Class::name`, is a method."""
        last = what.owner.rpartition(".")[2]
        return "method" if node.start_byte in self._in_class or last[:1].isupper() else "function"

    def add_type(self, node: Node, mark: str) -> None:
        """Classes too, and specialisations by their plain name."""
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name is None or body is None:
            return
        if mark == "enum":
            super().add_type(node, mark)
            return
        owner, _, called = plain_name(self.source[name.start_byte : name.end_byte]).rpartition(b"::")
        what = Declared(called, owner.replace(b"::", b".").decode("utf-8", "replace"), name.start_byte, False)
        kind = "class" if node.type == "class_specifier" else "struct"
        self.row(node, what, kind, body.start_byte, "union" if node.type.startswith("union") else "")

    def _note_access(self, node: Node, source: bytes) -> None:
        body = node.child_by_field_name("body")
        is_private = node.type == "class_specifier"
        for child in body.named_children if body is not None else ():
            if child.type == "access_specifier":
                is_private = source.startswith(b"private", child.start_byte)
                continue
            inner: Node | None = child
            while inner is not None:
                self._in_class.add(inner.start_byte)
                if is_private:
                    self._private.add(inner.start_byte)
                is_template = inner.type == "template_declaration" and inner.named_children
                inner = inner.named_children[-1] if is_template else None

    def _add_namespace(self, node: Node) -> None:
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name is None or body is None:
            return
        owner, _, called = plain_name(self.source[name.start_byte : name.end_byte]).rpartition(b"::")
        head = self.text.head(node.start_byte, body.start_byte)
        doc = self.doc(node.start_byte)
        path = owner.replace(b"::", b".").decode("utf-8", "replace")
        self.rows.append(
            Definition(node.start_byte, node.end_byte, called, "namespace", head, True, "", path, doc, name.start_byte)
        )
