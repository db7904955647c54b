"""Sums of what was spent, by day, session, turn, slot, model or purpose."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from attrs import define, field

from aries_kernel.model.spending import Spending
from aries_kernel.model.usage import Usage

__all__ = ["KEYS", "Sum", "avoidable", "summed"]

KEYS: Mapping[str, Callable[[Spending], str]] = {
    "day": lambda one: one.at[:10],
    "session": lambda one: one.session,
    "turn": lambda one: f"{one.session} {one.turn}",
    "slot": lambda one: one.slot,
    "model": lambda one: one.model,
    "purpose": lambda one: one.purpose,
}


@define
class Sum:
    """Several requests together."""

    key: str
    requests: int = 0
    failed: int = 0
    hidden: int = 0
    """Requests beside the conversation."""
    usage: Usage = field(factory=Usage)
    missed: int = 0
    known_cost: float = 0.0
    unknown: int = 0
    """Requests whose cost is not known."""

    def add(self, one: Spending) -> None:
        """Count one more."""
        self.requests += 1
        self.failed += one.failed
        self.hidden += one.purpose != "answer"
        self.usage = self.usage + one.usage
        self.missed += one.cache.missed
        self.known_cost += one.cost or 0.0
        self.unknown += one.cost is None

    @property
    def cost(self) -> str:
        """US dollars as far as they are known."""
        if self.unknown == self.requests and self.requests:
            return "not known"
        return f"{self.known_cost:.4f}{' and more' if self.unknown else ''}"


def summed(spendings: Iterable[Spending], by: str) -> list[Sum]:
    """Sums by one of `KEYS`, in the order of the keys."""
    sums: dict[str, Sum] = {}
    for one in spendings:
        key = KEYS[by](one)
        sums.setdefault(key, Sum(key)).add(one)
    return [sums[key] for key in sorted(sums, key=_order)]


def _order(key: str) -> tuple[str, int]:
    """Turns count as numbers."""
    start, _, number = key.rpartition(" ")
    return (start, int(number)) if number.isdecimal() and start else (key, 0)


def avoidable(spendings: Iterable[Spending]) -> list[tuple[str, int]]:
    """Why tokens were missed by the cache where it was ours to avoid, the most first."""
    reasons: dict[str, int] = {}
    for one in spendings:
        if one.cache.reason:
            reasons[one.cache.reason] = reasons.get(one.cache.reason, 0) + one.cache.missed
    return sorted(reasons.items(), key=lambda pair: (-pair[1], pair[0]))
