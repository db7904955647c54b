"""Questions that were asked before, found by the words they share with a new one."""

from __future__ import annotations

import heapq
from collections.abc import Collection, Sequence

from attrs import define, field, frozen

from ori_memory.learned.crediting import Credited

__all__ = ["Asked", "AskedBefore"]

_STEM = 6
"""Letters by which two forms of a word are one; the same for all scripts, since few words of others are longer."""
_MOST = 200
"""Earlier questions that are looked at: beyond, they share the commonest words only."""


@frozen
class Asked:
    """One earlier question: its key, its words, and what proved useful for it."""

    topic: str
    words: tuple[str, ...]
    credits: tuple[Credited, ...]


@define
class AskedBefore:
    """All of them, for one state of the learned store."""

    credits: Sequence[Credited] = ()
    """What it was made from: the same object as long as nothing was learned since."""
    questions: list[Asked] = field(factory=list, init=False)
    uses: int = field(default=0, init=False)
    _by_word: dict[str, list[int]] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        by_topic: dict[str, list[Credited]] = {}
        for credit in self.credits:
            self.uses += credit.uses
            # What was used without having been asked for says nothing about any question.
            if credit.words:
                by_topic.setdefault(credit.topic, []).append(credit)
        for topic in sorted(by_topic):
            of = by_topic[topic]
            for word in {word[:_STEM] for word in of[0].words}:
                self._by_word.setdefault(word, []).append(len(self.questions))
            self.questions.append(Asked(topic, of[0].words, tuple(of)))

    def sharing(self, words: Collection[str]) -> list[Asked]:
        """Those that share a word, at most 200: the fewer questions hold a word, the more it counts."""
        weights: dict[int, float] = {}
        for word in sorted({word[:_STEM] for word in words}):
            places = self._by_word.get(word, ())
            for place in places:
                weights[place] = weights.get(place, 0.0) + 1 / len(places)
        chosen = heapq.nlargest(_MOST, weights, key=lambda place: (weights[place], -place))
        return [self.questions[place] for place in chosen]
