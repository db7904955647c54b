"""Votes of several signals as one list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from aries_kernel.contracts import Scores
from aries_kernel.ranking import best
from aries_kernel.values import frozen

__all__ = ["Vote", "fuse_ranks", "fuse_scores", "led"]


@frozen
class Vote:
    """What one signal said, and how much it counts."""

    name: str
    weight: float
    scores: Scores


def fuse_scores(votes: Sequence[Vote]) -> dict[int, float]:
    """The mean of the scores, each with its weight and its confidence; a note that a signal did not find has 0 there.

    Convex combination of min-max scores (Bruch et al., 2023): margins count, and no scale drowns another.
    """
    total = sum(vote.weight * vote.scores.confidence for vote in votes)
    fused: dict[int, float] = {}
    for vote in votes:
        share = vote.weight * vote.scores.confidence / total if total > 0 else 0.0
        for note, score in vote.scores.scores.items():
            fused[note] = fused.get(note, 0.0) + share * score
    return fused


def fuse_ranks(votes: Sequence[Vote], k: int) -> dict[int, float]:
    """Reciprocal rank fusion, weighted by scores: the sum of weight * score / (k + rank), ranks from 1 (spec C.9)."""
    fused: dict[int, float] = {}
    for vote in votes:
        weight = vote.weight * vote.scores.confidence
        for rank, (note, score) in enumerate(best(vote.scores.scores, len(vote.scores.scores)), 1):
            fused[note] = fused.get(note, 0.0) + weight * score / (k + rank)
    highest = max(fused.values(), default=0.0)
    return {note: score / highest for note, score in fused.items()} if highest > 0 else {}


def led(found: Mapping[int, float], ranker: Scores) -> dict[int, float]:
    """What the votes found, led by a ranker as far as it is sure; notes that only it reached come in too."""
    highest = max(found.values(), default=0.0) or 1.0
    sure = ranker.confidence
    notes = {**found, **ranker.scores}
    return {note: (1 - sure) * found.get(note, 0.0) / highest + sure * ranker.scores.get(note, 0.0) for note in notes}
