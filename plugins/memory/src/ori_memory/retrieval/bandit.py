"""A contextual bandit (LinUCB) for one part of a question: is it worth its time for a question of this kind?

Of each part two sums are kept, as they add over questions and machines: the outer products of the features and the
features times the reward. What is decided carries its features, so that what is learned is learned of this question
(spec C.15, G.4-54, 58).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from enum import StrEnum

from attrs import field, frozen

__all__ = ["FEATURES", "Choice", "Decision", "Knowledge", "Limits", "decide", "reward_of", "sums_of"]

FEATURES = 8
_WIDTH = 0.25
"""How many standard deviations above the expected reward count."""


class Choice(StrEnum):
    RUN = "run"
    SKIP = "skip"
    """It costs more than it brings."""
    ABSTAIN = "abstain"
    """It brings next to nothing for such questions."""


@frozen
class Limits:
    """When a part must run whatever was learned, and from which expected reward it does otherwise."""

    sampled: float = 0.05
    """Share of the questions for which it runs all the same, so that nothing is off for good."""
    least_samples: int = 15
    budget: float = 400.0
    """Milliseconds after which what is not essential is skipped."""
    abstain_below: float = 0.0
    skip_below: float = 0.02


@frozen
class Knowledge:
    """What is known of one part."""

    samples: int = 0
    products: tuple[float, ...] = (0.0,) * FEATURES**2
    rewards: tuple[float, ...] = (0.0,) * FEATURES

    @classmethod
    def of(cls, samples: int, sums: Mapping[str, Sequence[float]]) -> Knowledge:
        """From sums as `sums_of` gives them; of another shape they say nothing."""
        products, rewards = tuple(sums.get("products", ())), tuple(sums.get("rewards", ()))
        if len(products) != FEATURES**2 or len(rewards) != FEATURES:
            return cls()
        return cls(samples, products, rewards)

    def with_(self, features: Sequence[float], reward: float) -> Knowledge:
        """After one more question."""
        added = sums_of(features, reward)
        return Knowledge(
            self.samples + 1,
            tuple(a + b for a, b in zip(self.products, added["products"], strict=True)),
            tuple(a + b for a, b in zip(self.rewards, added["rewards"], strict=True)),
        )

    def expects(self, features: Sequence[float]) -> float:
        """The most that may be hoped for: the expected reward and a little more, the less the questions are known."""
        matrix = [
            [self.products[row * FEATURES + column] + (row == column) for column in range(FEATURES)]
            for row in range(FEATURES)
        ]
        # theta * x = b * A^-1 * x, since A is symmetric: one system of equations gives both parts.
        solved = _solve(matrix, list(features))
        mean = sum(map(float.__mul__, self.rewards, solved))
        return mean + _WIDTH * math.sqrt(max(0.0, sum(a * b for a, b in zip(features, solved, strict=True))))


@frozen
class Decision:
    """What was decided for one part and one question, with what it was decided by."""

    choice: Choice
    reason: str
    features: tuple[float, ...] = field(default=(), repr=False)


def decide(
    known: Knowledge, features: Sequence[float], *, drawn: float, elapsed: float, limits: Limits = Limits()
) -> Decision:
    """`drawn`: from 0 to below 1, by chance. Trying out comes before every other test (spec G.4-54)."""
    own = tuple(map(float, features))
    if known.samples < limits.least_samples:
        return Decision(Choice.RUN, f"{known.samples} questions are too few to know it", own)
    if drawn < limits.sampled:
        return Decision(Choice.RUN, "it is tried out again", own)
    if elapsed > limits.budget:
        return Decision(Choice.SKIP, f"the question has taken {elapsed:.0f} ms already", own)
    hope = known.expects(own)
    if hope < limits.abstain_below:
        return Decision(Choice.ABSTAIN, f"it makes answers to such questions no better ({hope:+.3f})", own)
    if hope < limits.skip_below:
        return Decision(Choice.SKIP, f"it brings less than it costs for such questions ({hope:+.3f})", own)
    return Decision(Choice.RUN, f"it is expected to bring {hope:+.3f}", own)


def reward_of(quality_gained: float, milliseconds: float) -> float:
    """From -1 to 1: what the list gained, less what the time is worth."""
    return max(-1.0, min(1.0, 10 * quality_gained - 0.2 * milliseconds / 100))


def sums_of(features: Sequence[float], reward: float) -> dict[str, tuple[float, ...]]:
    """What one question adds to the sums of a part."""
    return {
        "products": tuple(a * b for a in features for b in features),
        "rewards": tuple(reward * a for a in features),
    }


def _solve(matrix: list[list[float]], values: list[float]) -> list[float]:
    """Of a positive definite system, by elimination: eight unknowns need no library."""
    count = len(values)
    for pivot in range(count):
        for row in range(pivot + 1, count):
            share = matrix[row][pivot] / matrix[pivot][pivot]
            for column in range(pivot, count):
                matrix[row][column] -= share * matrix[pivot][column]
            values[row] -= share * values[pivot]
    for pivot in reversed(range(count)):
        known = sum(matrix[pivot][column] * values[column] for column in range(pivot + 1, count))
        values[pivot] = (values[pivot] - known) / matrix[pivot][pivot]
    return values
