"""The symbol graph: who calls what, file by file as it is asked for, or all of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from aries_body.graph.files import FileGraph
    from aries_body.index.project import Project

__all__ = ["Call", "SymbolKey", "calls_from", "calls_to", "used_symbols"]


class SymbolKey(NamedTuple):
    """A symbol wherever it is named: file and qualified name; an empty name is the file itself."""

    path: str
    qualified: str


class Call(NamedTuple):
    """One use of a symbol."""

    source: SymbolKey
    line: int
    kind: str
    target: SymbolKey
    is_indirect: bool


def calls_to(project: Project, graph: FileGraph, target: SymbolKey) -> Iterator[Call]:
    """Every use of a symbol, or of what stands in it; users in the order of their paths."""
    place = graph.number[target.path]
    users = sorted({place, *graph.incoming.get(place, ())})
    within = f"{target.qualified}."
    for user in users:
        path = graph.paths[user]
        for use in project.linker.uses(path):
            if use.file != target.path:
                continue
            is_it = use.symbol == target.qualified or use.symbol.startswith(within)
            is_from_itself = path == target.path and (use.inside == target.qualified or use.inside.startswith(within))
            if is_it and not (is_from_itself and use.symbol.startswith(within)):
                yield Call(
                    SymbolKey(path, use.inside), use.line, use.kind, SymbolKey(use.file, use.symbol), use.is_indirect
                )


def calls_from(project: Project, source: SymbolKey) -> Iterator[Call]:
    """Everything that a symbol, and what stands in it, uses outside of itself."""
    within = f"{source.qualified}."
    for use in project.linker.uses(source.path):
        if use.inside != source.qualified and not use.inside.startswith(within):
            continue
        target = SymbolKey(use.file, use.symbol)
        if use.file == source.path and (use.symbol == source.qualified or use.symbol.startswith(within)):
            continue
        yield Call(SymbolKey(source.path, use.inside), use.line, use.kind, target, use.is_indirect)


def used_symbols(project: Project) -> tuple[set[SymbolKey], set[SymbolKey]]:
    """Symbols that another file uses, and those that their own file uses; with all that they stand in."""
    elsewhere: set[SymbolKey] = set()
    here: set[SymbolKey] = set()
    for path in project.sources:
        for use in project.linker.uses(path):
            (here if use.file == path else elsewhere).add(SymbolKey(use.file, use.symbol))
    for found in (elsewhere, here):
        for path, qualified in list(found):
            while "." in qualified:
                qualified = qualified.rpartition(".")[0]
                found.add(SymbolKey(path, qualified))
    return elsewhere, here
