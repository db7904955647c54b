"""Which parts a question goes without, learned from what parts brought to earlier ones. Off unless the settings say so.

`watch` only learns; `on` leaves out what costs more than it brings. Words, meaning and their fusion always run.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from attrs import define, field, frozen

from aries_kernel.contracts import Question
from aries_kernel.digests import blake2b
from aries_kernel.ranking import best
from ori_memory.retrieval.bandit import Choice, Decision, Knowledge, Limits, decide, reward_of, sums_of
from ori_memory.retrieval.quality import quality

if TYPE_CHECKING:
    from ori_memory.learned.store import LearnedStore
    from ori_memory.retrieval.corpus import IndexCorpus

__all__ = ["ESSENTIAL", "Sample", "Steered", "Steering", "features_of"]

ESSENTIAL = ("keyword", "semantic", "exploration")
"""What always runs; a note that nobody asked for has no quality that a list could show."""
_SEEN = 10
_NAME = re.compile(r"(?<=\w )[A-Z]\w+")
_RARE = 8
"""Notes, at most, that hold a rare word; or one in a hundred, where that is more."""


@frozen
class Sample:
    """What one part brought to one question."""

    part: str
    features: tuple[float, ...]
    gained: float
    """Of quality, as far as the list shows it."""
    milliseconds: float

    @property
    def reward(self) -> float:
        return reward_of(self.gained, self.milliseconds)


@define
class Steering:
    """What is known of the parts, and what is still to be kept."""

    arms: Callable[[], Mapping[str, Knowledge]]
    is_watching: bool = False
    """Nothing is left out."""
    limits: Limits = field(factory=Limits)
    samples: list[Sample] = field(factory=list)
    """Of questions that were answered since the last `keep`."""

    def begin(self, question: Question, corpus: IndexCorpus) -> Steered:
        """For one question."""
        return Steered(self, question, corpus, dict(self.arms()))

    def keep(self, store: LearnedStore) -> None:
        """Write what was seen; after the answer. Raises: UserError where it cannot be written."""
        samples, self.samples = self.samples, []
        for one in samples:
            store.record_arm(one.part, sums_of(one.features, one.reward))


@define
class Steered:
    """One question's decisions, and what its parts brought."""

    steering: Steering
    question: Question
    corpus: IndexCorpus
    arms: Mapping[str, Knowledge]
    decisions: dict[str, Decision] = field(factory=dict, init=False)
    features: tuple[float, ...] = field(init=False)
    _began: float = field(factory=time.perf_counter, init=False)
    _rare: tuple[str, ...] | None = field(default=None, init=False)

    def __attrs_post_init__(self) -> None:
        self.features = features_of(self.question, self.corpus.note_count)

    def leaves_out(self, part: str) -> str:
        """Why it does not run; empty where it does."""
        if part in ESSENTIAL or self.steering.is_watching:
            return ""
        if part not in self.decisions:
            elapsed = (time.perf_counter() - self._began) * 1000
            known = self.arms.get(part, Knowledge())
            drawn = _drawn(f"{part}\n{self.corpus.today}\n{self.question.text}")
            self.decisions[part] = decide(
                known, self.features, drawn=drawn, elapsed=elapsed, limits=self.steering.limits
            )
        chosen = self.decisions[part]
        return "" if chosen.choice is Choice.RUN else f"left out by what was learned: {chosen.reason}"

    def saw(self, part: str, before: Mapping[int, float], after: Mapping[int, float], milliseconds: float) -> None:
        """What the list was without the part, and with it."""
        if part not in ESSENTIAL:
            gained = self._quality(after) - self._quality(before)
            self.steering.samples.append(Sample(part, self.features, gained, milliseconds))

    def _quality(self, scores: Mapping[int, float]) -> float:
        top = best(scores, _SEEN)
        return quality([score for _, score in top], self._rare_held([note for note, _ in top]))

    def _rare_held(self, notes: Sequence[int]) -> float | None:
        if self._rare is None:
            most = max(_RARE, self.corpus.note_count // 100)
            self._rare = tuple(word for word in self.question.words if 1 <= self.corpus.count(word) <= most)
        if not self._rare:
            return None
        texts = " ".join(self.corpus.texts(notes).values()).lower()
        return sum(word in texts for word in self._rare) / len(self._rare)


def features_of(question: Question, note_count: int) -> tuple[float, ...]:
    """Eight numbers from 0 to about 1; all are there before any part has run."""
    text = question.text
    return (
        1.0,
        min(1.0, len(text.split()) / 50),
        min(1.0, len(question.words) / 10),
        float("?" in text),
        float(question.period is not None),
        float(_NAME.search(text) is not None),
        float(bool(question.identifiers or question.phrases)),
        min(1.0, len(str(max(1, note_count))) / 6),
    )


def _drawn(text: str) -> float:
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=6).digest()
    return int.from_bytes(digest, "big") / 2**48
