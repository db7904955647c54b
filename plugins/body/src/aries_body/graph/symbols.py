"""The symbol graph: who calls what, file by file as it is asked for, or all of it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from aries_body.graph.files import FileGraph
    from aries_body.index.project import Project

__all__ = ["Call", "SymbolKey", "calls_from", "calls_to"]


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


def calls_to(project: Project, graph: FileGraph, targets: Collection[SymbolKey]) -> Iterator[Call]:
    """Every use of symbols, or of what stands in them; users in the order of their paths."""
    wanted: dict[str, list[str]] = {}
    for key in targets:
        wanted.setdefault(key.path, []).append(key.qualified)
    places = [graph.number[path] for path in wanted]
    users = {
        user
        for place in places
        for user in graph.incoming.get(place, ())
        if (tie := graph.tie(user, place)) is not None and tie.uses
    }
    for user in sorted(users.union(places)):
        path = graph.paths[user]
        for use in project.linker.uses(path):
            for name in wanted.get(use.file, ()):
                if _is_within(use.symbol, name) and not (
                    # What a class does with its own members is no use of the class.
                    path == use.file and use.symbol != name and _is_within(use.inside, name)
                ):
                    target = SymbolKey(use.file, use.symbol)
                    yield Call(SymbolKey(path, use.inside), use.line, use.kind, target, use.is_indirect)
                    break


def _is_within(name: str, outer: str) -> bool:
    return name == outer or name.startswith(f"{outer}.")


def calls_from(project: Project, source: SymbolKey) -> Iterator[Call]:
    """Everything that a symbol, and what stands in it, uses outside of itself."""
    for use in project.linker.uses(source.path):
        is_itself = use.file == source.path and _is_within(use.symbol, source.qualified)
        if _is_within(use.inside, source.qualified) and not is_itself:
            target = SymbolKey(use.file, use.symbol)
            yield Call(SymbolKey(source.path, use.inside), use.line, use.kind, target, use.is_indirect)
