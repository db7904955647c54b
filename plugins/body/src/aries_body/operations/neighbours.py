"""Who leads to a file and where it leads, one step or several, with the lines that say so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from aries_body.graph.files import FileGraph
from aries_body.graph.structure import reach
from aries_body.operations.results import Dependency, Evidence, Tested

if TYPE_CHECKING:
    from aries_body.index.project import Project

__all__ = ["evidence", "neighbours", "tests_for"]

_TEST_DEPTH = 3


def neighbours(graph: FileGraph, path: str, depth: int, *, is_up: bool) -> list[Dependency]:
    """`is_up`: files that lead to `path`; otherwise those it leads to. The nearest first, then those with most uses."""
    start = graph.number[path]
    around: Mapping[int, Sequence[int]] = graph.incoming if is_up else graph.outgoing
    found = []
    for number, distance in reach(around, start, depth).items():
        tie = graph.tie(number, start) if is_up else graph.tie(start, number)
        if tie is None:
            found.append(Dependency(graph.paths[number], 0, (), distance))
        else:
            found.append(Dependency(graph.paths[number], tie.times, tie.kinds, 1, not tie.imports))
    return sorted(found, key=lambda one: (one.depth, -one.count, one.path))


def evidence(project: Project, source: str, target: str) -> list[Evidence]:
    """Every line by which `source` imports or uses `target`."""
    imports = zip(project.facts(source).imports, project.linker.leads(source), strict=False)
    found = [Evidence(source, item.line, item.kind, "") for item, files in imports if target in files]
    found += [
        Evidence(source, use.line, use.kind, use.symbol, use.is_indirect)
        for use in project.linker.uses(source)
        if use.file == target
    ]
    return sorted(set(found), key=lambda one: (one.line, bool(one.symbol), one.kind, one.symbol))


def tests_for(graph: FileGraph, path: str) -> list[Tested]:
    """Tests that reach `path`: those that use it, then those that use what uses it; named alike first in each."""
    start = graph.number[path]
    stem = _stem(path)
    found = []
    for number, distance in reach(graph.incoming, start, _TEST_DEPTH).items():
        if number in graph.tests:
            tie = graph.tie(number, start)
            is_alike = _stem(graph.paths[number]) == stem
            found.append(Tested(graph.paths[number], distance, tie.times if tie is not None else 0, is_alike))
    return sorted(found, key=lambda one: (not one.is_named_alike, one.depth, -one.count, one.path))


def _stem(path: str) -> str:
    """A file's name without what calls it a test."""
    stem = PurePosixPath(path).name.partition(".")[0].lower().strip("_")
    for affix in ("test_", "spec_"):
        stem = stem.removeprefix(affix)
    for affix in ("_test", "_spec", "tests", "test"):
        if stem != affix:
            stem = stem.removesuffix(affix)
    return stem.strip("_")
