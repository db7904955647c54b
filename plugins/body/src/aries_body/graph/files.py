"""The file graph: who imports and uses whom, for one state of the project."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from attrs import define

if TYPE_CHECKING:
    import rustworkx

    from aries_body.binding.binder import Edge
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
    leading: Sequence[Mapping[int, Tie]]
    """By the number of a file: the files it leads to, in order."""
    tests: frozenset[int]
    """Numbers of files that are tests."""

    @cached_property
    def number(self) -> Mapping[str, int]:
        """By path."""
        return {path: number for number, path in enumerate(self.paths)}

    @classmethod
    def of(cls, project: Project) -> FileGraph:
        """The graph of a project as it is now."""
        paths = tuple(project.sources)
        number = {path: index for index, path in enumerate(paths)}
        links = project.linker.links
        leading = [_ties(links[path].edges, number) for path in paths]
        return cls(paths, leading, frozenset(number[path] for path in paths if project.is_test(path)))

    def updated(self, project: Project, changed: Iterable[str]) -> FileGraph:
        """The graph after ties of `changed` files became others; the files themselves are the same."""
        leading = list(self.leading)
        incoming = self.incoming if "incoming" in self.__dict__ else None
        if incoming is not None:
            incoming = dict(incoming)
        for path in changed:
            number = self.number[path]
            before, leading[number] = leading[number], _ties(project.linker.links[path].edges, self.number)
            for other in before.keys() ^ leading[number].keys() if incoming is not None else ():
                assert incoming is not None
                users = {*incoming.get(other, ())} ^ {number}
                incoming[other] = sorted(users)
        graph = FileGraph(self.paths, leading, self.tests)
        graph.number = self.number
        if incoming is not None:
            graph.incoming = incoming
        return graph

    @classmethod
    def from_ties(cls, paths: Sequence[str], ties: Mapping[Pair, Tie], tests: frozenset[int]) -> FileGraph:
        """A graph of the given ties."""
        leading: list[dict[int, Tie]] = [{} for _ in paths]
        for (one, other), tie in sorted(ties.items()):
            leading[one][other] = tie
        return cls(paths, leading, tests)

    def __len__(self) -> int:
        return len(self.paths)

    @property
    def why_no_ranks(self) -> str:
        """Why nothing can be ranked; empty where it can."""
        if not self.paths:
            return "there is no source file of a known language"
        return "" if any(self.leading) else "no file imports or uses another one, so that all are equal"

    @cached_property
    def ties(self) -> Mapping[Pair, Tie]:
        """All ties by the numbers of source and target, in order."""
        return {(one, other): tie for one, ties in enumerate(self.leading) for other, tie in ties.items()}

    def tie(self, one: int, other: int) -> Tie | None:
        """What leads from one file to another."""
        return self.leading[one].get(other)

    @cached_property
    def outgoing(self) -> Mapping[int, Sequence[int]]:
        """By number: the files it leads to, in order."""
        return {one: list(ties) for one, ties in enumerate(self.leading) if ties}

    @cached_property
    def incoming(self) -> dict[int, list[int]]:
        """By number: the files that lead to it, in order."""
        found: dict[int, list[int]] = {}
        for one, ties in enumerate(self.leading):
            for other in ties:
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


def _ties(edges: Iterable[Edge], number: Mapping[str, int]) -> dict[int, Tie]:
    found: dict[int, tuple[dict[str, int], dict[str, int], float]] = {}
    for edge in edges:
        place = number[edge.target]
        imports, uses, weight = found.get(place) or ({}, {}, 0.0)
        (imports if edge.is_import else uses)[edge.kind] = edge.times
        found[place] = imports, uses, weight + edge.weight
    # The hundredth use says less than the first.
    return {place: Tie(imports, uses, math.log1p(weight)) for place, (imports, uses, weight) in sorted(found.items())}


def _directed(count: int, ties: Iterable[tuple[Pair, float]]) -> rustworkx.PyDiGraph[int, float]:
    import rustworkx

    graph: rustworkx.PyDiGraph[int, float] = rustworkx.PyDiGraph(multigraph=False)
    graph.add_nodes_from(range(count))
    graph.add_edges_from([(one, other, weight) for (one, other), weight in ties])
    return graph
