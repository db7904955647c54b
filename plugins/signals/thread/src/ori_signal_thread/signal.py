"""Notes of talks: the one who is asked about speaks, and the session as a whole fits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import field, validators

from aries_kernel.contracts import Corpus, Place, Question, Scores, Skipped
from aries_kernel.values import frozen

__all__ = ["Options", "Thread"]


def _gain(default: float) -> Any:
    return field(default=default, validator=[validators.ge(0), validators.le(10)])


@frozen
class Options:
    """Settings of the signal."""

    speaker: float = _gain(0.1)
    """What a note gains whose speaker the question names, where it names one."""
    speaker_share: float = _gain(0.4)
    """The same as a share of its own score: who is named says it, but not in any line."""
    session: float = _gain(0.3)
    """What a note gains from the session it belongs to, the best session giving all of it."""
    best_of: int = 3
    """Notes of a session that say how well it fits."""


class Thread:
    """Changes the scores of notes that stand in threads, and of no others."""

    name, role = "thread", "ranker"
    description = "speakers and sessions of talks"
    options_type = Options

    def __init__(self, options: Options) -> None:
        self._options = options

    def score(self, question: Question, corpus: Corpus, found: Mapping[int, float]) -> Scores | Skipped:
        """All notes found, those of fitting sessions and of the one who is named higher."""
        places = corpus.places(found.keys())
        if not places:
            return Skipped("no note found belongs to a talk or a session")
        sessions = self._sessions(found, places)
        asked = {speaker for speaker in corpus.speakers() if set(speaker.split()) & set(question.words)}
        options = self._options
        raised = dict(found)
        for note, place in places.items():
            if len(asked) == 1 and place.speaker in asked:
                raised[note] += options.speaker + options.speaker_share * found[note]
            raised[note] += options.session * sessions[place.thread]
        highest = max(raised.values())
        return (
            Scores({note: score / highest for note, score in raised.items()})
            if highest > 0
            else Skipped("nothing fits")
        )

    def _sessions(self, found: Mapping[int, float], places: Mapping[int, Place]) -> dict[int, float]:
        by_session: dict[int, list[float]] = {}
        for note, place in places.items():
            by_session.setdefault(place.thread, []).append(found[note])
        count = self._options.best_of
        means = {thread: sum(sorted(scores)[-count:]) / count for thread, scores in by_session.items()}
        highest = max(means.values())
        return {thread: mean / highest if highest > 0 else 0.0 for thread, mean in means.items()}
