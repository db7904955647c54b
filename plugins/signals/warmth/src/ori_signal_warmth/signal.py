"""The signal `warmth`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from aries_kernel.contracts import Corpus, Question, Scores, Skipped
from aries_kernel.values import frozen

__all__ = ["Warmth", "WarmthOptions"]

_CONFIDENCE = 0.25
"""That a note was of use lately says little about whether it answers this question."""


@frozen
class WarmthOptions:
    """None: how much warmth counts is the signal's weight."""


class Warmth:
    """Notes that were of use lately, as far as they still are warm.

    The scores are the warmth itself: a faint one is not made the best of its kind.
    """

    name: ClassVar[str] = "warmth"
    description: ClassVar[str] = "Notes that were of use lately."
    role: ClassVar[Literal["vote", "ranker"]] = "vote"
    options_type: ClassVar[type[Any]] = WarmthOptions

    def __init__(self, options: WarmthOptions) -> None:
        """There is nothing to choose."""

    def score(self, question: Question, corpus: Corpus, found: Mapping[int, float]) -> Scores | Skipped:
        if not question.text.strip():
            return Skipped("the question is empty")
        warm = {note: min(1.0, boost) for note, boost in corpus.boosts().items() if boost > 0}
        return Scores(warm, _CONFIDENCE) if warm else Skipped("no note is warm")
