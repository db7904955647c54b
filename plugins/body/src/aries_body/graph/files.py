"""The file graph: who imports and uses whom, for one state of the project."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from attrs import define, field

if TYPE_CHECKING:
    import rustworkx

    from aries_body.index.project import Project

__all__ = ["FileGraph", "Pair", "Tie"]

Pair = tuple[int, int]
TEST_SHARE = 0.3
"""What a tie counts that begins in a test: tests use what they test, not what matters most."""


class Tie(NamedTuple):
    """All that leads from one file to another."""

    imports: dict[str, int]
    """Statements by kind."""
    uses: dict[str, int]
    """References by kind."""
    weight: float

    @property
    def times(self) -> int:
        """References; where there is none, import statements."""
        return sum(self.uses.values()) or sum(self.imports.values())

    @property
    def kinds(self) -> tuple[str, ...]:
        """Of imports first."""
        return tuple(dict.fromkeys((*sorted(self.imports), *sorted(self.uses))))


@define(slots=False, eq=False)
class FileGraph:
    """Source files by number, in the order of their paths, so that equal projects give equal figures."""

    paths: Sequence[str]
    ties: Mapping[Pair, Tie]
    """By the numbers of source and target."""
    tests: frozenset[int]
    """Numbers of files that are tests."""
    number: Mapping[str, int] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.number = {path: number for number, path in enumerate(self.paths)}

    @classmethod
    def of(cls, project: Project) -> FileGraph:
        """The graph of a project as it is now."""
        paths = tuple(project.sources)
        number = {path: index for index, path in enumerate(paths)}
        ties: dict[Pair, Tie] = {}
        for path, link in project.linker.links.items():
            found: dict[str, tuple[dict[str, int], dict[str, int], float]] = {}
            for edge in link.edges:
                imports, uses, weight = found.get(edge.target) or ({}, {}, 0.0)
                (imports if edge.is_import else uses)[edge.kind] = edge.times
                found[edge.target] = imports, uses, weight + edge.weight
            for target, (imports, uses, weight) in found.items():
                # The hundredth use says less than the first.
                ties[number[path], number[target]] = Tie(imports, uses, math.log1p(weight))
        tests = frozenset(number[path] for path in paths if project.is_test(path))
        return cls(paths, dict(sorted(ties.items())), tests)

    def __len__(self) -> int:
        return len(self.paths)

    @property
    def why_no_ranks(self) -> str:
        """Why nothing can be ranked; empty where it can."""
        if not self.paths:
            return "there is no source file of a known language"
        return "" if self.ties else "no file imports or uses another one, so that all are equal"

    @cached_property
    def outgoing(self) -> dict[int, list[int]]:
        """By number: the files it leads to, in order."""
        found: dict[int, list[int]] = {}
        for one, other in self.ties:
            found.setdefault(one, []).append(other)
        return found

    @cached_property
    def incoming(self) -> dict[int, list[int]]:
        """By number: the files that lead to it, in order."""
        found: dict[int, list[int]] = {}
        for one, other in self.ties:
            found.setdefault(other, []).append(one)
        return found

    @cached_property
    def directed(self) -> rustworkx.PyDiGraph[int, float]:
        """Every tie with its weight; the payload of a node is its number, which is also its index."""
        return _directed(len(self), ((pair, tie.weight) for pair, tie in self.ties.items()))

    @cached_property
    def voting(self) -> rustworkx.PyDiGraph[int, float]:
        """As `directed`, but ties that begin in tests count less."""
        return _directed(
            len(self),
            ((pair, tie.weight * (TEST_SHARE if pair[0] in self.tests else 1.0)) for pair, tie in self.ties.items()),
        )

    @cached_property
    def undirected_weights(self) -> dict[Pair, float]:
        """Both directions summed, the smaller number first."""
        total: dict[Pair, float] = {}
        for (one, other), tie in self.ties.items():
            pair = (one, other) if one < other else (other, one)
            total[pair] = total.get(pair, 0.0) + tie.weight
        return dict(sorted(total.items()))


def _directed(count: int, ties: Iterable[tuple[Pair, float]]) -> rustworkx.PyDiGraph[int, float]:
    import rustworkx

    graph: rustworkx.PyDiGraph[int, float] = rustworkx.PyDiGraph(multigraph=False)
    graph.add_nodes_from(range(count))
    graph.add_edges_from([(one, other, weight) for (one, other), weight in ties])
    return graph
