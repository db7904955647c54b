"""Whether a confidence means what it says: among answers given with .8, eight of ten should begin with gold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import field, frozen

from ori_memory.evaluation.running import Asking

__all__ = ["BINS", "Bin", "Calibration", "VerdictUse", "calibration_of"]

BINS = 10


@frozen
class Bin:
    """Answers whose confidence lies in [low, high)."""

    low: float
    high: float
    questions: int
    confidence: float
    """The mean that was claimed."""
    right: float
    """The share whose first note is gold."""


@frozen
class VerdictUse:
    """Answers with one verdict."""

    questions: int
    right: float
    """The share whose first note is gold."""


@frozen
class Calibration:
    questions: int
    error: float
    """Expected calibration error: the distance of claim and truth, averaged over questions."""
    brier: float
    """Mean squared distance of each claim from 0 or 1."""
    bins: tuple[Bin, ...]
    """Those that hold answers."""
    verdicts: Mapping[str, VerdictUse] = field(factory=dict)
    """By what the answers said of themselves."""


def calibration_of(askings: Sequence[Asking]) -> Calibration | None:
    """None where no answer claims anything."""
    claims = [(one.ranking.confidence, one.is_first_gold) for one in askings if one.ranking.confidence is not None]
    if not claims:
        return None
    filled: dict[int, list[tuple[float, bool]]] = {}
    for claim, is_right in claims:
        filled.setdefault(min(int(claim * BINS), BINS - 1), []).append((claim, is_right))
    bins = tuple(_bin(number, filled[number]) for number in sorted(filled))
    error = sum(one.questions * abs(one.confidence - one.right) for one in bins) / len(claims)
    brier = sum((claim - is_right) ** 2 for claim, is_right in claims) / len(claims)
    return Calibration(len(claims), round(error, 4), round(brier, 4), bins, _verdicts(askings))


def _verdicts(askings: Sequence[Asking]) -> dict[str, VerdictUse]:
    found: dict[str, list[bool]] = {}
    for one in askings:
        if one.ranking.verdict:
            found.setdefault(one.ranking.verdict, []).append(one.is_first_gold)
    return {name: VerdictUse(len(rights), round(sum(rights) / len(rights), 4)) for name, rights in found.items()}


def _bin(number: int, claims: Sequence[tuple[float, bool]]) -> Bin:
    count = len(claims)
    claimed, right = sum(claim for claim, _ in claims), sum(is_right for _, is_right in claims)
    return Bin(number / BINS, (number + 1) / BINS, count, round(claimed / count, 4), round(right / count, 4))
