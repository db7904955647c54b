"""One Rust file: its definitions, modules, imports and uses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from aries_kernel.contracts import Export, FileFacts, Import, Reference, References, Symbol
from aries_language_rust.definitions import Definitions
from aries_language_rust.imports import Imports
from aries_language_rust.locals import Locals
from aries_language_rust.unwrapping import left_over, unwrapped
from aries_language_syntax.binding import Spelling, Surroundings, bind
from aries_language_syntax.grammar import Marks, grammar
from aries_language_syntax.outline import Outline
from aries_language_syntax.text import Text

__all__ = ["read"]

_ARGUMENTS = rb"<[^<>;{}]*(?:<[^<>;{}]*(?:<[^<>;{}]*>[^<>;{}]*)*>[^<>;{}]*)*>"
_USE = re.compile(
    rb"(\w+)((?:\s*(?:::\s*(?:" + _ARGUMENTS + rb"\s*::\s*)?|\.\s*)[A-Za-z_]\w*)*)"
    rb"(!\s*[(\[{]|(?:\s*::\s*" + _ARGUMENTS + rb")?\s*\()?"
)
_TYPE = re.compile(rb"(\w+)((?:(?:" + _ARGUMENTS + rb")?\s*::\s*[A-Za-z_]\w*)*)(\()?")
_WORD = re.compile(rb"\w+")
_OPEN_KINDS = frozenset({"namespace", "function", "method"})
_FLAT = frozenset({"namespace", "enum"})
"""What holds names that a path through it asks this file for."""


def read(source: bytes) -> FileFacts:
    """Everything the file says. Raises: UserError where the grammar cannot be loaded."""
    rust = grammar("Rust", "tree_sitter_rust", "aries_language_rust")
    text, marks = Text(source), rust.mark(source)
    root = marks.root
    inner = unwrapped(source, root, rust.takes)
    if inner is not None and inner.names:
        again = rust.mark(inner.source)
        names = [*again.of("name"), *inner.names]
        # What is wrong in a macro is no error of the file.
        marks = Marks(again.root, {**again.nodes, "name": names}, marks.error_line)
    definitions = Definitions(marks, text)
    if inner is not None:
        known = {one.at for one in definitions.rows}
        definitions.rows += left_over(text, root, inner, known)
    locals_ = Locals(marks, source, definitions)
    outline = Outline(text, definitions.rows, frozenset())
    imports = Imports(marks, text, outline, definitions.heads)
    # fmt: off
    around = Surroundings(
        outline, imports.bound, definitions.types(marks, outline), opens=_OPEN_KINDS, closes=frozenset({"namespace"}),
        globs=imports.globs, divider=b"::", aliases=imports.aliases, unbound=imports.adopt,
    )
    # fmt: on
    skipped = locals_.places.union(one.at for one in definitions.rows)
    references = bind(
        text, marks.spans("scope"), locals_.rows, _spellings(marks, source, skipped), _kinds(marks), around
    )
    return FileFacts(
        language="rust",
        symbols=tuple(outline.symbols),
        imports=tuple(imports.rows),
        exports=tuple(_exports(outline, imports)),
        references=_called(references, imports.rows),
        doc=_doc(text),
        error_line=marks.error_line,
    )


def _called(references: Sequence[Reference], rows: list[Import]) -> Sequence[Reference]:
    """What is called is no module, but what is imported by its name beside it."""
    modules = {row.local: place for place, row in enumerate(rows) if row.kind == "module" and row.local}
    others = {modules[row.local]: n for n, row in enumerate(rows) if row.kind != "module" and row.local in modules}
    if not others:
        return references
    known = References.of(references)
    asked = [
        (symbol, others.get(binding, binding) if kind == "call" and not path else binding, root, path, kind)
        for symbol, binding, root, path, kind in known.asked
    ]
    return References.made(asked, known.lines, known.asks, known.insides)


def _spellings(marks: Marks, source: bytes, declared: set[int]) -> list[Spelling]:
    skipped = set(declared)
    for mark in ("use", "macro", "extern"):
        for start, end in marks.spans(mark):
            skipped.update(found.start() for found in _WORD.finditer(source, start, end))
    for start, end in marks.spans("module"):
        # The name of `mod x;` is told by its import.
        body = source.find(b"{", start, end)
        skipped.update(found.start() for found in _WORD.finditer(source, start, end if body < 0 else body))
    # Behind `::` and `.` it belongs to what stands before, behind a quote it is a lifetime.
    names = {
        start
        for start in marks.starts("name")
        if (before := source[start - 1]) not in b":.'"
        or (before == 46 and source[start - 2] == 46)
        or (before == 58 and source[start - 2] != 58)
    }
    types = {start for start in marks.starts("type.name") if source[start - 1] != 58 or source[start - 2] != 58}
    return [Spelling(_USE, "use", names - skipped), Spelling(_TYPE, "type", types - skipped)]


def _kinds(marks: Marks) -> dict[int, str]:
    """What is told by the place, the more telling last."""
    kinds = {node.start_byte: "type" for node in marks.of("type.path")}
    for kind in ("new", "base", "decorator"):
        kinds.update({node.start_byte: kind for node in marks.of(kind)})
    return kinds


def _exports(outline: Outline, imports: Imports) -> Iterator[Export]:
    taken = set()
    inner = []
    for place, symbol in enumerate(outline.symbols):
        if symbol.parent < 0 and symbol.qualified == symbol.name:
            taken.add(symbol.name)
            # Whoever may see what is private here takes it with everything: the modules in this one.
            yield Export(symbol.name, symbol=place)
            if symbol.kind == "macro":
                yield Export(symbol.name + "!", symbol=place)
        elif symbol.exported and symbol.kind != "method" and _is_reached(outline.symbols, symbol):
            inner.append((place, symbol))
    # A module comes after what is handed on by its name.
    for place, row in sorted(enumerate(imports.rows), key=lambda pair: pair[1].kind == "module"):
        if place in imports.handed_on and (row.name != "*" or imports.handed_on[place]):
            taken.add(row.local)
            yield Export(row.local or row.name, binding=place, is_public=imports.handed_on[place])
    for (room, name), target in imports.aliases.items():
        place = outline.members.get(target, -1)
        if room < 0 <= place and name.decode() not in taken:
            taken.add(name.decode())
            yield Export(name.decode(), symbol=place)
    for place, symbol in inner:
        if symbol.name not in taken:
            taken.add(symbol.name)
            yield Export(symbol.name, symbol=place, is_public=False)


def _is_reached(symbols: list[Symbol], symbol: Symbol) -> bool:
    while symbol.parent >= 0:
        symbol = symbols[symbol.parent]
        if symbol.kind not in _FLAT:
            return False
    return True


def _doc(text: Text) -> str:
    """The inner documentation at the top."""
    for place, line in enumerate(text.lines[:40]):
        words = line.strip()
        if words.startswith((b"//!", b"/*!")):
            return text.comment(place, min(place + 3, len(text.lines) - 1))
        if words and not words.startswith((b"//", b"#![", b"/*", b"*")):
            break
    return ""
