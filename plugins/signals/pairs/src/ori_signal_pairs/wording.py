"""Which words of a question each note holds."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from attrs import field

from aries_kernel.contracts import Corpus, Question
from aries_kernel.values import define

__all__ = ["Wording"]

_MOST_HOLDERS = 2_000
"""A word that more notes hold tells none of them from the others, and takes long to look up."""


@define
class Wording:
    """Sets of words are numbers with a bit for each."""

    rarity: tuple[float, ...]
    """How much each word says."""
    holders: tuple[Collection[int], ...]
    """The notes that hold it."""
    _total: float = field(init=False)
    _held: dict[int, int] = field(init=False, factory=dict)
    _shares: dict[int, float] = field(init=False, factory=dict)

    def __attrs_post_init__(self) -> None:
        self._total = sum(self.rarity)
        for place, notes in enumerate(self.holders):
            for note in notes:
                self._held[note] = self._held.get(note, 0) | 1 << place

    @classmethod
    def of(cls, corpus: Corpus, question: Question) -> Wording:
        """Without the words that no note holds."""
        holding = corpus.holding(question.words, _MOST_HOLDERS)
        rarity = corpus.rarity(list(holding))
        return cls(tuple(rarity.values()), tuple(holding[word] for word in rarity))

    def held(self, note: int) -> int:
        """The words that a note holds."""
        return self._held.get(note, 0)

    def share(self, words: int) -> float:
        """How much of the question these words say, from 0 to 1."""
        known = self._shares.get(words)
        if known is None:
            said = sum(says for place, says in enumerate(self.rarity) if words >> place & 1)
            known = self._shares[words] = said / self._total if self._total else 0.0
        return known

    def adding(self, reach: Mapping[int, float], before: int) -> Iterator[tuple[int, float]]:
        """Those of `reach` that hold a word beyond `before`: its weight times what their words say."""
        held = self._held
        for note, weight in reach.items():
            words = held.get(note, 0) & ~before
            if words:
                yield note, weight * self.share(words)
