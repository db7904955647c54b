"""The signal `time`."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from attrs import field, validators

from aries_kernel.contracts import Corpus, Period, Question, Scores, Skipped
from aries_kernel.values import frozen

if TYPE_CHECKING:
    from ori_signal_time.days import Days

__all__ = ["Time", "TimeOptions"]

_MATCHES = 1_000
_OF_THE_DAYS = 20
"""Notes of the period that come in though they hold no word of the question: of a day few, of a year none."""
_LEAST_PRECISION = 0.15
_FALL = 0.6
_CHANGED = 0.5
"""A note that was changed then is not of then, as far as it tells."""
_LOOSE = 0.3
"""Who says "today" or "this year" mostly means how things are now, and of whatever day the note is."""
_LEAST = 0.05
"""What is farther away than this has nothing to do with the period."""
_OF_ANY_TIME = frozenset(
    (
        *("decide", "decided", "decision", "decisions", "happen", "happened", "happening", "event", "events"),
        *("do", "did", "done", "work", "worked", "working", "change", "changed", "changes", "new", "news"),
        *("note", "notes", "write", "wrote", "written", "learn", "learned", "learnt", "going", "made", "make"),
        *("meeting", "meetings", "meet", "met", "discuss", "discussed", "talk", "talked", "plan", "planned"),
        *(
            "topic",
            "topics",
            "thing",
            "things",
            "say",
            "said",
            "tell",
            "told",
            "mention",
            "mentioned",
            "chat",
            "chatted",
        ),
    )
)
"""What is asked of any days: a record of a decision need not say that something was decided."""


@frozen
class TimeOptions:
    """Options of `time`."""

    half_life_days: float = field(default=7.0, validator=validators.gt(0))
    """A note this many days outside the period counts half; outside a shorter one, as many days as it has."""


class Time:
    """Notes of the days that a question names, or the newest where it asks for them; silent where it does neither."""

    name: ClassVar[str] = "time"
    description: ClassVar[str] = "Notes of the days that the question names."
    role: ClassVar[Literal["vote", "ranker"]] = "vote"
    options_type: ClassVar[type[Any]] = TimeOptions

    def __init__(self, options: TimeOptions) -> None:
        self._options = options

    def score(self, question: Question, corpus: Corpus, found: Mapping[int, float]) -> Scores | Skipped:
        period = question.period
        if period is None and not question.newest:
            return Skipped("the question names no time")
        if period is None:
            from ori_signal_time.newest import newest_first

            return newest_first(question, corpus)
        # A dozen patterns of dates, which most questions do not need.
        from ori_signal_time.days import days_of

        words = _asked_beside(question, period)
        views = corpus.describe(_candidates(words, period, corpus) if words else _all(corpus))
        days = {note: known for note, known in ((note, days_of(view)) for note, view in views.items()) if known}
        length = (period.last - period.first).days + 1
        near = {note: self._nearness(known, period, length) for note, known in days.items()}
        scores = {note: score for note, score in near.items() if score >= _LEAST}
        if not scores:
            return Skipped(f"no note that matches is of {period}, or near it")
        trust = _precision(length) * (_LOOSE if period.is_loose else 1.0) if words else 1.0
        return Scores(scores, confidence=trust * len(days) / len(views))

    def _nearness(self, days: Days, period: Period, length: int) -> float:
        """Who names one day means that day; around a month a week more or less counts little."""
        near = float(2 ** (-days.distance(period) / min(self._options.half_life_days, length)))
        return near if days.is_said else _CHANGED * near


def _precision(days: int) -> float:
    """How much a stretch of so many days tells: one day most of what there is to know, a year little."""
    return max(_LEAST_PRECISION, float(days**-_FALL))


def _asked_beside(question: Question, period: Period) -> Sequence[str]:
    """What is asked beside the time; nothing where it is asked of any days."""
    said = set(re.findall(r"\w+", period.phrase.lower()))
    words = [word for word in question.words if word not in said]
    return () if _OF_ANY_TIME.issuperset(words) else words


def _candidates(words: Sequence[str], period: Period, corpus: Corpus) -> Collection[int]:
    """Notes that match what is asked beside the time, and those of the time."""
    matching = corpus.rank_words(words, _MATCHES) or corpus.rank_pieces(words, _MATCHES)
    return matching.keys() | set(corpus.dated(period.first, period.last, _OF_THE_DAYS))


def _all(corpus: Corpus) -> Collection[int]:
    figures = corpus.figures()
    return figures.importance.keys() | figures.vitality.keys()
