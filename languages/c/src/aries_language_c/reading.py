"""One file of C or C++: its definitions, includes and uses."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from functools import partial

from aries_kernel.contracts import Export, FileFacts, Import
from aries_language_c.broken import first_broken
from aries_language_c.definitions import Definitions, named_type
from aries_language_c.dialect import Dialect
from aries_language_c.macros import MacroBodies
from aries_language_c.masking import masked, named_types
from aries_language_syntax.binding import Local, Named, Spelling, Surroundings, Unbound, bind
from aries_language_syntax.grammar import Marks, grammar
from aries_language_syntax.outline import Outline
from aries_language_syntax.text import Text

__all__ = ["read"]

_ARGUMENTS = rb"<[^<>;{}()]*(?:<[^<>;{}()]*(?:<[^<>;{}()]*>[^<>;{}()]*)*>[^<>;{}()]*)*>"
_USE = re.compile(
    rb"(\w+)((?:\s*(?:(?:" + _ARGUMENTS + rb"\s*)?::\s*|->\s*|\.\s*)[A-Za-z_]\w*)*)((?:" + _ARGUMENTS + rb")?\s*\()?"
)
_TYPE = re.compile(rb"(\w+)((?:\s*(?:" + _ARGUMENTS + rb"\s*)?::\s*[A-Za-z_]\w*)*)()")
_OWNER = re.compile(
    rb"(\w+)((?:\s*(?:"
    + _ARGUMENTS
    + rb"\s*)?::\s*\w+)*?)()\s*(?:"
    + _ARGUMENTS
    + rb"\s*)?::\s*(?:~|operator\b|\w+\s*[(\[={;])"
)
_SCOPED = re.compile(rb"(?:\w+\s*(?:" + _ARGUMENTS + rb"\s*)?::\s*)+")
_INCLUDE = re.compile(rb"#\s*include(?:_next)?\s*(?:\"([^\"\n]*)\"|<([^>\n]*)>|([^\s][^\n]*))")
_DIRECTIVE = re.compile(rb"^[ \t]*(?=#[ \t]*include\b)", re.MULTILINE)
_LICENCE = re.compile(r"copyright|licen[cs]e|spdx|\(c\)|author|all rights", re.IGNORECASE)
_FLAT = frozenset({"namespace"})
_MOST_LINES_BEFORE_DOC = 30


def read(source: bytes, path: str, dialect: Dialect, define: Callable[..., Definitions] = Definitions) -> FileFacts:
    """Everything the file says. Raises: UserError where the grammar cannot be loaded."""
    marks = grammar(dialect.title, dialect.grammar, dialect.owner).mark(
        named_types(source) if dialect.divider else source, partial(masked, is_cplusplus=bool(dialect.divider))
    )
    text = Text(source)
    is_header = path.rpartition(".")[2].lower() not in ("c", "cc", "cpp", "cxx", "c++")
    definitions = define(marks, text, is_header=is_header)
    outline = Outline(text, definitions.rows, frozenset(), frozenset({"enum"}))
    named = definitions.places.union(one.at for one in definitions.rows)
    # fmt: off
    around = Surroundings(
        outline, types=dict(_field_types(definitions, outline)), opens=dialect.opens, shared=dialect.shared,
        homes=_homes(outline, definitions), divider=dialect.divider, closed=dialect.never,
        unbound=_asker(dialect, source),
    )
    # fmt: on
    spellings = _spellings(marks, source, named, definitions.owners)
    macros = MacroBodies(marks.of("macro"), source, named)
    spellings.append(Spelling(_USE, "use", macros.names))
    locals_ = [*_locals(marks, definitions, named), *_selves(definitions, outline, dialect), *macros.parameters]
    kinds = {node.start_byte: kind for kind in ("new", "base") for node in marks.of(kind)}
    imports = tuple(_includes(marks, text))
    return FileFacts(
        language=dialect.name,
        symbols=tuple(outline.symbols),
        imports=imports,
        exports=(
            *_exports(outline, definitions),
            *(Export("*", binding=place) for place, one in enumerate(imports) if one.module),
        ),
        references=bind(text, [*marks.spans("scope"), *macros.spans], locals_, spellings, kinds, around),
        doc=_doc(text),
        error_line=first_broken(marks),
    )


def _spellings(marks: Marks, source: bytes, named: set[int], owners: set[int]) -> list[Spelling]:
    skipped = named | marks.starts("skipped", "declared")
    # Behind `::` a name belongs to what stands before. In front of a file there is its end, which is harmless.
    names = {start for start in marks.starts("name") - skipped if source[start - 1] != 58 or source[start - 2] != 58}
    types = {
        start for start in marks.starts("type.name") - skipped if source[start - 1] != 58 or source[start - 2] != 58
    }
    # `void Type::run() {` calls nothing; it is said of the type.
    heads = owners & (names | types | marks.starts("scoped"))
    return [
        Spelling(_USE, "use", names - heads),
        Spelling(_TYPE, "type", types - heads),
        Spelling(_OWNER, "type", heads),
    ]


def _locals(marks: Marks, definitions: Definitions, named: set[int]) -> Iterator[Local]:
    """Names that functions declare, with the types of the declarations they stand in."""
    source, heads = definitions.source, []
    for mark in ("declaration", "typed"):
        heads += marks.spans(mark)
    heads.sort()
    starts = [start for start, _ in heads]
    for start, end in marks.spans("declared"):
        # The names of parameters of mere declarations hide nothing.
        if start not in named and (start in definitions.bodies or start in definitions.heads):
            found = bisect_right(starts, start) - 1
            type_ = None
            for place in range(found, max(-1, found - 3), -1):
                if heads[place][1] >= end:
                    type_ = _type_at(source, heads[place][0], start)
                    break
            yield Local(end, source[start:end], type_)
    for start, end in marks.spans("generic"):
        yield Local(start, source[start:end])


def _type_at(source: bytes, start: int, name: int) -> Named | None:
    found = named_type(source, start, name)
    # The name itself is what was found where the type has none of its own.
    return found if found is not None and b"(" not in source[start:name] else None


def _field_types(definitions: Definitions, outline: Outline) -> Iterator[tuple[str, Named]]:
    by_place = {one.at: one for one in definitions.rows}
    by_span: dict[tuple[int, int, bytes], str] = {}
    for symbol in outline.symbols:
        by_span[symbol.start, symbol.end, symbol.name.encode()] = symbol.qualified
    for place, type_ in definitions.fields:
        one = by_place.get(place)
        qualified = by_span.get((one.start, one.end, one.name)) if one is not None else None
        if qualified is not None:
            yield qualified, type_


def _homes(outline: Outline, definitions: Definitions) -> dict[int, int]:
    """The types of methods that are written outside of them, where the file has those."""
    homes = {}
    for place, symbol in enumerate(outline.symbols):
        owner = symbol.qualified.rpartition(".")[0]
        home = outline.by_name.get(owner, -1) if owner else -1
        if home >= 0 and home != symbol.parent and home != place:
            homes[place] = home
    return homes


def _selves(definitions: Definitions, outline: Outline, dialect: Dialect) -> Iterator[Local]:
    """`this` in each class, and in each method that is written outside of it."""
    if not dialect.opens:
        return
    for one in definitions.rows:
        if one.kind in ("class", "struct"):
            yield Local(one.start, b"this", (one.name, b""))
        elif one.owner and one.kind in ("method", "function"):
            root, *rest = one.owner.encode().split(b".")
            yield Local(one.start, b"this", (root, b".".join(rest)))


def _asker(dialect: Dialect, source: bytes) -> Callable[[Unbound], tuple[int, bytes, bytes] | None]:
    """Names that included files may hold. Namespaces are left out: files share them, and export what is in them."""

    def ask(use: Unbound) -> tuple[int, bytes, bytes] | None:
        root, path = use.root, use.path
        if root in dialect.never:
            return None
        scoped = _SCOPED.match(source, use.start) if path and dialect.divider else None
        if scoped is not None and source.startswith(root, use.start):
            words = [root, *path.split(b".")]
            last = min(scoped[0].count(dialect.divider), len(words) - 1)
            first = next((place for place, word in enumerate(words[:last]) if word[:1].isupper()), last)
            root, path = words[first], b".".join(words[first + 1 :])
        return -1, root, path

    return ask


def _includes(marks: Marks, text: Text) -> Iterator[Import]:
    """The grammar has no place for one in a list of values, an enum or a struct: there its line tells it."""
    places = marks.starts("include")
    torn = {found.end() for found in _DIRECTIVE.finditer(text.source)} - places
    for place in sorted(places.union(place for place in torn if _is_code(marks, place))):
        found = _INCLUDE.match(text.source, place)
        if found is None:
            continue
        quoted, angled, computed = (one and one.decode("utf-8", "replace").strip() for one in found.groups())
        line = text.line(place)
        if computed:
            yield Import(line, "include", "", "*", text=computed)
        elif angled:
            yield Import(line, "include", angled, "*", text=f"<{angled}>")
        elif quoted:
            yield Import(line, "include", quoted, "*")


def _is_code(marks: Marks, place: int) -> bool:
    node = marks.root.descendant_for_byte_range(place, place)
    return node is None or not ("comment" in node.type or "string" in node.type or node.type == "preproc_arg")


def _exports(outline: Outline, definitions: Definitions) -> Iterator[Export]:
    """What stands at the top or in namespaces, members of plain enums with it."""
    taken: set[str] = set()
    symbols = outline.symbols
    for place, symbol in enumerate(symbols):
        parent = symbol.parent
        if symbol.kind == "member" and parent >= 0 and "class" not in symbols[parent].modifiers:
            parent = symbols[parent].parent
        while parent >= 0 and symbols[parent].kind in _FLAT:
            parent = symbols[parent].parent
        room = symbols[symbol.parent].qualified + "." if symbol.parent >= 0 else ""
        # What is written outside of its class belongs to that.
        is_free = parent < 0 and symbol.kind not in _FLAT and symbol.qualified == room + symbol.name
        is_seen = symbol.exported or symbol.kind in definitions.of_its_file
        if is_free and is_seen and symbol.name not in taken:
            taken.add(symbol.name)
            yield Export(symbol.name, symbol=place)


def _doc(text: Text) -> str:
    """The first comment that is no licence."""
    for place, line in enumerate(text.lines[:_MOST_LINES_BEFORE_DOC]):
        words = line.strip()
        if words and not words.startswith((b"/", b"*", b"#")):
            break
        said = text.comment(place, place) if words.startswith((b"/", b"*")) else ""
        if said and not _LICENCE.search(said):
            return said
        if said:
            break
    return ""
