"""Definitions that are meant for others and that no other file is seen to use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aries_body.graph.symbols import SymbolKey
from aries_body.operations.results import UnusedExport
from aries_body.operations.symbols import Symbols
from aries_body.operations.view import View

if TYPE_CHECKING:
    from aries_body.index.project import Project

__all__ = ["unused"]


def unused(project: Project, view: View, symbols: Symbols) -> list[UnusedExport]:
    """Outermost definitions, in the order of files and lines; tests are left out, nobody imports them."""
    elsewhere, here = view.used
    found = []
    for number, path in enumerate(view.graph.paths):
        if number in view.graph.tests:
            continue
        outermost = [one for one in project.facts(path).symbols if one.parent < 0 and one.exported]
        for row in symbols.rows(path, outermost):
            key = SymbolKey(path, row.name)
            if key not in elsewhere:
                found.append(UnusedExport(row, key in here))
    return found
