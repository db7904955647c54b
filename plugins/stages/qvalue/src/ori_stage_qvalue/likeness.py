"""How much alike two questions are, by the words they share.

Their vectors were tried beside the words and brought nothing on the sets that settings are chosen on, so credit needs
no model, and means the same on every machine.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from attrs import frozen

__all__ = ["Words"]

_STEM = 6
"""Letters by which two forms of a word are one."""


@frozen
class Words:
    """The words of the present question, and how much each says."""

    says: Mapping[str, float]
    total: float

    @classmethod
    def of(cls, words: Sequence[str], rarity: Mapping[str, float], unknown: float) -> Words:
        """`unknown`: what a word says that no note holds."""
        says: dict[str, float] = {}
        for word in words:
            says[word[:_STEM]] = max(rarity.get(word, unknown), says.get(word[:_STEM], 0.0))
        return cls(says, sum(says.values()))

    def shared_with(self, others: Sequence[str]) -> float:
        """From 0 to 1: 1 for the same words; the rarer the words shared, and the fewer of each left over, the more.

        What the other question's own words say is not looked up: they count as much as the mean of these.
        """
        other = {word[:_STEM] for word in others}
        if not other or self.total <= 0:
            return 0.0
        shared = sum(says for word, says in self.says.items() if word in other)
        count = sum(word in other for word in self.says)
        left = (len(other) - count) * self.total / len(self.says)
        return shared / math.sqrt(self.total * (shared + left))
