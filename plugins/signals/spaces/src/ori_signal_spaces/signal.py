"""The signal `spaces`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from attrs import field, frozen, validators

from aries_kernel.contracts import Corpus, Question, Scores, Skipped
from ori_signal_spaces.spaces import space_values
from ori_signal_spaces.weights import WEIGHTS

__all__ = ["Spaces", "SpacesOptions"]


@frozen
class SpacesOptions:
    """Options of `spaces`."""

    matches: int = field(default=100, validator=validators.ge(1))
    """The best text matches, which alone are scored: what is known beside the text answers no question."""


class Spaces:
    """What is known beside their text of the notes that match: the reference's composite score without its text."""

    name: ClassVar[str] = "spaces"
    description: ClassVar[str] = "Recency, vitality, importance, type and community of notes that match."
    role: ClassVar[Literal["vote", "ranker"]] = "vote"
    options_type: ClassVar[type[Any]] = SpacesOptions

    def __init__(self, options: SpacesOptions) -> None:
        self._options = options

    def score(self, question: Question, corpus: Corpus, found: Mapping[int, float]) -> Scores | Skipped:
        limit = self._options.matches
        matches = corpus.rank_words(question.words, limit) or corpus.rank_pieces(question.words, limit)
        if not matches:
            return Skipped("no note holds a word of the question")
        values = space_values(question, corpus, matches)
        spread = {space: known for space, known in values.items() if _differ(known)}
        if not spread:
            return Skipped("the notes that match differ in nothing but their text")
        weights = {space: WEIGHTS[question.intent][space] for space in spread}
        return Scores(
            {note: _mean(note, spread, weights) for note in matches},
            confidence=sum(weights.values()),
            notice=_notice([space for space in values if space not in spread]),
        )


def _differ(known: Mapping[int, float]) -> bool:
    """Whether a space tells any notes apart: one that gives all of them the same says nothing."""
    return bool(known) and max(known.values()) - min(known.values()) > 1e-9


def _mean(note: int, values: Mapping[str, Mapping[int, float]], weights: Mapping[str, float]) -> float:
    """The weighted mean; where a space knows nothing of the note it counts as the average one."""
    total = 0.0
    for space, weight in weights.items():
        known = values[space]
        total += weight * known.get(note, sum(known.values()) / len(known))
    return min(1.0, total / sum(weights.values()))


def _notice(missing: list[str]) -> str:
    return f"tells no notes apart here: {', '.join(missing)}" if missing else ""
