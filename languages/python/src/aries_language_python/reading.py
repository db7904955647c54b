"""One file, read."""

from __future__ import annotations

import re

from aries_kernel.contracts import Export, FileFacts, Symbol
from aries_language_python.defining import Definitions, define_symbols
from aries_language_python.documenting import doc_of_file
from aries_language_python.grammar import Grammar, Marks
from aries_language_python.importing import Imports, read_dynamic_imports, read_imports
from aries_language_python.lazily import read_lazy_imports
from aries_language_python.referring import line_finder, references
from aries_language_python.scanning import code_of
from aries_language_python.scoping import MODULE

__all__ = ["Reader"]

_PUBLIC = re.compile(rb"^__all__[ \t]*(?::[^=\n]+)?\+?=[ \t]*[\[(]([^\])]*)[\])]", re.MULTILINE)
_QUOTED = re.compile(rb"[\"']([^\"'\n]+)[\"']")
_BROKEN = re.compile(rb"[ \t]*(?:async[ \t]+)?(class|def)[ \t]+([A-Za-z_\x80-\xff][\w\x80-\xff]*)")


class Reader:
    """Reads files. Raises: ImportError when made where the grammar is not installed."""

    def __init__(self) -> None:
        self._grammar = Grammar()

    def read(self, source: bytes) -> FileFacts:
        """Facts of a source in UTF-8."""
        marks = self._grammar.mark(source)
        line_at = line_finder(marks.source)
        found = define_symbols(marks, line_at)
        imports = read_imports(marks, found, self._grammar.type_checking_blocks(marks))
        code = code_of(marks)
        referred = references(marks, found, imports, code, line_at)
        public = _public_names(marks.source)
        exports = _exports(found, imports, public)
        for row in read_lazy_imports(marks.source, code, line_at):
            exports.append(Export(row.name, binding=len(imports.rows)))
            imports.rows.append(row)
        imports.rows.extend(read_dynamic_imports(marks.source, code, line_at))
        return FileFacts(
            language="python",
            symbols=tuple([*_symbols(found, public), *_broken_symbols(source, marks)]),
            imports=tuple(imports.rows),
            exports=tuple(exports),
            references=referred,
            doc=doc_of_file(marks.source),
            error_line=marks.error_line,
        )


def _public_names(source: bytes) -> set[str] | None:
    """What `__all__` names; None where there is none."""
    lists = _PUBLIC.findall(source) if b"__all__" in source else []
    return {name.decode("utf-8", "replace") for one in lists for name in _QUOTED.findall(one)} if lists else None


def _exports(found: Definitions, imports: Imports, public: set[str] | None) -> list[Export]:
    """Names of the module: what it defines and what it imports."""
    result = []
    module = found.scopes.all[MODULE].names
    for name, bindings in module.items():
        text = name.decode("utf-8", "replace")
        is_public = text in public if public is not None else not text.startswith("_")
        for kind, place in bindings:
            if kind == "symbol":
                result.append(Export(text, symbol=place, is_public=is_public))
            elif kind == "import" and not imports.prefixes.get(place):
                result.append(Export(text, binding=place, is_public=is_public))
    stars = [place for place in imports.of_module if imports.rows[place].name == "*"]
    return [*result, *(Export("*", binding=place) for place in stars)]


def _symbols(found: Definitions, public: set[str] | None) -> list[Symbol]:
    if public is None:
        return found.symbols
    listed = [one.exported and one.name in public if one.parent < 0 else one.exported for one in found.symbols]
    for place, one in enumerate(found.symbols):
        # Parents stand before children.
        listed[place] = listed[place] and (one.parent < 0 or listed[one.parent])
    return [
        one if one.exported == is_listed else one._replace(exported=is_listed)
        for one, is_listed in zip(found.symbols, listed, strict=True)
    ]


def _broken_symbols(source: bytes, marks: Marks) -> list[Symbol]:
    """Definitions whose first line cannot be parsed: named, so that they are found."""
    result = []
    for line in marks.broken:
        head = _BROKEN.match(line)
        if head is None:
            continue
        start = source.find(line)
        number = source.count(b"\n", 0, start) + 1
        name = head[2].decode("utf-8", "replace")
        result.append(
            Symbol(
                name=name,
                qualified=name,
                kind="class" if head[1] == b"class" else "function",
                line=number,
                end_line=number,
                start=start,
                end=start + len(line),
                signature=line.decode("utf-8", "replace").strip()[:240],
                exported=not name.startswith("_"),
            )
        )
    return result
