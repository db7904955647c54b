"""Notes that were used together: how much that ties them, from the counts of sessions (spec C.14)."""

from __future__ import annotations

import datetime
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from attrs import define, field

if TYPE_CHECKING:
    from ori_memory.learned.crediting import Pair

__all__ = ["Together", "decay", "npmi"]

_MUCH = 100
"""Sessions from which more of them say no more (the weighting of GloVe)."""
_GLOVE = 0.75
_DAYS = 30
_LEAST_LEFT = 0.05
_SETPOINT = 0.5
"""The mean weight that the ties of a note are brought to."""
_LEAST_FACTOR, _MOST_FACTOR = 0.25, 4.0


@define
class Together:
    """The pairs of one state of the learned store. Only what is asked for is computed, once."""

    pairs: Sequence[Pair] = ()
    """What it was made from: the same object as long as nothing was learned since."""
    today: datetime.date = datetime.date.min
    _of: dict[str, list[tuple[str, int, datetime.date]]] = field(factory=dict, init=False)
    _total: int = field(default=0, init=False)
    _counts: dict[str, int] = field(factory=dict, init=False)
    _means: dict[str, float] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        for a, b, sessions, last in self.pairs:
            for one, other in ((a, b), (b, a)):
                self._of.setdefault(one, []).append((other, sessions, last.date()))
                self._counts[one] = self._counts.get(one, 0) + sessions
                self._total += sessions

    def of(self, note_id: str) -> dict[str, float]:
        """Notes that were used together with it, each from 0 to 1; those that only happen to be left out."""
        own = self._factor(note_id)
        found = {}
        for other, sessions, last in self._of.get(note_id, ()):
            weight = self._raw(note_id, other, sessions, last)
            if weight > 0:
                # Each side is brought to the same mean once, from weights that nobody scaled before (spec G.4-60).
                found[other] = min(1.0, weight * math.sqrt(own * self._factor(other)))
        return found

    def _raw(self, one: str, other: str, sessions: int, last: datetime.date) -> float:
        share = npmi(sessions, self._counts[one], self._counts[other], self._total)
        much = min(1.0, (sessions / _MUCH) ** _GLOVE)
        return float(max(0.0, share) * much * decay(sessions, (self.today - last).days))

    def _factor(self, note_id: str) -> float:
        if note_id not in self._means:
            weights = [self._raw(note_id, *row) for row in self._of.get(note_id, ())]
            known = [weight for weight in weights if weight > 0]
            mean = sum(known) / len(known) if known else _SETPOINT
            self._means[note_id] = min(_MOST_FACTOR, max(_LEAST_FACTOR, _SETPOINT / mean))
        return self._means[note_id]


def npmi(both: int, one: int, other: int, total: int) -> float:
    """Normalised pointwise mutual information, from -1 to 1: 0 where two meet as often as chance would have it.

    `one` and `other`: how often each was met with anything; `total`: all meetings, each counted from both sides.
    """
    share = both / total
    if share >= 1:
        return 1.0
    return math.log(share / ((one / total) * (other / total))) / -math.log(share)


def decay(sessions: int, days: int) -> float:
    """What is left of it: slower after many sessions, never nothing (Ebbinghaus)."""
    return float(max(_LEAST_LEFT, math.exp(-max(0, days) / (_DAYS * (1 + 0.2 * math.log1p(sessions))))))
