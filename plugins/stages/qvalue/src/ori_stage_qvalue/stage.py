"""The stage `qvalue`."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from attrs import evolve, field, frozen, validators

from aries_kernel.contracts import Corpus, Earlier, Found, Question, Skipped
from aries_kernel.ranking import best
from ori_stage_qvalue.likeness import Words
from ori_stage_qvalue.worth import q_value

__all__ = ["MARK", "QValue", "QValueOptions"]

MARK = "learned"
_MOST_SHARE = 0.9
"""Use counts beside relevance, never in its place."""
_LONGEST = 8
"""Words of an earlier question that an explanation quotes."""


def _share(default: float, most: float = 1.0) -> Any:
    return field(default=default, validator=[validators.ge(0), validators.le(most)])


@frozen
class QValueOptions:
    """Options of `qvalue`."""

    share: float = _share(0.6, _MOST_SHARE)
    """What use counts beside relevance, once it is well known."""
    first_share: float = _share(0.35, _MOST_SHARE)
    """The same before anything is known; it grows with every use."""
    warm_after: int = field(default=20, validator=validators.ge(1))
    """Uses after which it is well known."""
    rate: float = _share(0.5)
    """How much of what is left to 1 a use of full worth adds."""
    decay: float = field(default=0.007, validator=validators.ge(0))
    """Of evidence, per day."""
    words: float = _share(0.5)
    """How much the words of two questions count beside their vectors, where both have one."""
    least: float = _share(0.35)
    """Questions that are less alike have nothing to do with each other."""
    full: float = _share(0.65)
    """Questions that are this much alike are the same."""
    pulled: int = field(default=3, validator=validators.ge(0))
    """Notes at most that come in though nothing else found them."""
    pull_from: float = _share(0.5)
    """What they must be worth."""


@frozen
class _Worth:
    """What a note is worth for this question, and the earlier question that says most of it."""

    value: float = 0.0
    most: float = 0.0
    likeness: float = 0.0
    words: tuple[str, ...] = ()

    def with_(self, value: float, likeness: float, words: tuple[str, ...]) -> _Worth:
        together = 1 - (1 - self.value) * (1 - value)
        return _Worth(together, value, likeness, words) if value > self.most else evolve(self, value=together)


class QValue:
    """Adds to a note's score what it earned for questions like this one; a question like none before stays as it was.

    Credit belongs to a note and a question together. So a note that is often of use is not pushed into answers to
    questions about something else (spec G.4-59), and what it adds only grows with use.
    """

    name: ClassVar[str] = "qvalue"
    description: ClassVar[str] = "Notes that proved useful for questions like this one come first."
    options_type: ClassVar[type[Any]] = QValueOptions

    def __init__(self, options: QValueOptions) -> None:
        self._options = options

    def apply(self, question: Question, ranked: Sequence[Found], corpus: Corpus) -> Sequence[Found] | Skipped:
        earlier = corpus.earlier(question.text, question.words) if question.words else ()
        if not earlier:
            return Skipped("no note proved useful for a question that shares a word with this one")
        worth = self._worth(question, earlier, corpus)
        if not worth:
            return Skipped("no question like this one was asked before")
        share = self._share(corpus.uses())
        gains = {note: share / (1 - share) * one.value for note, one in worth.items()}
        known = {found.note for found in ranked}
        new = self._pulled(worth, known)
        top = max((found.score + gains.get(found.note, 0.0) for found in (*ranked, *new)), default=1.0)
        scale = max(1.0, top)
        changed = [
            evolve(
                found,
                score=(found.score + gains.get(found.note, 0.0)) / scale,
                why=(*found.why, _why(gains[found.note], worth[found.note])) if found.note in gains else found.why,
            )
            for found in (*ranked, *new)
        ]
        # Sorting is stable, so what is alike stays in the order of relevance.
        return sorted(changed, key=lambda found: -found.score)

    def _worth(self, question: Question, earlier: Sequence[Earlier], corpus: Corpus) -> Mapping[int, _Worth]:
        unknown = math.log(1 + (corpus.note_count + 0.5) / 0.5)
        words = Words.of(question.words, corpus.rarity(question.words), unknown)
        worth: dict[int, _Worth] = {}
        for one in earlier:
            likeness = self._likeness(words, one)
            openness = self._openness(likeness)
            for credit in one.credits if openness > 0 else ():
                value = openness * q_value(credit, corpus.today, self._options.rate, self._options.decay)
                if value > 0:
                    worth[credit.note] = worth.get(credit.note, _Worth()).with_(value, likeness, one.words)
        return worth

    def _likeness(self, words: Words, one: Earlier) -> float:
        shared = words.shared_with(one.words)
        if one.likeness is None:
            return shared
        share = self._options.words
        return share * shared + (1 - share) * max(0.0, one.likeness)

    def _openness(self, likeness: float) -> float:
        least, full = self._options.least, self._options.full
        if likeness >= full:
            return 1.0
        return max(0.0, (likeness - least) / (full - least)) if full > least else 0.0

    def _share(self, uses: int) -> float:
        options = self._options
        return options.first_share + (options.share - options.first_share) * min(uses / options.warm_after, 1.0)

    def _pulled(self, worth: Mapping[int, _Worth], known: set[int]) -> list[Found]:
        able = {
            note: one.value for note, one in worth.items() if note not in known and one.value >= self._options.pull_from
        }
        return [Found(note, 0.0, MARK) for note, _ in best(able, self._options.pulled)]


def _why(gain: float, worth: _Worth) -> str:
    asked = " ".join(worth.words[:_LONGEST]) + (" …" if len(worth.words) > _LONGEST else "")
    return f"+{gain:.2f}: of use for '{asked}', alike {worth.likeness:.2f}"
