"""What is newest of the notes that fit about equally well."""

from __future__ import annotations

import datetime
from collections.abc import Collection, Mapping

from aries_kernel.contracts import Corpus, Question, Scores, Skipped

__all__ = ["newest_first"]

_MATCHES = 100
_FITS = 0.6
"""The share of the best note's score from which on a note answers the question about as well."""
_TRUST = 0.15
"""It decides between notes that fit about equally well by all that is known of them."""
_HALVED = 0.5
"""What is left of the score with each step to an older day."""


def newest_first(question: Question, corpus: Corpus) -> Scores | Skipped:
    """Of the notes that fit about equally well the newer ones score more."""
    from ori_signal_time.days import days_of

    fitting = _fitting(corpus.rank_words(question.words, _MATCHES))
    known = {note: days_of(view) for note, view in corpus.describe(fitting).items()}
    days = {note: found.last for note, found in known.items() if found}
    if len(set(days.values())) < 2:
        return Skipped("no two notes that match are of different days")
    return Scores(_by_day(days), confidence=_TRUST * len(days) / len(known))


def _fitting(scores: Mapping[int, float]) -> Collection[int]:
    least = _FITS * max(scores.values(), default=0.0)
    return [note for note, score in scores.items() if score >= least]


def _by_day(days: Mapping[int, datetime.date]) -> dict[int, float]:
    places = {day: place for place, day in enumerate(sorted(set(days.values()), reverse=True))}
    return {note: _HALVED ** places[day] for note, day in days.items()}
