"""How many files use each symbol: kept with the index, since counting it reads every reference there is."""

from __future__ import annotations

from array import array
from collections import Counter
from typing import TYPE_CHECKING, Any

from aries_body.graph.symbols import SymbolKey

if TYPE_CHECKING:
    from aries_body.index.project import Project

__all__ = ["used_symbols"]

_NAME = "users"
_KEPT_AFTER = 50
"""Files counted anew that are worth writing down."""


def used_symbols(project: Project) -> tuple[Counter[SymbolKey], set[SymbolKey]]:
    """Symbols with the number of other files that use them, and those that their own file uses.

    What uses a member uses the class that it stands in.
    """
    keys, by_path = _kept(project)
    numbers = {key: number for number, key in enumerate(keys)}
    rows: dict[str, tuple[int, bytes]] = {}
    fresh = 0
    for path in project.sources:
        identifier = project.linker.links[path].id
        row = by_path.get(path)
        if row is None or row[0] != identifier:
            fresh += 1
            used = sorted(_used_by(project, path))
            found = array("I", (numbers.setdefault(key, len(numbers)) for key in used))
            row = identifier, found.tobytes()
        rows[path] = row
    if fresh >= _KEPT_AFTER or (fresh and not by_path):
        project.store.keep_value(_NAME, (list(map(tuple, numbers)), rows))
    return _counted(list(numbers), rows)


def _used_by(project: Project, path: str) -> set[SymbolKey]:
    """What a definition does with itself and its own members is no use of it."""
    uses = {(use.file, use.symbol, use.inside if use.file == path else "") for use in project.linker.uses(path)}
    used: set[tuple[str, str]] = set()
    for file, symbol, inside in uses:
        qualified = symbol
        while qualified:
            if not f"{inside}.".startswith(f"{qualified}."):
                used.add((file, qualified))
            qualified = qualified.rpartition(".")[0]
        if not symbol:
            used.add((file, symbol))
    return {SymbolKey(*one) for one in used}


def _counted(keys: list[SymbolKey], rows: dict[str, tuple[int, bytes]]) -> tuple[Counter[SymbolKey], set[SymbolKey]]:
    counts: Counter[int] = Counter()
    here: set[SymbolKey] = set()
    for path, (_, data) in rows.items():
        found = array("I")
        found.frombytes(data)
        counts.update(found)
        for number in found:
            if keys[number].path == path:
                here.add(keys[number])
    elsewhere = Counter({keys[number]: count for number, count in counts.items()})
    elsewhere.subtract(here)
    return +elsewhere, here


def _kept(project: Project) -> tuple[list[SymbolKey], dict[str, tuple[int, bytes]]]:
    """What an earlier session counted: symbols by number, and for each file those it used when it was bound last."""
    value: Any = project.store.state(_NAME)
    try:
        keys, rows = value
        found = [SymbolKey(*key) for key in keys]
        known = {path: (int(identifier), bytes(data)) for path, (identifier, data) in rows.items()}
    except (TypeError, ValueError, AttributeError):
        return [], {}
    return found, known
