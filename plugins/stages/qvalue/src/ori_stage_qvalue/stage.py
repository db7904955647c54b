"""The stage `qvalue`."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

from attrs import evolve, field, validators

from aries_kernel.contracts import Corpus, Earlier, Experience, Found, Question, Skipped
from aries_kernel.ranking import best
from aries_kernel.values import frozen
from ori_stage_qvalue.likeness import Words
from ori_stage_qvalue.worth import q_value

__all__ = ["MARK", "QValue", "QValueOptions"]

MARK = "learned"
_LONGEST = 8
"""Words of an earlier question that an explanation quotes."""
_AGREED, _DIFFERED = 1.0, 3.0
"""Pairs of earlier questions that are taken for granted: what likeness is worth before a vault has shown it."""
_CLEAR, _STEEP = 0.75, 6
"""Where three of four pairs agree, likeness counts in full; where half of them do, for a tenth."""
_LEAST_TRUST = 0.1
"""What likeness counts at the least: a young vault learns from it too, and one of conversations a little."""
_SAME = 0.9
"""Questions more alike than this are more and more one question, which agrees with itself everywhere."""
_POWER = 0.75
"""A note that fits less gains less, but not in proportion: use may know what the signals do not."""
_TOP = 50
"""Notes of the list that may be favoured: of one further down nothing says that it fits."""
_CROWD = 10
"""Notes at the top that are looked at for how common it is there to have been of use."""
_STRANGE, _FAMILIAR = 0.3, 0.3
"""What is left of the favour where no question like this one was asked, and the likeness that leaves all of it."""
_TRUSTED_FAVOUR = 0.25
"""What the favour gains where like questions had the same useful notes."""
_NAMED, _UNNAMED = 6.0, 1.0
"""Useful notes, named and not, that are taken for granted: what a question names is mostly what it seeks."""
_SELDOM, _OFTEN = 0.2, 0.4
"""Share of useful notes that the question did not name, though it named others: from which on, and where in full, the
others stand back less."""
_ASIDE = "questions here that name a note are often about another"
_RIVALS, _OPEN, _SWAY = 3, 0.8, 4
"""Notes behind the first that tell how sure the list is; the share of its score from which on they make it doubtful;
and how fast use counts more then."""


def _share(default: float) -> Any:
    return field(default=default, validator=[validators.ge(0), validators.le(1)])


@frozen
class QValueOptions:
    """Options of `qvalue`."""

    gain: float = field(default=3.0, validator=[validators.ge(0), validators.le(10)])
    """What a note of full worth gains for a question like those it was of use for, beside its score."""
    favour: float = _share(0.1)
    """The share of its own score that a note gains for having been of use at all: it decides between notes that fit
    about equally well."""
    doubt: float = field(default=2.5, validator=[validators.ge(1), validators.le(10)])
    """How many times more all this may count where several notes fit about as well as the first of the list."""
    aside: float = _share(0.1)
    """The share of its own score that a note gains which the question does not name, where it names another and useful
    notes are often others than those named."""
    rate: float = _share(0.5)
    """How much of what is left to 1 a use of full worth adds."""
    decay: float = field(default=0.007, validator=validators.ge(0))
    """Of evidence, per day."""
    least: float = _share(0.25)
    """Questions that are less alike have nothing to do with each other."""
    full: float = _share(0.65)
    """Questions that are this much alike count in full."""
    pulled: int = field(default=0, validator=validators.ge(0))
    """Notes at most that come in though nothing else found them."""
    pull_from: float = _share(0.5)
    """What they must be worth."""


@frozen
class _Before:
    """An earlier question that shares a word with this one."""

    likeness: float
    weight: float
    """How much it counts."""
    values: Mapping[int, float]
    """What the notes that were of use for it are worth."""
    words: tuple[str, ...]


class QValue:
    """Adds to a note's score what it earned for questions like this one, and a little for having been of use at all.

    Credit belongs to a note and a question together, and the favour does not grow with the number of questions. So a
    note that is often of use is not pushed into answers to questions about something else (spec G.4-59), and one more
    use never makes a note sink.
    """

    name: ClassVar[str] = "qvalue"
    description: ClassVar[str] = "Notes that proved useful for questions like this one come first."
    options_type: ClassVar[type[Any]] = QValueOptions

    def __init__(self, options: QValueOptions) -> None:
        self._options = options

    def apply(self, question: Question, ranked: Sequence[Found], corpus: Corpus) -> Sequence[Found] | Skipped:
        known = self._known(ranked, corpus) if question.words and ranked else {}
        earlier = corpus.earlier(question.words) if question.words else ()
        is_naming = self._options.aside > 0 and any(found.note in question.named for found in ranked)
        experience = corpus.experience() if known or earlier or is_naming else Experience()
        aside = self._aside(question, ranked, experience) if is_naming else {}
        if not known and not earlier and not aside:
            return Skipped("none of these notes proved useful, nor any for a question that shares a word with this one")
        trust = _trust(experience)
        before = self._before(question, earlier, corpus, trust)
        worth = _worth(before)
        favour = self._favour(ranked, known, before, trust)
        doubt = min(_doubt(ranked), self._options.doubt)
        gains = {
            found.note: doubt * self._options.gain * worth.get(found.note, 0.0) * found.score**_POWER
            + (doubt * favour.get(found.note, 0.0) + aside.get(found.note, 0.0)) * found.score
            for found in ranked
            if found.score > 0 and (found.note in worth or found.note in favour or found.note in aside)
        }
        new = dict(self._pulled(worth, {found.note for found in ranked}))
        if not any(gains.values()) and not new:
            return Skipped("what was learned makes no difference between these notes")
        listed = [*ranked, *(Found(note, 0.0, MARK) for note in new)]
        gains |= new
        # All on one scale again, the best having 1 at most: what a note was given is told on this scale too.
        scale = max([1.0, *(found.score + gains.get(found.note, 0.0) for found in listed)])
        changed = [
            _raised(found, gains.get(found.note, 0.0), scale, worth.get(found.note, 0.0), before, aside)
            for found in listed
        ]
        # Sorting is stable: what is alike stays in the order of relevance.
        return sorted(changed, key=lambda found: -found.score)

    def _known(self, ranked: Sequence[Found], corpus: Corpus) -> dict[int, float]:
        """Notes of the list by the most that they are worth for any question."""
        uses = corpus.uses([found.note for found in ranked[:_TOP]])
        today, options = corpus.today, self._options
        most = {
            note: max((q_value(credit, today, options.rate, options.decay) for credit in credits), default=0.0)
            for note, credits in uses.items()
        }
        return {note: value for note, value in most.items() if value > 0}

    def _before(self, question: Question, earlier: Iterable[Earlier], corpus: Corpus, trust: float) -> list[_Before]:
        options = self._options
        unknown = math.log(1 + (corpus.note_count + 0.5) / 0.5)
        words = Words.of(question.words, corpus.rarity(question.words), unknown)
        found = []
        for one in earlier:
            likeness = words.shared_with(one.words)
            openness = min(1.0, max(0.0, likeness - options.least) / max(options.full - options.least, 1e-6))
            weight = openness * max(trust, min(1.0, (likeness - _SAME) / (1 - _SAME)))
            values = {
                credit.note: value
                for credit in one.credits
                if (value := q_value(credit, corpus.today, options.rate, options.decay)) > 0
            }
            if values:
                found.append(_Before(likeness, weight, values, one.words))
        return found

    def _favour(
        self, ranked: Sequence[Found], known: Mapping[int, float], before: Iterable[_Before], trust: float
    ) -> dict[int, float]:
        """By the one question that speaks most for a note, however many do; the fewer notes have any, the more."""
        most = {note: _STRANGE * value for note, value in known.items()}
        for one in before:
            familiar = _STRANGE + (1 - _STRANGE) * min(1.0, one.likeness / _FAMILIAR)
            for note, value in one.values.items():
                if note in most:
                    most[note] = max(most[note], familiar * value)
        top = ranked[:_CROWD]
        crowd = sum(found.note in known for found in top) / max(1, len(top))
        much = (self._options.favour and self._options.favour + _TRUSTED_FAVOUR * trust) * (1 - crowd)
        return {note: much * value for note, value in most.items()}

    def _aside(self, question: Question, ranked: Sequence[Found], experience: Experience) -> dict[int, float]:
        """What notes gain that are not named, where one is; nothing where mostly what is named was of use before."""
        much = self._options.aside * _unnamed(experience)
        gains = {found.note: much * (1 - question.named.get(found.note, 0.0)) for found in ranked}
        return {note: gain for note, gain in gains.items() if gain > 0}

    def _pulled(self, worth: Mapping[int, float], known: set[int]) -> list[tuple[int, float]]:
        able = {note: one for note, one in worth.items() if note not in known and one >= self._options.pull_from}
        return best(able, self._options.pulled)


def _trust(experience: Experience) -> float:
    """How far likeness of two questions tells that the same note is of use, from what the vault has shown."""
    agreed, differed = experience.agreed + _AGREED, experience.differed + _DIFFERED
    return min(1.0, max(_LEAST_TRUST, float((agreed / (agreed + differed) / _CLEAR) ** _STEEP)))


def _unnamed(experience: Experience) -> float:
    """How far useful notes are others than those that questions name, from what the vault has shown."""
    named, unnamed = experience.named + _NAMED, experience.unnamed + _UNNAMED
    return min(1.0, max(0.0, (unnamed / (named + unnamed) - _SELDOM) / (_OFTEN - _SELDOM)))


def _doubt(ranked: Sequence[Found]) -> float:
    """How many times more use counts where the list itself is unsure: several notes fit about as well as its first."""
    scores = [found.score for found in ranked[: 1 + _RIVALS]]
    if len(scores) < 2 or scores[0] <= 0:
        return 1.0
    return max(1.0, sum(scores[1:]) / (len(scores) - 1) / scores[0] / _OPEN) ** _SWAY


def _worth(before: Sequence[_Before]) -> dict[int, float]:
    """Notes by the share of what the earlier questions say: where each names another note, none says much."""
    near = [one for one in before if one.weight > 0]
    total = sum(one.weight * max(one.values.values()) for one in near)
    sums: dict[int, float] = {}
    for one in near:
        for note, value in one.values.items():
            sums[note] = sums.get(note, 0.0) + one.weight * value
    return {note: min(1.0, value / max(1.0, total)) for note, value in sums.items()}


def _raised(
    found: Found, gain: float, scale: float, proven: float, before: Sequence[_Before], aside: Mapping[int, float]
) -> Found:
    own = aside.get(found.note, 0.0) * found.score
    why = found.why
    if gain - own > 1e-9:
        why = (*why, _why(found.note, (gain - own) / scale, before))
    if own:
        why = (*why, f"+{own / scale:.2f}: {_ASIDE}")
    return evolve(found, score=(found.score + gain) / scale, why=why, proven=proven)


def _why(note: int, gain: float, before: Sequence[_Before]) -> str:
    """From which question it has most of it."""
    speaking = [one for one in before if note in one.values and one.weight > 0]
    if not speaking:
        return f"+{gain:.2f}: it has been of use"
    most = max(speaking, key=lambda one: one.weight * one.values[note])
    asked = " ".join(most.words[:_LONGEST]) + (" …" if len(most.words) > _LONGEST else "")
    return f"+{gain:.2f}: of use for '{asked}', alike {most.likeness:.2f}"
