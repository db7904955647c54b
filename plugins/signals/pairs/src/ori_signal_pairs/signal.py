"""Notes that say what the best ones leave open, where something leads from these to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from aries_kernel.contracts import Corpus, Question, Scores, Skipped
from aries_kernel.ranking import best
from aries_kernel.values import frozen
from ori_signal_pairs.reach import reach_of
from ori_signal_pairs.wording import Wording

__all__ = ["Options", "Pairs"]

_LITTLE = 0.05
"""Of a note that the other signals did not find."""


@frozen
class Options:
    """Settings of the signal."""

    gain: float = 3.0
    """What a note gains that says the whole question, where the one that leads to it says nothing of it."""
    said: float = 0.8
    """How much of the question the best note may say: who finds more in one note looks for that one."""
    firsts: int = 5
    """Notes from which others are looked for."""
    rounds: int = 2
    """How often: in the second round what came in leads on."""
    suggested: float = 0.8
    """Weight of a mention without a link; a written link has 1."""
    name: float = 1.0
    """Weight of a name that two notes share, less the more notes hold it."""
    found_power: float = 0.5
    """How much it counts what the other signals said of the second note."""


class Pairs:
    """The second note of an answer has the words that the first leaves open, and a link or a name in common with it."""

    name, role = "pairs", "ranker"
    description = "what says the rest of the question and has to do with the best notes"
    options_type = Options

    def __init__(self, options: Options) -> None:
        self._options = options

    def score(self, question: Question, corpus: Corpus, found: Mapping[int, float]) -> Scores | Skipped:
        """What was found, with those higher, or new, that say the rest. The first keeps its place."""
        if not found or max(found.values()) <= 0:
            return Skipped("nothing was found to start from")
        wording = Wording.of(corpus, question)
        if len(wording.rarity) < 2:
            return Skipped("the question has too few words to be said by two notes")
        first = best(found, 1)[0][0]
        if wording.share(wording.held(first)) > self._options.said:
            return Skipped("the best note says nearly all of the question")
        gains: dict[int, float] = {}
        reach: dict[int, dict[int, float]] = {}
        for _ in range(self._options.rounds):
            raised = _raised(found, gains)
            firsts = [first, *(note for note, _ in best(raised, self._options.firsts) if note != first)]
            gains = self._gains(corpus, wording, found, raised, firsts[: self._options.firsts], reach)
        if not gains:
            return Skipped("nothing that has to do with the best notes says more of the question")
        raised = _raised(found, gains)
        highest = max(raised.values())
        return Scores({note: score / highest for note, score in raised.items()}, surest=(first,))

    def _gains(
        self,
        corpus: Corpus,
        wording: Wording,
        found: Mapping[int, float],
        raised: Mapping[int, float],
        firsts: Sequence[int],
        reach: dict[int, dict[int, float]],
    ) -> dict[int, float]:
        options = self._options
        missing = [note for note in firsts if note not in reach]
        reach.update(reach_of(corpus, missing, suggested=options.suggested, name=options.name))
        gains: dict[int, float] = {}
        for place, one in enumerate(firsts):
            strength = options.gain * (1.0 if place == 0 else min(1.0, raised[one]))
            # What a better note said that has to do with this one needs not be said again.
            before = wording.held(one)
            for better in firsts[:place]:
                if better in reach[one]:
                    before |= wording.held(better)
            for note, gain in wording.adding(reach[one], before):
                gains[note] = max(strength * gain, gains.get(note, 0.0))
        power = options.found_power
        return {
            note: gain * ((found.get(note, 0.0) + _LITTLE) / (1 + _LITTLE)) ** power for note, gain in gains.items()
        }


def _raised(found: Mapping[int, float], gains: Mapping[int, float]) -> dict[int, float]:
    return {note: found.get(note, 0.0) + gains.get(note, 0.0) for note in {**found, **gains}}
