"""Counts of the project, and what one file is."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from attrs import evolve

from aries_body.binding.linker import UNRESOLVED
from aries_body.operations.left_out import LeftOut
from aries_body.operations.results import ImportRow, Stats, Summary
from aries_body.operations.symbols import Symbols
from aries_body.operations.texts import Texts
from aries_body.operations.view import View
from aries_body.tree.source import Unreadable

if TYPE_CHECKING:
    from aries_body.index.project import Project

__all__ = ["import_rows", "stats_of", "summary_of", "unresolved_rows"]


def stats_of(project: Project, view: View, symbols: Symbols) -> Stats:
    """Counts that need no file to be opened, and the names of all symbols."""
    rows = [project.rows[path].summary for path in project.sources]
    languages = Counter(row.language for row in rows)
    return Stats(
        root=str(project.root),
        file_count=len(rows),
        other_count=sum(not row.is_source and not row.skipped for row in project.rows.values()),
        skipped_count=len(project.skipped),
        edge_count=sum(map(len, view.graph.leading)),
        symbol_count=sum(row.symbols for row in rows),
        reference_count=sum(row.references for row in rows),
        unique_symbols=len(list(symbols.names)),
        line_count=sum(row.lines for row in rows),
        languages=dict(sorted(languages.items(), key=lambda one: (-one[1], one[0]))),
        error_count=sum(bool(row.error_line) for row in rows),
        test_count=len(view.graph.tests),
        unresolved=sum(link.unresolved for link in project.linker.links.values()),
        notes=project.notes,
    )


def import_rows(project: Project, path: str) -> list[ImportRow]:
    """The imports of a file."""
    found = []
    items = project.facts(path).imports
    for item, where, files in zip(items, project.linker.where(path), project.linker.leads(path), strict=False):
        text = item.text or (f"{item.module} {item.name}" if item.name else item.module)
        found.append(ImportRow(item.line, item.kind, text, files, where.reason))
    return found


def unresolved_rows(project: Project) -> list[tuple[str, ImportRow]]:
    """Imports that lead to no file and should, or are computed, by file. One may lead to what was left out."""
    found, left_out = [], LeftOut(project.skipped)
    for path in [path for path in project.sources if project.linker.links[path].unresolved]:
        for item, row in zip(project.facts(path).imports, import_rows(project, path), strict=True):
            if row.reason == "not found" and left_out.holds(path, item.module):
                found.append((path, evolve(row, reason="left out")))
            elif row.reason in UNRESOLVED:
                found.append((path, row))
    return found


def summary_of(project: Project, view: View, symbols: Symbols, texts: Texts, path: str) -> Summary:
    """Also of files that are only text."""
    row = project.rows[path]
    if not row.is_source:
        try:
            lines = len(texts.lines(path))
        except Unreadable:
            lines = 0
        notes = (f"left out: {row.skipped}",) if row.skipped else ()
        return Summary(path, "", lines, "", (), (), 0, 0, 0, 0, None, "", False, 0, notes)
    facts, graph = project.facts(path), view.graph
    number = graph.number[path]
    group = view.communities.of.get(path)
    broken = f"line {row.summary.error_line} could not be parsed" if row.summary.error_line else ""
    return Summary(
        path=path,
        language=row.summary.language,
        line_count=row.summary.lines,
        doc=facts.doc,
        symbols=tuple(symbols.rows(path, facts.symbols)),
        imports=tuple(import_rows(project, path)),
        reference_count=row.summary.references,
        import_count=row.summary.imports,
        dependents=len(graph.incoming.get(number, ())),
        dependencies=len(graph.outgoing.get(number, ())),
        rank=view.rank_of.get(path),
        community=view.communities.groups[group].name if group is not None else "",
        is_test=number in graph.tests,
        error_line=row.summary.error_line,
        notes=tuple(note for note in (broken, row.summary.note) if note),
    )
