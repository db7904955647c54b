"""The five spaces: each says of some notes, from 0 to 1, how well they fit as far as it can tell."""

from __future__ import annotations

import datetime
from collections.abc import Mapping

from aries_kernel.contracts import Corpus, NoteView, Period, Question
from ori_signal_spaces.weights import type_fit

__all__ = ["nearness", "recency", "space_values", "tie_to_communities"]

_HALF_AS_NEAR = 30
"""Days after which a note counts half as recent."""
_BEST = 10
"""Text matches that say which communities are asked for."""


def space_values(question: Question, corpus: Corpus, matches: Mapping[int, float]) -> Mapping[str, Mapping[int, float]]:
    """What each space says of the notes that match; a note of which it knows nothing is left out."""
    views, figures = corpus.describe(matches), corpus.figures()
    communities = {note: figures.community[note] for note in matches if note in figures.community}
    values = {
        "recency": {note: recency(view, question.period, corpus.today) for note, view in views.items()},
        "vitality": {note: figures.vitality.get(note) for note in views},
        "importance": {note: figures.importance.get(note) for note in views},
        "type": {note: type_fit(question.intent, view.type) if view.type else None for note, view in views.items()},
        "community": tie_to_communities(matches, communities),
    }
    return {
        space: {note: min(1.0, max(0.0, value)) for note, value in known.items() if value is not None}
        for space, known in values.items()
    }


def recency(view: NoteView, period: Period | None, today: datetime.date) -> float | None:
    """How near a note is to the period, or to today where there is none; None for a note without dates."""
    days = [day for day in (view.created, view.modified) if day is not None]
    if not days:
        return None
    if period is None:
        return nearness((today - max(days)).days)
    day = view.created or days[0]
    return nearness(max((period.first - day).days, (day - period.last).days))


def nearness(days: int) -> float:
    """1 for none, 1/2 for thirty; years later there still is a difference, unlike in an exponential decay."""
    return 1 / (1 + max(0, days) / _HALF_AS_NEAR)


def tie_to_communities(matches: Mapping[int, float], communities: Mapping[int, int]) -> Mapping[int, float | None]:
    """How much of the best text matches lies in a note's community, the most being 1.

    Each of the best weighs the square of how far it is above the first that is no longer one of them.
    """
    scores = sorted(matches.values(), reverse=True)
    floor = scores[_BEST] if len(scores) > _BEST else 0.0
    weights: dict[int, float] = {}
    for note, community in communities.items():
        weights[community] = weights.get(community, 0.0) + max(0.0, matches[note] - floor) ** 2
    most = max(weights.values(), default=0.0)
    return {note: weights[community] / most for note, community in communities.items()} if most else {}
