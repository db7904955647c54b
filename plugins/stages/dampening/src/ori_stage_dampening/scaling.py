"""A ranked list whose scores were multiplied."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import evolve

from aries_kernel.contracts import Found

__all__ = ["scaled"]


def scaled(ranked: Sequence[Found], factors: Mapping[int, float]) -> list[Found]:
    """The list in the order of its new scores, equals as they were; if the best is above 1, all are scaled down."""
    scores = [one.score * factors.get(one.note, 1.0) for one in ranked]
    most = max(1.0, *scores) if scores else 1.0
    changed = [evolve(one, score=score / most) for one, score in zip(ranked, scores, strict=True)]
    return sorted(changed, key=lambda one: -one.score)
