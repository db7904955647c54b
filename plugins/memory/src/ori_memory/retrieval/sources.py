"""What a question takes from outside the index: vectors, the learned store, figures of the graph."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ori_memory.retrieval.corpus import Sources

if TYPE_CHECKING:
    from ori_memory.memory import Memory

__all__ = ["sources_of"]


_TOO_SLOW = "a fast answer does without vectors"


def sources_of(memory: Memory, *, is_fast: bool) -> Sources:
    """Each is asked for when a signal first needs it. A fast answer has no vectors: they need a numeric library."""
    return Sources(
        vectors=lambda connection: _TOO_SLOW if is_fast else memory.vectors(connection),
        embed=memory.embed,
        boosts=lambda: _boosts(memory),
        asked_before=memory.taught.asked_before,
        uses=memory.taught.uses,
        experience=memory.taught.experience,
        together=memory.taught.together,
        exposures=lambda: _exposures(memory),
        figures=lambda: _figures(memory),
    )


def _boosts(memory: Memory) -> Mapping[str, float]:
    # Where nothing was learned yet, there is no need to import what would read it.
    return memory.learned.boosts() if memory.has_learned else {}


def _exposures(memory: Memory) -> Mapping[str, int]:
    return {id: one.times for id, one in memory.learned.shown().items()} if memory.has_learned else {}


def _figures(memory: Memory) -> Mapping[str, tuple[float, float, int]]:
    """Importance, vitality and community by note id."""
    from ori_memory.graph.communities import communities_of
    from ori_memory.graph.ranking import pagerank

    graph = memory.graph
    scores = pagerank(graph, memory.vault.config.graph.pagerank_alpha)
    highest = max(scores.values.values(), default=0.0) or 1.0
    groups = communities_of(graph).of
    return {
        note.id: (
            scores.values.get(note.path, 0.0) / highest,
            memory.vitality[note.path].value,
            groups.get(note.path, -1),
        )
        for note in graph.notes
    }
