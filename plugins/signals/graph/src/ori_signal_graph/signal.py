"""A walk over links from the best notes found: the second note of an answer often shares no word with the question."""

from __future__ import annotations

from collections.abc import Mapping

from aries_kernel.contracts import Corpus, Question, Scores, Skipped
from aries_kernel.ranking import best
from aries_kernel.values import frozen
from ori_signal_graph.neighbourhood import Neighbourhood, Settings
from ori_signal_graph.walk import walk

__all__ = ["Graph", "Options"]

_LEAST = 1e-3
"""Share of a walk that is no longer followed."""


@frozen
class Options:
    """Settings of the signal."""

    seeds: int = 10
    """Notes found by the other signals from which the walk begins."""
    restart: float = 0.3
    """Chance at each step to go back to the beginning."""
    steps: int = 10
    named_share: float = 0.3
    """How much of the beginning is notes and names that stand in the question."""
    suggested: float = 0.8
    """Weight of a mention without a link; a written link has 1."""
    together: float = 0.0
    """Weight of notes that were used in the same sessions; a written link has 1. 0: they do not count."""
    entity: float = 0.05
    """Weight of a name that two notes share, per unit of its rarity."""
    context: float = 4.0
    """How much stronger a link is whose sentence holds the whole question."""
    found_power: float = 0.1
    """How much of the order of the other signals is kept among what the walk reaches."""


class Graph:
    """Personalised PageRank over the neighbourhood of the best notes; the ranker where they have links."""

    name, role = "graph", "ranker"
    description = "what the notes found link to, and are linked from"
    options_type = Options

    def __init__(self, options: Options) -> None:
        self._options = options

    def score(self, question: Question, corpus: Corpus, found: Mapping[int, float]) -> Scores | Skipped:
        """Notes by how much of the walk passes them. The best that was found keeps the first place.

        The confidence is the share of the beginning's weight that has links, doubled: where half of what was found is
        linked, links decide.
        """
        options = self._options
        seeds = {note: score**2 for note, score in best(found, options.seeds) if score > 0}
        if not seeds:
            return Skipped("nothing was found to start from")
        settings = Settings(options.suggested, options.entity, options.context, options.together)
        around = Neighbourhood.around(corpus, question, {*seeds, *question.named}, settings)
        linked = sum(weight for note, weight in seeds.items() if note in around.linked)
        if not linked:
            return Skipped("the best notes have no links")
        begin = _beginning(seeds, question.named, around.named_entities, options.named_share)
        around.follow(corpus, begin, settings)
        reached = walk(around.ways, begin, restart=options.restart, steps=options.steps, least=_LEAST)
        notes = {note: share for note, share in reached.items() if note >= 0}
        top = max(notes.values())
        kept = {
            note: share / top * (found.get(note, 0.0) + 0.05) ** options.found_power for note, share in notes.items()
        }
        highest = max(kept.values())
        winner = next(iter(seeds))
        scores = {note: value / highest for note, value in kept.items() if value > 0}
        return Scores(scores, min(1.0, 2 * linked / sum(seeds.values())), surest=(winner,))


def _beginning(
    seeds: Mapping[int, float], named: Mapping[int, float], entities: Mapping[int, float], share: float
) -> dict[int, float]:
    begin: dict[int, float] = {}
    asked = {**named, **entities}
    parts = ((seeds, 1 - share if asked else 1.0), (asked, share))
    for weights, part in parts:
        total = sum(weights.values())
        for node, weight in weights.items():
            begin[node] = begin.get(node, 0.0) + part * weight / total
    return begin
