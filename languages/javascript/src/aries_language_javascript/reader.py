"""From the bytes of a file to its facts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aries_kernel.contracts.language import Export, FileFacts, Symbol
from aries_language_javascript.definitions import define
from aries_language_javascript.file import File
from aries_language_javascript.heads import documentation, file_documentation, head
from aries_language_javascript.objects import groups
from aries_language_javascript.outline import Entry, outline
from aries_language_javascript.overloads import mark
from aries_language_javascript.references import references
from aries_language_javascript.requires import calls
from aries_language_javascript.scopes import Names
from aries_language_javascript.statements import statements

if TYPE_CHECKING:
    from aries_language_javascript.dialect import Dialect

__all__ = ["read"]

_PRIVATE = frozenset({"private", "protected"})


def read(
    source: bytes,
    dialect: Dialect,
    *,
    tags: frozenset[int] = frozenset(),
    has_stores: bool = False,
    sees_others: bool = False,
) -> FileFacts:
    """Everything a file says. Raises: UserError where the grammar cannot be loaded.

    `tags`: starts of names that are tags of a template. `has_stores`: `$name` means `name` where nothing else has it.
    `sees_others`: all names that the file does not declare are told, not only functions that it calls.
    """
    grammar = dialect.load()
    root = grammar.parse_mended(source, dialect.mend)
    file = File(source, grammar.everything.captures(root), tags=tags, has_stores=has_stores, sees_others=sees_others)
    statements(file, root)
    calls(file, root)
    define(file, root, dialect.handlers)
    if file.has_members:
        groups(file, grammar.objects.captures(root).get("group", []))
    entries = outline(file.definitions)
    mark(entries)
    places = {place: index for index, place in enumerate(sorted(file.imports))}
    names = Names(file, entries, places)
    exports = _exports(file, entries, names, places)
    errors = grammar.errors.captures(root).get("error", []) if root.has_error else []
    return FileFacts(
        language=dialect.language,
        symbols=_symbols(file, entries, exports),
        imports=tuple(file.imports[place] for place in places),
        exports=exports,
        references=references(file, names, entries),
        doc=file_documentation(source, entries[0].made.start if entries else -1),
        error_line=min((node.start_point.row + 1 for node in errors), default=1 if root.has_error else 0),
    )


def _exports(file: File, entries: list[Entry], names: Names, places: dict[int, int]) -> tuple[Export, ...]:
    found: list[Export] = []
    seen: set[tuple[str, int, int]] = set()

    def add(name: str, symbol: int, binding: int, is_public: bool) -> None:
        if (name, symbol, binding) not in seen:
            seen.add((name, symbol, binding))
            found.append(Export(name, symbol, binding, is_public))

    for entry in entries:
        made = entry.made
        name = made.exported or file.exported_members.get(made.scope[0], "")
        if not name and made.owner in file.export_objects and entry.qualified == f"{made.owner}.{made.name}":
            name = made.name
        if name and not _is_nested(entry):
            add(name, made.place, -1, name != "default")
    for said in file.exports:
        if said.item is not None:
            add(said.name, -1, places[said.item], said.name != "default")
        else:
            meaning = names.of_file(said.local)
            if meaning is not None and meaning != (-1, -1):
                add(said.name, *meaning, said.name != "default")
    return tuple(found)


def _is_nested(entry: Entry) -> bool:
    """Whether it stands in a namespace, whose own export it is."""
    return entry.parent is not None and entry.parent.made.kind == "namespace"


def _symbols(file: File, entries: list[Entry], exports: tuple[Export, ...]) -> tuple[Symbol, ...]:
    handed = {export.symbol for export in exports}
    public: list[bool] = []
    symbols = []
    for entry in entries:
        made, holder = entry.made, entry.parent.symbol if entry.parent is not None else None
        parent = -1 if holder is None else holder.made.place
        public.append(_is_public(file, entry, holder, handed, public))
        # fmt: off
        symbols.append(Symbol(
            made.name, entry.qualified, made.kind, made.line, made.end_line, made.start, made.end, parent,
            head(file.source, made.head, made.head_end), documentation(file.source, made.start), public[-1],
            made.modifiers,
        ))
        # fmt: on
    return tuple(symbols)


def _is_public(file: File, entry: Entry, holder: Entry | None, handed: set[int], public: list[bool]) -> bool:
    made = entry.made
    if made.place in handed:
        return True
    if holder is None:
        return not file.is_module and made.kind != "method"
    if holder.made.kind == "namespace":
        return public[holder.made.place] and (bool(made.exported) or "declare" in holder.made.modifiers)
    if holder.made.kind in ("function", "method") and entry.parent is holder and not made.owner:
        return False
    return public[holder.made.place] and not made.name.startswith("#") and not _PRIVATE & set(made.modifiers.split())
