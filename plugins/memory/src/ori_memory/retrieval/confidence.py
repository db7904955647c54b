"""How likely the first note of an answer is of use, from what the signals say of it."""

from __future__ import annotations

import math

from attrs import frozen

from ori_memory.retrieval.answer import Verdict

__all__ = ["Evidence", "confidence_of", "verdict_of"]

_BIAS, _COVERAGE, _SEMANTIC, _MARGIN, _EXACT = -2.0, 3.0, 3.0, 1.0, 1.5
_RELEVANT, _UNSURE = 0.5, 0.2


@frozen
class Evidence:
    """What is known of the first note."""

    coverage: float
    """The share of what the question says that stands in the note, weighted by rarity, from 0 to 1."""
    similarity: float | None
    """Cosine of its best passage; None where there are no vectors."""
    margin: float
    """How far it is ahead of the second, from 0 to 1."""
    is_exact: bool
    """It holds literally what was asked for, or the question names it."""


def confidence_of(evidence: Evidence) -> float:
    """A logistic model of the evidence, fitted on labelled questions (`bench/results/retrieval.json`, calibration)."""
    similarity = evidence.similarity if evidence.similarity is not None else 0.25 + 0.25 * evidence.coverage
    value = (
        _BIAS
        + _COVERAGE * (evidence.coverage - 0.4)
        + _SEMANTIC * (similarity - 0.3)
        + _MARGIN * evidence.margin
        + _EXACT * evidence.is_exact
    )
    return 1 / (1 + math.exp(-value))


def verdict_of(confidence: float) -> Verdict:
    """In words."""
    if confidence >= _RELEVANT:
        return Verdict.RELEVANT
    return Verdict.UNSURE if confidence >= _UNSURE else Verdict.NOTHING
