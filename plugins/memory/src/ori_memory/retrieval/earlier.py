"""Questions that were asked before, found by the words they share with a new one."""

from __future__ import annotations

import datetime
import heapq
import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from attrs import field

from aries_kernel.contracts.corpus import Experience
from aries_kernel.values import define, frozen
from aries_kernel.word_roots import root_of

if TYPE_CHECKING:
    from ori_memory.learned.crediting import Credited

__all__ = ["COMPARED", "MOST", "AskedBefore", "Earlier", "stems_of"]

MOST = 100
"""Earlier questions that are looked at: beyond, they share the commonest words only."""
COMPARED = 100
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
        return stems_of(self.words)

    @property
    def last(self) -> datetime.datetime:
        """When something was last of use for it."""
        return max(credit.last for credit in self.credits)


@define
class AskedBefore:
    """Those that one question needs, or all."""

    credits: Sequence[Credited] = ()
    """What it was made from."""
    _questions: list[Earlier] = field(factory=list, init=False)
    _by_word: dict[str, list[int]] = field(factory=dict, init=False)
    _by_note: dict[str, list[Credited]] | None = field(default=None, init=False)

    def __attrs_post_init__(self) -> None:
        for one in _questions_of(self.credits):
            for word in one.stems:
                self._by_word.setdefault(word, []).append(len(self._questions))
            self._questions.append(one)

    def sharing(self, words: Collection[str]) -> list[Earlier]:
        """Those that share a word, at most `MOST`: the fewer questions hold a word, the more it counts."""
        weights: dict[int, float] = {}
        for word in sorted(stems_of(words)):
            places = self._by_word.get(word, ())
            for place in places:
                weights[place] = weights.get(place, 0.0) + 1 / len(places)
        chosen = heapq.nlargest(MOST, weights, key=lambda place: (weights[place], -place))
        return [self._questions[place] for place in chosen]

    def uses(self, note_ids: Iterable[str]) -> dict[str, Sequence[Credited]]:
        """What these notes earned; without those that earned nothing."""
        if self._by_note is None:
            self._by_note = {}
            for credit in self.credits:
                self._by_note.setdefault(credit.note_id, []).append(credit)
        return {id: self._by_note[id] for id in note_ids if id in self._by_note}

    @cached_property
    def experience(self) -> Experience:
        """Of the latest questions: pairs that are much alike, with a useful note in common, and without one.

        Alike by their words, each by how few questions hold it. A conversation has many questions with the same words
        about different things; elsewhere the same words mean the same thing.
        """
        latest = self._latest()
        counts = Counter(word for one in latest for word in one.stems)
        says = {word: math.log(1 + (len(latest) - count + 0.5) / (count + 0.5)) for word, count in counts.items()}
        known = [
            (stems, sum(says[word] for word in stems), {credit.note_id for credit in one.credits})
            for one in latest
            if (stems := one.stems)
        ]
        agreed = differed = 0.0
        for place, (stems, total, useful) in enumerate(known):
            for others, other_total, also_useful in known[:place]:
                shared = stems & others
                if shared:
                    likeness = sum(says[word] for word in shared) / math.sqrt(total * other_total)
                    weight = min(1.0, max(0.0, (likeness - _ALIKE) / (_SAME - _ALIKE)))
                    if useful & also_useful:
                        agreed += weight
                    else:
                        differed += weight
        return Experience(agreed, differed)

    def naming(self, named_by: Callable[[Earlier], Collection[str]]) -> tuple[float, float]:
        """Of the latest questions that name notes: notes of use that they name, and those where they name others only.

        Each note has one vote, shared among its questions: one that is cited for everything says no more than others.
        """
        votes: dict[str, list[bool]] = {}
        for one in self._latest():
            named, useful = set(named_by(one)), {credit.note_id for credit in one.credits}
            for id in (named & useful) or (useful if named else ()):
                votes.setdefault(id, []).append(id in named)
        shares = [sum(of) / len(of) for of in votes.values()]
        return sum(shares), len(shares) - sum(shares)

    def _latest(self) -> list[Earlier]:
        return sorted(self._questions, key=lambda one: (-one.last.timestamp(), one.topic))[:COMPARED]


def stems_of(words: Collection[str]) -> frozenset[str]:
    """By what words are found: forms of one word are one."""
    return frozenset(map(root_of, words))


def _questions_of(credits: Iterable[Credited]) -> list[Earlier]:
    by_topic: dict[str, list[Credited]] = {}
    for credit in credits:
        # What was used without having been asked for says nothing about any question.
        if credit.words:
            by_topic.setdefault(credit.topic, []).append(credit)
    return [Earlier(topic, of[0].words, tuple(of)) for topic, of in sorted(by_topic.items())]
