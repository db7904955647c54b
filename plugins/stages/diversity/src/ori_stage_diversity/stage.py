"""The stage `diversity`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from attrs import evolve, field, frozen, validators

from aries_kernel.contracts import Corpus, Found, Question, Skipped
from ori_stage_diversity.likeness import Likeness, likeness_by_vectors, likeness_by_words, texts_of, word_sets

__all__ = ["Diversity", "DiversityOptions", "marginal_order"]

_AS_MANY_TIMES, _MOST = 2, 50
"""The best notes, this many times what will be shown, change places among themselves; no more than fifty."""
_NUMBER = re.compile(r"\d+")


@frozen
class DiversityOptions:
    """Options of `diversity`."""

    relevance: float = field(default=0.8, validator=[validators.ge(0), validators.le(1)])
    """The lambda of MMR: 1 keeps the order, 0 looks at nothing but how different notes are."""
    duplicate: float = field(default=0.9, validator=[validators.gt(0), validators.le(1)])
    """Notes that share this much of their words, and all their numbers, say the same."""


class Diversity:
    """Maximal marginal relevance: each next note is good, and unlike those before it; the first one stays.

    A note that says the same as one before it comes after all others. Two texts that differ in a number do not say the
    same: one of them may be the newer.
    """

    name: ClassVar[str] = "diversity"
    description: ClassVar[str] = "Notes that say the same do not fill the list."
    options_type: ClassVar[type[Any]] = DiversityOptions

    def __init__(self, options: DiversityOptions) -> None:
        self._options = options

    def apply(self, question: Question, ranked: Sequence[Found], corpus: Corpus) -> Sequence[Found] | Skipped:
        count = min(_MOST, _AS_MANY_TIMES * question.limit)
        head = {one.note: one for one in ranked[:count] if not one.mark}
        if len(head) < 3:
            return Skipped("fewer than three notes have no other order that keeps the first")
        texts = texts_of(head, corpus)
        words = word_sets(texts)
        by_words = likeness_by_words(words)
        order = marginal_order(
            {note: one.score for note, one in head.items()},
            likeness_by_vectors(list(head), corpus) or by_words,
            self._options.relevance,
            lambda one, other: (
                by_words(one, other) >= self._options.duplicate and _numbers(texts[one]) == _numbers(texts[other])
            ),
        )
        return _falling([*(head[note] for note in order), *(one for one in ranked if one.note not in head)])


def marginal_order(
    scores: Mapping[int, float], likeness: Likeness, relevance: float, says_the_same: Callable[[int, int], bool]
) -> list[int]:
    """Notes by relevance x score - (1 - relevance) x likeness to the most alike before it; the first stays.

    `scores`: best first. Notes that say the same as one before them come last.
    """
    best = max(scores.values(), default=0.0) or 1.0
    nearest = dict.fromkeys(scores, 0.0)
    order: list[int] = []
    repeated: list[int] = []
    while nearest:
        note = max(nearest, key=lambda one: relevance * scores[one] / best - (1 - relevance) * nearest[one])
        if not order:
            note = next(iter(nearest))
        order.append(note)
        del nearest[note]
        for other in list(nearest):
            if says_the_same(note, other):
                repeated.append(other)
                del nearest[other]
            else:
                nearest[other] = max(nearest[other], likeness(note, other))
    return order + sorted(repeated, key=list(scores).index)


def _falling(found: Sequence[Found]) -> list[Found]:
    """No note has a higher score than the one before it: it counts for no more than where it stands."""
    least, falling = 1.0, []
    for one in found:
        least = min(least, one.score)
        falling.append(evolve(one, score=least))
    return falling


def _numbers(text: str) -> set[str]:
    return set(_NUMBER.findall(text))
