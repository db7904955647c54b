"""The stage `qvalue`."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

from attrs import evolve, field, frozen, validators

from aries_kernel.contracts import Corpus, Earlier, Found, Question, Skipped
from aries_kernel.ranking import best
from ori_stage_qvalue.likeness import Words
from ori_stage_qvalue.worth import q_value

__all__ = ["MARK", "QValue", "QValueOptions"]

MARK = "learned"
_LONGEST = 8
"""Words of an earlier question that an explanation quotes."""
_AGREED, _DIFFERED = 4.0, 1.0
"""Pairs of earlier questions that are taken for granted: what likeness is worth before a vault has shown it."""
_CLEAR = 5
"""Where nine of ten pairs agree, likeness counts for six tenths; where half of them do, for next to nothing."""
_SAME = 0.9
"""Questions more alike than this are more and more one question, which agrees with itself everywhere."""


def _share(default: float) -> Any:
    return field(default=default, validator=[validators.ge(0), validators.le(1)])


@frozen
class QValueOptions:
    """Options of `qvalue`."""

    gain: float = field(default=3.0, validator=[validators.ge(0), validators.le(10)])
    """What a note of full worth gains, as a multiple of the square root of its score."""
    rate: float = _share(0.5)
    """How much of what is left to 1 a use of full worth adds."""
    decay: float = field(default=0.007, validator=validators.ge(0))
    """Of evidence, per day."""
    least: float = _share(0.35)
    """Questions that are less alike have nothing to do with each other."""
    full: float = _share(0.65)
    """Questions that are this much alike count in full."""
    pulled: int = field(default=0, validator=validators.ge(0))
    """Notes at most that come in though nothing else found them."""
    pull_from: float = _share(0.5)
    """What they must be worth."""


@frozen
class _Near:
    """An earlier question that is like this one."""

    likeness: float
    weight: float
    """How much it counts."""
    values: Mapping[int, float]
    """What the notes that were of use for it are worth."""
    words: tuple[str, ...]


class QValue:
    """Adds to a note's score what it earned for questions like this one; a question like none before stays as it was.

    Credit belongs to a note and a question together. So a note that is often of use is not pushed into answers to
    questions about something else (spec G.4-59), and one more use never makes a note sink.
    """

    name: ClassVar[str] = "qvalue"
    description: ClassVar[str] = "Notes that proved useful for questions like this one come first."
    options_type: ClassVar[type[Any]] = QValueOptions

    def __init__(self, options: QValueOptions) -> None:
        self._options = options

    def apply(self, question: Question, ranked: Sequence[Found], corpus: Corpus) -> Sequence[Found] | Skipped:
        earlier = corpus.earlier(question.words) if question.words else ()
        if not earlier:
            return Skipped("no note proved useful for a question that shares a word with this one")
        near = self._near(question, earlier, corpus)
        worth = _worth(near)
        if not worth:
            return Skipped("no question like this one was asked before")
        gains = {
            found.note: self._options.gain * worth[found.note] * math.sqrt(found.score)
            for found in ranked
            if found.note in worth and found.score > 0
        }
        known = {found.note for found in ranked}
        new = dict(self._pulled(worth, known))
        listed = [*ranked, *(Found(note, 0.0, MARK) for note in new)]
        gains |= new
        # All on one scale again, the best having 1 at most: what a note was given is told on this scale too.
        scale = max([1.0, *(found.score + gains.get(found.note, 0.0) for found in listed)])
        changed = [_raised(found, gains.get(found.note, 0.0), scale, near) for found in listed]
        # Sorting is stable: what is alike stays in the order of relevance.
        return sorted(changed, key=lambda found: -found.score)

    def _near(self, question: Question, earlier: Iterable[Earlier], corpus: Corpus) -> list[_Near]:
        options = self._options
        unknown = math.log(1 + (corpus.note_count + 0.5) / 0.5)
        words = Words.of(question.words, corpus.rarity(question.words), unknown)
        alike = [(likeness, one) for one in earlier if (likeness := words.shared_with(one.words)) > options.least]
        trust = _trust(*corpus.agreement()) if alike else 0.0
        found = []
        for likeness, one in alike:
            openness = min(1.0, (likeness - options.least) / max(options.full - options.least, 1e-6))
            weight = openness * max(trust, min(1.0, (likeness - _SAME) / (1 - _SAME)))
            values = {
                credit.note: value
                for credit in one.credits
                if (value := q_value(credit, corpus.today, options.rate, options.decay)) > 0
            }
            if values and weight > 0:
                found.append(_Near(likeness, weight, values, one.words))
        return found

    def _pulled(self, worth: Mapping[int, float], known: set[int]) -> list[tuple[int, float]]:
        able = {note: one for note, one in worth.items() if note not in known and one >= self._options.pull_from}
        return best(able, self._options.pulled)


def _trust(agreed: float, differed: float) -> float:
    """How far likeness of two questions tells that the same note is of use, from what the vault has shown."""
    agreed, differed = agreed + _AGREED, differed + _DIFFERED
    return float((agreed / (agreed + differed)) ** _CLEAR)


def _worth(near: Sequence[_Near]) -> dict[int, float]:
    """Notes by the share of what the earlier questions say: where each names another note, none says much."""
    total = sum(one.weight * max(one.values.values()) for one in near)
    sums: dict[int, float] = {}
    for one in near:
        for note, value in one.values.items():
            sums[note] = sums.get(note, 0.0) + one.weight * value
    return {note: min(1.0, value / max(1.0, total)) for note, value in sums.items()}


def _raised(found: Found, gain: float, scale: float, near: Sequence[_Near]) -> Found:
    why = (*found.why, _why(found.note, gain / scale, near)) if gain else found.why
    return evolve(found, score=(found.score + gain) / scale, why=why)


def _why(note: int, gain: float, near: Sequence[_Near]) -> str:
    """From which question it has most of it."""
    most = max((one for one in near if note in one.values), key=lambda one: one.weight * one.values[note])
    asked = " ".join(most.words[:_LONGEST]) + (" …" if len(most.words) > _LONGEST else "")
    return f"+{gain:.2f}: of use for '{asked}', alike {most.likeness:.2f}"
