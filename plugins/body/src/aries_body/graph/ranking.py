"""Which files matter: PageRank, hubs and authorities, betweenness."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from attrs import field, frozen

from aries_body.graph.files import FileGraph
from aries_body.graph.sampling import estimated_betweenness

if TYPE_CHECKING:
    pass

__all__ = ["Hits", "Ranks", "betweenness", "hits", "pagerank", "ranked"]

_ONE_THREAD_UP_TO = 2_000
_EXACT_UP_TO = 400_000_000
"""Files times ties: beyond it the ways between all files may take ten seconds, and soon minutes."""
_SAMPLES = 200
TEST_DEMOTION = 0.1
"""What the score of a test counts where files are listed by how much they matter."""


@frozen
class Ranks:
    """A figure for every file, or the reason why there is none."""

    values: Sequence[float] = ()
    """By the number of the file."""
    skipped: str = ""
    note: str = ""
    """How exact the figures are, where they are not."""


@frozen
class Hits:
    """Hubs lead to many authorities, authorities are led to by many hubs."""

    hubs: Ranks = field(factory=Ranks)
    authorities: Ranks = field(factory=Ranks)


def pagerank(graph: FileGraph, start: Mapping[int, float] | None = None, *, damping: float = 0.85) -> Ranks:
    """By weighted ties. `start`: files that a walk begins at, with weights; None: at any."""
    import rustworkx

    if graph.why_no_ranks:
        return Ranks(skipped=graph.why_no_ranks)
    try:
        found = rustworkx.pagerank(
            graph.voting, alpha=damping, weight_fn=float, personalization=dict(start) if start else None, max_iter=500
        )
    except rustworkx.FailedToConverge:
        return Ranks(skipped="PageRank did not settle on this graph")
    return Ranks([found[number] for number in range(len(graph))])


def hits(graph: FileGraph) -> Hits:
    """By weighted ties."""
    import rustworkx

    if graph.why_no_ranks:
        return Hits(Ranks(skipped=graph.why_no_ranks), Ranks(skipped=graph.why_no_ranks))
    try:
        hubs, authorities = rustworkx.hits(graph.voting, weight_fn=float, max_iter=2_000, tol=1e-7)
    except rustworkx.FailedToConverge:
        nothing = Ranks(skipped="hubs and authorities did not settle on this graph")
        return Hits(nothing, nothing)
    numbers = range(len(graph))
    return Hits(_positive([hubs[one] for one in numbers]), _positive([authorities[one] for one in numbers]))


def betweenness(graph: FileGraph) -> Ranks:
    """The share of shortest ways between other files that lead through a file; of a large graph an estimate."""
    import rustworkx

    if graph.why_no_ranks:
        return Ranks(skipped=graph.why_no_ranks)
    if len(graph) * len(graph.ties) > _EXACT_UP_TO:
        found, error = estimated_betweenness(len(graph), graph.outgoing, _SAMPLES)
        note = f"estimated from ways that begin in {_SAMPLES} of {len(graph):,} files; standard error up to {error:.1g}"
        return Ranks([round(value, 12) for value in found], note=note)
    # With several threads the last digits depend on which ends first; they are cut off.
    threshold = _ONE_THREAD_UP_TO
    exact = rustworkx.digraph_betweenness_centrality(graph.directed, normalized=True, parallel_threshold=threshold)
    return Ranks([round(exact[number], 12) for number in range(len(graph))])


def ranked(graph: FileGraph, ranks: Ranks, *, demoted: bool) -> list[tuple[int, float]]:
    """Files with their figures, the highest first; ties in the order of paths. `demoted`: tests count less."""
    values = [
        value * (TEST_DEMOTION if demoted and number in graph.tests else 1.0)
        for number, value in enumerate(ranks.values)
    ]
    # Twelve digits: what differs behind them differs by the order of a sum, not by the graph.
    return sorted(
        ((number, round(value, 12)) for number, value in enumerate(values)), key=lambda one: (-one[1], one[0])
    )


def _positive(values: list[float]) -> Ranks:
    # The method may end on the negative of the vector, which means the same.
    sign = -1.0 if sum(values) < 0 else 1.0
    return Ranks([max(0.0, value * sign) for value in values])
