"""One Java file: its definitions, imports and uses."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator

from aries_kernel.contracts import Export, FileFacts, Import, References, TooIntricate
from aries_language_java.definitions import Definitions, named_type
from aries_language_java.names import ALWAYS_SEEN
from aries_language_syntax.binding import Local, Spelling, Surroundings, Unbound, bind
from aries_language_syntax.grammar import Marks, grammar
from aries_language_syntax.outline import Outline
from aries_language_syntax.text import Text

__all__ = ["read"]

_NAME = rb"[\w$\x80-\xff]+"
_USE = re.compile(
    rb"("
    + _NAME
    + rb")((?:\s*(?:\.|::)\s*(?:<[^<>(){};]*>\s*)?(?!(?:class|this|super|new)\b)"
    + _NAME
    + rb")*)(\s*\()?"
)
_TYPE = re.compile(rb"(" + _NAME + rb")((?:\s*\.\s*(?!class\b)" + _NAME + rb")*)()")
_WORD = re.compile(_NAME)
_IMPORT = re.compile(rb"import\s+(static\s+)?(" + _NAME + rb"(?:\s*\.\s*" + _NAME + rb")*)(\s*\.\s*\*)?")
_MADE = re.compile(rb"var\s+" + _NAME + rb"\s*=\s*new\s+(" + _NAME + rb"(?:\.[\w$]+)*)")
_TYPES = frozenset({"class", "interface", "enum"})
_OPENS = _TYPES | {"method"}
_MOST_OPENED = 2_000
"""Types that one statement opens and leaves open: the memory of the parser grows with the square of it."""
_WITH_BASES = re.compile(r"\b(?:extends|implements)\b")
_STATEMENT = re.compile(rb"[^;{}]+")
_TYPE_USES = frozenset({"type", "new", "base", "decorator"})


def read(source: bytes) -> FileFacts:
    """Everything the file says. Raises: TooIntricate; UserError where the grammar cannot be loaded."""
    _refuse_endless_types(source)
    marks = grammar("Java", "tree_sitter_java", "aries_language_java").mark(source)
    text = Text(source)
    definitions = Definitions(marks, text)
    outline = Outline(text, definitions.rows, frozenset())
    imports = _Imports(marks, text, outline)
    around = Surroundings(outline, imports.bound, definitions.types(outline), opens=_OPENS, unbound=imports.adopt)
    locals_, places = _locals(marks, source)
    places |= {one.at for one in definitions.rows}
    spellings = _spellings(marks, source, places | marks.starts("key"))
    scopes = marks.spans("scope")
    references = bind(text, scopes, [*definitions.selves, *locals_], spellings, _kinds(marks), around)
    if imports.members:
        references = _through_types(References.of(references), imports.members)
    package = marks.of("package")
    name = text.head(package[0].start_byte, package[0].end_byte) if package else ""
    public = next((one for one in outline.symbols if one.kind in _TYPES and one.doc), None)
    return FileFacts(
        language="java",
        symbols=tuple(outline.symbols),
        imports=tuple(imports.rows),
        exports=tuple(_exports(outline)),
        references=references,
        doc=public.doc if public is not None else "",
        namespace=name.rpartition("package ")[2].rstrip("; ").replace(" ", ""),
        error_line=marks.error_line,
    )


class _Imports:
    """Rows of imports; full names at places of use add to them while references are bound."""

    def __init__(self, marks: Marks, text: Text, outline: Outline) -> None:
        self._symbols = outline.symbols
        self._nameless = _Inside(marks.spans("anonymous"))
        self.members: set[int] = set()
        """Imports of a type of which one member is meant: `import static a.Type.run`."""
        self.rows: list[Import] = []
        self.bound: dict[tuple[int, bytes], int] = {}
        self._text = text
        self._full: dict[tuple[str, str], int] = {}
        self._sees_members = False
        for node in sorted(marks.of("import"), key=lambda node: node.start_byte):
            found = _IMPORT.match(text.source, node.start_byte, node.end_byte)
            if found is None:
                continue
            path = re.sub(rb"\s+", b"", found[2]).decode("utf-8", "replace")
            line = text.line(node.start_byte)
            if found[3]:
                self._sees_members = self._sees_members or bool(found[1])
                self.rows.append(Import(line, "import", path, "*"))
                continue
            module, _, name = path.rpartition(".")
            self.bound.setdefault((-1, name.encode()), len(self.rows))
            package, _, type_ = module.rpartition(".")
            if found[1] and package and type_[:1].isupper():
                # The member may be one that the type inherits.
                self.members.add(len(self.rows))
                self.rows.append(Import(line, "import", package, type_, name))
                continue
            self.rows.append(Import(line, "import", module, name, name))

    def adopt(self, use: Unbound) -> tuple[int, bytes, bytes] | None:
        """What a file sees without an import: types of its package, members of a static import of everything."""
        root, path = use.root, use.path
        heir = self._heir(use)
        if root == b"super":
            return (-2 - heir, root, path) if heir >= 0 and path else None
        first = root[:1]
        full = self._full_name(use) if not first.isupper() else None
        if full is not None:
            return full
        if first.isupper() and root in ALWAYS_SEEN:
            return None
        if heir >= 0:
            # What the class inherits, or what is seen without it: the host looks in this order.
            return -2 - heir, root, root + b"." + path if path else root
        if not first.isupper():
            return (-1, root, path) if self._sees_members and use.kind == "call" else None
        if use.kind in _TYPE_USES or path or self._sees_members:
            return -1, root, path
        return None

    def _heir(self, use: Unbound) -> int:
        """Place of the innermost class around it that has bases; -1 for none, and in a class without a name."""
        if use.start in self._nameless or use.kind in ("base", "decorator"):
            return -1
        place = use.inside
        while place >= 0:
            symbol = self._symbols[place]
            if symbol.kind in _TYPES and _WITH_BASES.search(symbol.signature):
                return place
            place = symbol.parent
        return -1

    def _full_name(self, use: Unbound) -> tuple[int, bytes, bytes] | None:
        """`a.b.Type.run()`: small letters are packages, by the custom of the language."""
        words = [use.root, *use.path.split(b".")]
        size = next((place for place, word in enumerate(words) if word[:1].isupper()), 0)
        if size < 2:
            return None
        module, name = b".".join(words[:size]).decode("utf-8", "replace"), words[size].decode("utf-8", "replace")
        place = self._full.get((module, name))
        if place is None:
            place = self._full[module, name] = len(self.rows)
            self.rows.append(Import(self._text.line(use.start), "import", module, name))
        return place, use.root, b".".join(words[size + 1 :])


def _spellings(marks: Marks, source: bytes, skipped: set[int]) -> list[Spelling]:
    for mark in ("import", "package"):
        for start, end in marks.spans(mark):
            skipped.update(found.start() for found in _WORD.finditer(source, start, end))
    names = {start for start in marks.starts("name") - skipped if source[start - 1] not in b".:"}
    types = {start for start in marks.starts("type.name") - skipped if source[start - 1] != 46}
    return [Spelling(_USE, "use", names), Spelling(_TYPE, "type", types)]


def _kinds(marks: Marks) -> dict[int, str]:
    kinds = {node.start_byte: "type" for node in marks.of("matched")}
    return kinds | {node.start_byte: kind for kind in ("base", "new", "decorator") for node in marks.of(kind)}


def _locals(marks: Marks, source: bytes) -> tuple[list[Local], set[int]]:
    """Names that parameters and statements declare, and where they stand."""
    rows, places = [], set()
    for node in marks.of("parameter"):
        name = node.child_by_field_name("name") or next(
            (one.child_by_field_name("name") for one in node.named_children if one.type == "variable_declarator"), None
        )
        if name is not None:
            # A parameter of `catch` may have one of several types.
            several = b"|" in source[node.start_byte : name.start_byte]
            named = None if several else named_type(source, node.start_byte, name.start_byte)
            places.add(name.start_byte)
            rows.append(Local(node.start_byte, source[name.start_byte : name.end_byte], named))
    for node in marks.of("variable"):
        made = _MADE.match(source, node.start_byte, node.end_byte)
        type_ = node.child_by_field_name("type")
        named = type_ and named_type(source, type_.start_byte, type_.end_byte)
        if made is not None:
            named = named_type(source, made.start(1), made.end(1))
        for declarator in node.children_by_field_name("declarator"):
            name = declarator.child_by_field_name("name")
            if name is not None:
                places.add(name.start_byte)
                rows.append(Local(name.start_byte, source[name.start_byte : name.end_byte], named or None))
    for node in marks.of("each"):
        name, type_ = node.child_by_field_name("name"), node.child_by_field_name("type")
        if name is not None and type_ is not None:
            places.add(name.start_byte)
            named = named_type(source, type_.start_byte, type_.end_byte)
            rows.append(Local(name.start_byte, source[name.start_byte : name.end_byte], named))
    for node in marks.of("plain"):
        places.add(node.start_byte)
        rows.append(Local(node.start_byte, source[node.start_byte : node.end_byte]))
    return rows, places


def _through_types(references: References, members: set[int]) -> References:
    """With `import static a.Type.run`, `run()` is what `Type.run()` is."""
    asked = [
        (symbol, binding, root, f"{root}.{path}" if path else root, kind) if binding in members else row
        for row in references.asked
        for symbol, binding, root, path, kind in (row,)
    ]
    return References.made(asked, references.lines, references.asks, references.insides)


class _Inside:
    """Stretches of a file, of which some lie in others."""

    def __init__(self, spans: Iterable[tuple[int, int]]) -> None:
        outer: list[tuple[int, int]] = []
        for start, end in sorted(spans):
            if not outer or outer[-1][1] <= start:
                outer.append((start, end))
        self._starts, self._ends = [start for start, _ in outer], [end for _, end in outer]

    def __contains__(self, place: int) -> bool:
        found = bisect_right(self._starts, place) - 1
        return found >= 0 and place < self._ends[found]


def _exports(outline: Outline) -> Iterator[Export]:
    """Types of the file, and what a path through them may ask for: types and static members in them."""
    taken = set()
    for place, symbol in enumerate(outline.symbols):
        if symbol.parent < 0 and symbol.kind in _TYPES:
            taken.add(symbol.name)
            yield Export(symbol.name, symbol=place, is_public=symbol.exported)
    for place, symbol in enumerate(outline.symbols):
        is_reached = (
            symbol.kind in _TYPES or symbol.kind in ("member", "constant") or "static" in symbol.modifiers.split()
        )
        inside = outline.symbols[symbol.parent].kind in _TYPES if symbol.parent >= 0 else False
        if inside and is_reached and symbol.exported and symbol.name not in taken:
            taken.add(symbol.name)
            yield Export(symbol.name, symbol=place, is_public=False)


def _refuse_endless_types(source: bytes) -> None:
    if source.count(b"<") < _MOST_OPENED:
        return
    for one in _STATEMENT.findall(source):
        if one.count(b"<") - one.count(b">") >= _MOST_OPENED:
            raise TooIntricate(f"one statement opens more than {_MOST_OPENED:,} types and does not close them")
