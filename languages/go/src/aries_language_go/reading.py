"""One Go file: its definitions, imports and uses."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from aries_kernel.contracts import Export, FileFacts, Import
from aries_language_go.definitions import find_definitions, find_types
from aries_language_go.locals import Locals
from aries_language_syntax.binding import Spelling, Surroundings, bind
from aries_language_syntax.grammar import Marks, grammar
from aries_language_syntax.outline import Outline
from aries_language_syntax.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["read"]

_LEAVES = frozenset({"function", "method"})

_NAME = rb"([\w\x80-\xff]+)"
_PATH = rb"((?:\s*\.\s*[\w\x80-\xff]+)*)"
_USE = re.compile(_NAME + _PATH + rb"((?:\[[^\[\]{}()\n]*\])?\()?")
_TYPE = re.compile(_NAME + rb"()()")
_QUALIFIED = re.compile(_NAME + rb"(\s*\.\s*[\w\x80-\xff]+)()")
_IMPORT = re.compile(r"(?:([\w.]+)\s*)?[\"`]([^\"`\n]*)[\"`]")
_VERSION = re.compile(r"v\d+")
_AFFIXES = re.compile(r"^go[-.]|[-.]go$|\.v\d+$|^golang[-.]")

_ALWAYS = frozenset(
    b"nil true false iota _ string bool byte rune error any int int8 int16 int32 int64 uint uint8 uint16 uint32 uint64 "
    b"uintptr float32 float64 complex64 complex128 append cap len make panic recover init".split()
)
"""Names of the language that nobody gives to something else. All others may be those of the package, in other files."""


def read(source: bytes) -> FileFacts:
    """Everything the file says. Raises: UserError where the grammar cannot be loaded."""
    marks = grammar("Go", "tree_sitter_go", "aries_language_go").mark(source)
    text = Text(source)
    definitions, locals_ = find_definitions(marks, text), Locals(marks, source)
    outline = Outline(text, definitions, _LEAVES)
    spellings = _spellings(marks, source, locals_.places.union(one.at for one in definitions))
    imports = _imports(marks, text)
    imported = {(-1, one.local.encode()): place for place, one in enumerate(imports) if one.local}
    around = Surroundings(outline, imported, find_types(marks, source, outline), closed=_ALWAYS)
    references = bind(text, marks.spans("scope"), locals_.rows, spellings, _kinds(marks), around)
    package = marks.of("package")
    return FileFacts(
        language="go",
        symbols=tuple(outline.symbols),
        imports=imports,
        exports=tuple(_exports(outline)),
        references=references,
        doc=text.doc_above(text.line(package[0].start_byte)) if package else "",
        namespace=text.head(package[0].start_byte, package[0].end_byte).removeprefix("package ") if package else "",
        error_line=marks.error_line,
    )


def _spellings(marks: Marks, source: bytes, declared: set[int]) -> list[Spelling]:
    names = marks.starts("name") - declared
    names -= marks.starts("key") - marks.starts("key.use")
    # Behind a point, the name of a type belongs to the package before it.
    types = {start for start in marks.starts("type.name") if source[start - 1] != 46} - declared
    return [
        Spelling(_USE, "use", names),
        Spelling(_TYPE, "type", types),
        Spelling(_QUALIFIED, "type", marks.starts("package.name")),
    ]


def _kinds(marks: Marks) -> dict[int, str]:
    return {node.start_byte: kind for kind in ("new", "base") for node in marks.of(kind)}


def _imports(marks: Marks, text: Text) -> tuple[Import, ...]:
    rows = []
    for node in sorted(marks.of("import"), key=lambda node: node.start_byte):
        found = _IMPORT.match(text.source[node.start_byte : node.end_byte].decode("utf-8", "replace"))
        if found is None or not found[2]:
            continue
        alias, module = found.groups()
        line = text.line(node.start_byte)
        if alias == ".":
            rows.append(Import(line, "import", module, "*"))
        else:
            local = "" if alias == "_" else alias or _package_name(module, text.source)
            rows.append(Import(line, "import", module, local=local))
    return tuple(rows)


def _package_name(module: str, source: bytes) -> str:
    """What the package of a path is called. Its own files say so; from here, the likely name that is used."""
    parts = module.split("/")
    if len(parts) > 1 and _VERSION.fullmatch(parts[-1]):
        parts.pop()
    last = parts[-1]
    bare = _AFFIXES.sub("", _AFFIXES.sub("", last))
    if last == bare and last.isidentifier():
        return last
    likely = [
        last,
        bare,
        bare.rpartition("-")[2],
        bare.rpartition(".")[2],
        bare.replace("-", ""),
        bare.replace("-", "_"),
    ]
    return next((name for name in likely if re.search(rb"\b%b\s*\." % re.escape(name.encode()), source)), bare)


def _exports(outline: Outline) -> Iterator[Export]:
    for place, symbol in enumerate(outline.symbols):
        if symbol.parent < 0 and symbol.kind != "method" and symbol.name != "init":
            yield Export(symbol.name, symbol=place, is_public=symbol.exported)
