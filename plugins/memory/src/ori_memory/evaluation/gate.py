"""Whether retrieval got worse since a stored evaluation, by more than chance explains."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import frozen

from aries_kernel.errors import UserError
from ori_memory.evaluation.bootstrap import estimate
from ori_memory.evaluation.metrics import METRICS
from ori_memory.evaluation.result import Evaluation

__all__ = ["Fall", "falls", "matching"]


@frozen
class Fall:
    """A metric that fell."""

    metric: str
    before: float
    now: float
    why: str

    def __str__(self) -> str:
        return f"{self.metric} fell from {self.before:.3f} to {self.now:.3f}: {self.why}"


def matching(stored: Sequence[Evaluation], now: Evaluation) -> Evaluation:
    """The stored evaluation of the same set, unit, pool and k.

    Raises: UserError where there is none: other conditions cannot be compared.
    """
    for one in stored:
        if _conditions(one) == _conditions(now):
            return one
    known = "; ".join(_conditions(one) for one in stored) or "nothing"
    raise UserError(f"The gate's file has nothing for {_conditions(now)}. It holds: {known}.")


def falls(before: Evaluation, now: Evaluation) -> tuple[Fall, ...]:
    """Metrics of the first system that are worse than they were.

    Over the same questions: where the paired interval of the difference lies below 0. Over others, or where the values
    of single questions were not stored: where the new mean lies below the stored interval.
    """
    if before.values and before.values.keys() == now.values.keys():
        return tuple(_paired(before, now))
    return tuple(_unpaired(before, now))


def _paired(before: Evaluation, now: Evaluation) -> Iterator[Fall]:
    rows = [[b - a for a, b in zip(before.values[id], now.values[id], strict=True)] for id in now.values]
    for metric, difference in zip(METRICS, estimate(rows, now.seed), strict=True):
        if difference.high < 0:
            why = f"the difference is {difference.mean:+.3f} [{difference.low:+.3f} {difference.high:+.3f}]"
            yield Fall(metric, _mean(before, metric), _mean(now, metric), why)


def _unpaired(before: Evaluation, now: Evaluation) -> Iterator[Fall]:
    for metric in METRICS:
        stored = before.systems[0].total.metrics[metric]
        if _mean(now, metric) < stored.low:
            why = f"the stored interval begins at {stored.low:.3f}"
            yield Fall(metric, stored.mean, _mean(now, metric), why)


def _mean(result: Evaluation, metric: str) -> float:
    return result.systems[0].total.metrics[metric].mean


def _conditions(one: Evaluation) -> str:
    return f"{one.name}, unit {one.unit}, pool {one.pool}, k {one.k}"
