"""Questions that were asked before, found by the words they share with a new one."""

from __future__ import annotations

import heapq
import math
from collections.abc import Collection, Sequence
from functools import cached_property

from attrs import define, field, frozen

from ori_memory.learned.crediting import Credited

__all__ = ["AskedBefore", "Earlier"]

_STEM = 6
"""Letters by which two forms of a word are one; the same for all scripts, since few words of others are longer."""
_MOST = 200
"""Earlier questions that are looked at: beyond, they share the commonest words only."""
_COMPARED = 100
"""Questions, the latest, that are compared with each other: five thousand pairs, some milliseconds."""
_ALIKE, _SAME = 0.35, 0.65
"""Share of words from which two questions are alike at all, and from which they count in full."""


@frozen
class Earlier:
    """One earlier question: its key, its words, and what proved useful for it."""

    topic: str
    words: tuple[str, ...]
    credits: tuple[Credited, ...]

    @property
    def stems(self) -> frozenset[str]:
        return frozenset(word[:_STEM] for word in self.words)


@define
class AskedBefore:
    """All of them, for one state of the learned store."""

    credits: Sequence[Credited] = ()
    """What it was made from: the same object as long as nothing was learned since."""
    _questions: list[Earlier] = field(factory=list, init=False)
    _by_word: dict[str, list[int]] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        by_topic: dict[str, list[Credited]] = {}
        for credit in self.credits:
            # What was used without having been asked for says nothing about any question.
            if credit.words:
                by_topic.setdefault(credit.topic, []).append(credit)
        for topic in sorted(by_topic):
            one = Earlier(topic, by_topic[topic][0].words, tuple(by_topic[topic]))
            for word in one.stems:
                self._by_word.setdefault(word, []).append(len(self._questions))
            self._questions.append(one)

    def sharing(self, words: Collection[str]) -> list[Earlier]:
        """Those that share a word, at most 200: the fewer questions hold a word, the more it counts."""
        weights: dict[int, float] = {}
        for word in sorted({word[:_STEM] for word in words}):
            places = self._by_word.get(word, ())
            for place in places:
                weights[place] = weights.get(place, 0.0) + 1 / len(places)
        chosen = heapq.nlargest(_MOST, weights, key=lambda place: (weights[place], -place))
        return [self._questions[place] for place in chosen]

    @cached_property
    def agreement(self) -> tuple[float, float]:
        """Pairs of questions much alike with a useful note in common, and without one.

        Alike by their words, each by how few questions hold it. A conversation has many questions with the same words
        about different things; elsewhere the same words mean the same thing.
        """
        latest = sorted(self._questions, key=lambda one: max(credit.last for credit in one.credits))[-_COMPARED:]
        says = {
            word: math.log(1 + (len(self._questions) - len(held) + 0.5) / (len(held) + 0.5))
            for word, held in self._by_word.items()
        }
        known = [
            (stems, sum(map(says.__getitem__, stems)), {credit.note_id for credit in one.credits})
            for one in latest
            if (stems := one.stems)
        ]
        agreed = differed = 0.0
        for place, (stems, total, useful) in enumerate(known):
            for others, other_total, also_useful in known[:place]:
                shared = stems & others
                if shared:
                    likeness = sum(map(says.__getitem__, shared)) / math.sqrt(total * other_total)
                    weight = min(1.0, max(0.0, (likeness - _ALIKE) / (_SAME - _ALIKE)))
                    if useful & also_useful:
                        agreed += weight
                    else:
                        differed += weight
        return agreed, differed
