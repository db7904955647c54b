"""How far a mean over questions may be off: percentile bootstrap over the questions, seeded."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from attrs import frozen

if TYPE_CHECKING:
    import numpy

__all__ = ["RESAMPLES", "Estimate", "estimate"]

RESAMPLES = 1_000
_AT_ONCE = 2_000_000


@frozen
class Estimate:
    """A mean and its 95 % interval."""

    mean: float
    low: float
    high: float

    @classmethod
    def of(cls, mean: float, low: float, high: float) -> Estimate:
        """Rounded to what is worth keeping."""
        return cls(round(mean, 4), round(low, 4), round(high, 4))


def estimate(rows: Sequence[Sequence[float]], seed: int) -> tuple[Estimate, ...]:
    """The mean of each column with its interval; a row is a question.

    The same questions are drawn for the same number of rows and seed, so differences of two systems, given as rows of
    differences, are paired. Raises: ValueError for no rows.
    """
    import numpy

    if not rows:
        raise ValueError("there is no mean of nothing")
    values = numpy.asarray(rows, dtype=numpy.float64)
    drawn = _drawn_means(values, seed)
    low, high = numpy.percentile(drawn, (2.5, 97.5), axis=0)
    return tuple(map(Estimate.of, values.mean(axis=0).tolist(), low.tolist(), high.tolist()))


def _drawn_means(values: numpy.ndarray, seed: int) -> numpy.ndarray:
    """Means of RESAMPLES draws with replacement, a row each."""
    import numpy

    count = len(values)
    generator = numpy.random.default_rng(seed)
    means = []
    step = max(1, _AT_ONCE // count)
    for start in range(0, RESAMPLES, step):
        draws = min(step, RESAMPLES - start)
        places = generator.integers(0, count, size=(draws, count))
        times = numpy.stack([numpy.bincount(row, minlength=count) for row in places])
        means.append(times @ values / count)
    return numpy.concatenate(means)
