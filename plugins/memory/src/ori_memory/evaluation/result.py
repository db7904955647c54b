"""What an evaluation found, as it is printed, saved and compared."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from attrs import field, frozen

from ori_memory.evaluation.bootstrap import RESAMPLES, Estimate, estimate
from ori_memory.evaluation.calibration import Calibration, calibration_of
from ori_memory.evaluation.haystack import Trial
from ori_memory.evaluation.metrics import DEPTH, METRICS
from ori_memory.evaluation.running import Asking, Run

__all__ = ["Comparison", "Evaluation", "PartUse", "Summary", "SystemResult", "compare", "summarise"]

_MOST_NOTICES = 5


@frozen
class Summary:
    """Means over questions."""

    questions: int
    metrics: Mapping[str, Estimate]


@frozen
class SystemResult:
    """How one system did."""

    system: str
    total: Summary
    categories: Mapping[str, Summary]
    unanswered: int = 0
    """Questions that got no note at all."""
    median_ms: float = 0.0
    """Of a question, by the wall clock."""
    median_cpu_ms: float = 0.0


@frozen
class Comparison:
    """What the first system has more than the second, question by question."""

    first: str
    second: str
    metrics: Mapping[str, Estimate]


@frozen
class PartUse:
    """What a signal or a stage did over all questions."""

    used: int
    """Questions for which it did something."""
    idle: Mapping[str, int]
    """Why it did nothing, and for how many."""


@frozen
class Evaluation:
    """The whole result. Its fields say what was measured on what, so that a number is never without its conditions."""

    name: str
    unit: str
    pool: str
    documents: int
    vaults: int
    questions: int
    left_out: Mapping[str, int]
    warnings: tuple[str, ...]
    seed: int
    systems: tuple[SystemResult, ...]
    comparisons: tuple[Comparison, ...] = ()
    calibration: Calibration | None = None
    """Of the first system, where it claims a confidence."""
    parts: Mapping[str, PartUse] = field(factory=dict)
    """Signals and stages of the first system."""
    values: Mapping[str, tuple[float, ...]] = field(factory=dict)
    """Question: the metrics of the first system, for comparisons with later runs; empty where not kept."""
    k: int = DEPTH
    resamples: int = RESAMPLES


def summarise(trial: Trial, runs: Sequence[Run], *, seed: int, ablations: Sequence[Run] = ()) -> Evaluation:
    """The result of runs of one trial; the first is the one that matters, the others stand beside it.

    `ablations`: runs with something left out, which are only compared with the first.
    """
    first = runs[0]
    return Evaluation(
        name=trial.name,
        unit=trial.unit,
        pool=trial.pool,
        documents=sum(one.size for one in trial.haystacks),
        vaults=len(trial.haystacks),
        questions=len(first.askings),
        left_out=trial.left_out,
        warnings=(*trial.warnings, *(text for one in runs for text in _notices(one))),
        seed=seed,
        systems=tuple(_result(one, seed) for one in runs),
        comparisons=tuple(compare(first, one, seed) for one in (*runs[1:], *ablations)),
        calibration=calibration_of(first.askings),
        parts=_parts(first),
        values={one.query.id: tuple(round(value, 6) for value in one.values) for one in first.askings},
    )


def compare(first: Run, second: Run, seed: int) -> Comparison:
    """The difference of two runs over the same questions, with paired intervals."""
    rows = [
        [a - b for a, b in zip(one.values, other.values, strict=True)]
        for one, other in zip(first.askings, second.askings, strict=True)
    ]
    return Comparison(first.system, second.system, _named(estimate(rows, seed)))


def _result(run: Run, seed: int) -> SystemResult:
    by_category: dict[str, list[Asking]] = {}
    for asking in run.askings:
        by_category.setdefault(asking.query.category or "other", []).append(asking)
    categories = {name: _summary(by_category[name], seed) for name in sorted(by_category)}
    return SystemResult(
        run.system,
        _summary(run.askings, seed),
        categories,
        unanswered=sum(not one.ranking.ids for one in run.askings),
        median_ms=round(statistics.median(one.milliseconds for one in run.askings), 2),
        median_cpu_ms=round(statistics.median(one.cpu_milliseconds for one in run.askings), 2),
    )


def _summary(askings: Sequence[Asking], seed: int) -> Summary:
    return Summary(len(askings), _named(estimate([one.values for one in askings], seed)))


def _named(estimates: Sequence[Estimate]) -> dict[str, Estimate]:
    return dict(zip(METRICS, estimates, strict=True))


def _parts(run: Run) -> dict[str, PartUse]:
    counts: dict[str, Counter[str]] = {}
    for asking in run.askings:
        for part, reason in asking.ranking.parts.items():
            counts.setdefault(part, Counter())[reason] += 1
    return {
        part: PartUse(told[""], {reason: count for reason, count in told.most_common() if reason})
        for part, told in counts.items()
    }


def _notices(run: Run) -> Iterator[str]:
    """What went wrong while it was asked: figures that were made without a part must not look like those with it."""
    counts = Counter(notice for asking in run.askings for notice in asking.ranking.notices)
    for notice, count in counts.most_common(_MOST_NOTICES):
        yield f"{run.system}, {count} questions: {notice}"
