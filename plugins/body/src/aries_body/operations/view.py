"""What is computed from one state of the project, each part when it is first needed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from attrs import define

from aries_body.graph.communities import Communities, communities_of
from aries_body.graph.files import FileGraph
from aries_body.graph.history import History, read_history
from aries_body.graph.ranking import Hits, Ranks, betweenness, hits, pagerank, ranked
from aries_body.graph.symbols import SymbolKey
from aries_body.graph.usage import used_symbols

if TYPE_CHECKING:
    from aries_body.index.project import Project

__all__ = ["View"]


@define(slots=False, eq=False)
class View:
    """Dropped with the next change of a source file."""

    project: Project

    def updated(self, changed: Sequence[str]) -> View:
        """The view after `changed` files were bound anew and none came or went."""
        view = View(self.project)
        if "graph" in self.__dict__:
            view.graph = self.graph.updated(self.project, changed)
        return view

    def forget_history(self) -> None:
        """There may be new commits."""
        self.__dict__.pop("history", None)

    @cached_property
    def graph(self) -> FileGraph:
        return FileGraph.of(self.project)

    @cached_property
    def ranks(self) -> Ranks:
        return pagerank(self.graph)

    @cached_property
    def rank_of(self) -> Mapping[str, float]:
        """PageRank by path; empty where there is none."""
        return dict(zip(self.graph.paths, self.ranks.values, strict=False))

    @cached_property
    def share_of(self) -> Mapping[str, float]:
        """Rank by path as a share of the highest, tests demoted; empty where there is none."""
        found = ranked(self.graph, self.ranks, demoted=True)
        best = found[0][1] if found else 0.0
        return {self.graph.paths[number]: value / best for number, value in found} if best else {}

    @cached_property
    def importance(self) -> Mapping[str, float]:
        """How much a source file counts in a search, by path: by its rank, and less for tests."""
        share, tests = self.share_of, self.graph.tests
        return {
            path: (0.7 + 0.6 * share.get(path, 0.0)) * (0.4 if number in tests else 1.0)
            for number, path in enumerate(self.graph.paths)
        }

    @cached_property
    def hits(self) -> Hits:
        return hits(self.graph)

    @cached_property
    def betweenness(self) -> Ranks:
        return betweenness(self.graph)

    @cached_property
    def communities(self) -> Communities:
        return communities_of(self.graph)

    @cached_property
    def history(self) -> History:
        return read_history(self.project.root, self.project.rows.keys(), self.project.limits.seconds)

    @cached_property
    def used(self) -> tuple[Counter[SymbolKey], set[SymbolKey]]:
        return used_symbols(self.project)
