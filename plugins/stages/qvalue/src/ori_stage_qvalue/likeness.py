"""How much alike two questions are, by the words they share.

Their vectors were tried beside the words and brought nothing on the sets that settings are chosen on, so credit needs
no model, and means the same on every machine.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from aries_kernel.values import frozen
from aries_kernel.word_roots import root_of

__all__ = ["Words"]


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
            root = root_of(word)
            says[root] = max(rarity.get(word, unknown), says.get(root, 0.0))
        return cls(says, sum(says.values()))

    def shared_with(self, others: Sequence[str]) -> float:
        """From 0 to 1: 1 for the same words; the rarer the words shared, and the fewer of each left over, the more.

        What the other question's own words say is not looked up: they count as much as the mean of these.
        """
        other = {root_of(word) for word in others}
        if not other or self.total <= 0:
            return 0.0
        shared = sum(says for root, says in self.says.items() if root in other)
        count = sum(root in other for root in self.says)
        left = (len(other) - count) * self.total / len(self.says)
        return shared / math.sqrt(self.total * (shared + left)) if shared else 0.0
