"""All definitions by name."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from attrs import define, field

from aries_body.graph.symbols import SymbolKey
from aries_body.operations.results import SymbolRow
from aries_kernel.contracts import Symbol

if TYPE_CHECKING:
    from aries_body.index.project import Project

__all__ = ["Symbols", "last_name", "row_of"]

_JOINTS = re.compile(r"::|#|\.")


@define(eq=False)
class Symbols:
    """Made when a name is first asked for; files that change are taken out and put in again."""

    project: Project
    _by_name: dict[str, dict[str, list[int]]] = field(factory=dict)
    """Name, path, places of symbols in the file."""
    _names: dict[str, frozenset[str]] = field(factory=dict)
    """By path."""
    _around: dict[str, tuple[str, ...]] = field(factory=dict)
    """By path, for each place: the name of what the symbol stands in; empty for none."""
    _stale: set[str] | None = None
    """None: nothing was read yet."""
    _listed: tuple[list[str], str] | None = None
    """All names, and the same in small letters, a line each."""

    def touch(self, paths: Iterable[str]) -> None:
        """The facts of these files changed, came or went."""
        if self._stale is not None:
            self._stale.update(paths)

    @property
    def names(self) -> Iterable[str]:
        """Every name there is."""
        self._settle()
        return self._by_name

    def names_with(self, text: str) -> list[str]:
        """Names that hold a text, whatever the case."""
        self._settle()
        if self._listed is None:
            names = sorted(self._by_name)
            self._listed = names, "\n".join(name.lower().replace("\n", "\0") for name in names) + "\n"
        names, lowered = self._listed
        found, position, line, counted = [], 0, 0, 0
        while (position := lowered.find(text, position)) >= 0:
            line += lowered.count("\n", counted, position)
            found.append(names[line])
            counted = position
            position = lowered.index("\n", position)
        return found

    def places(self, name: str) -> list[tuple[str, list[int]]]:
        """Where symbols with exactly this name are, by path."""
        self._settle()
        return sorted(self.files_of(name).items())

    def files_of(self, name: str) -> Mapping[str, list[int]]:
        """The same in no order, of a name that was just given."""
        return self._by_name.get(name, {})

    def find(self, name: str) -> list[SymbolRow]:
        """Symbols with this name; a qualified one (`Outer.run`, `Outer::run`, `Outer#run`) fits the end of theirs.

        A name may also be preceded by its file: `src/a.py::Outer.run`.
        """
        path, _, rest = name.rpartition("::")
        if path not in self.project.rows and "/" not in path:
            path, rest = "", name
        parts = [part for part in _JOINTS.split(rest) if part] or [rest]
        found: list[SymbolRow] = []
        for file, places in self.places(parts[-1]):
            if path and file != path:
                continue
            if len(parts) > 1 and not any(self._around[file][place] == parts[-2] for place in places):
                continue  # Hundreds of files have an `__init__`: most need not be fetched.
            symbols = self.project.facts(file).symbols
            fitting = [
                symbols[place] for place in places if symbols[place].qualified.split(".")[-len(parts) :] == parts
            ]
            found += self.rows(file, fitting)
        return found

    def rows(self, path: str, symbols: Sequence[Symbol]) -> list[SymbolRow]:
        """Symbols of a file, the sites of one definition as one row."""
        grouped: dict[str, list[Symbol]] = {}
        for symbol in symbols:
            grouped.setdefault(symbol.qualified, []).append(symbol)
        return [row_of(path, sites) for sites in grouped.values()]

    def key_of(self, row: SymbolRow) -> SymbolKey:
        return SymbolKey(row.path, row.name)

    def _settle(self) -> None:
        if self._stale is None:
            self._stale = set(self.project.sources)
        if self._stale:
            self._listed = None
        for path in self._stale:
            self._take_out(path)
        for path, names in self.project.symbol_names(sorted(self._stale)):
            self._put_in(path, names)
        self._stale.clear()

    def _take_out(self, path: str) -> None:
        self._around.pop(path, None)
        for name in self._names.pop(path, ()):
            places = self._by_name[name]
            del places[path]
            if not places:
                del self._by_name[name]

    def _put_in(self, path: str, names: Sequence[tuple[str, str]]) -> None:
        found: dict[str, list[int]] = {}
        for place, (name, _) in enumerate(names):
            found.setdefault(name, []).append(place)
        for name, places in found.items():
            self._by_name.setdefault(name, {})[path] = places
        self._names[path] = frozenset(found)
        self._around[path] = tuple([sys.intern(name.rpartition(".")[0].rpartition(".")[2]) for _, name in names])


def last_name(name: str) -> str:
    """The part of a qualified name behind its last joint."""
    return next((part for part in reversed(_JOINTS.split(name.strip())) if part), name)


def row_of(path: str, sites: Sequence[Symbol]) -> SymbolRow:
    """One definition from its sites: the last one that is no mere overload is where it is implemented."""
    real = [one for one in sites if "overload" not in one.modifiers.split()] or list(sites)
    main = real[-1] if len(real) < len(sites) else real[0]
    lines = tuple(one.line for one in sites) if len(sites) > 1 else ()
    doc = main.doc or next((one.doc for one in sites if one.doc), "")
    return SymbolRow(
        path, main.line, main.end_line, main.kind, main.qualified, main.signature, doc,
        any(one.exported for one in sites), lines, main.modifiers,
    )  # fmt: skip
