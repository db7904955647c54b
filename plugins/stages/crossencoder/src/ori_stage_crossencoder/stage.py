"""The stage `crossencoder`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, ClassVar

from attrs import evolve, field, frozen, validators

from aries_kernel.contracts import Corpus, Found, Question, Skipped
from ori_stage_crossencoder.model import Scorer, load_scorer

__all__ = ["CrossEncoder", "CrossEncoderOptions", "sigmoid"]

_CHARACTERS = 4_000
"""Of a note: more than any of these models reads."""


@frozen
class CrossEncoderOptions:
    """Options of `crossencoder`."""

    model: str = ""
    """A folder with a model, or its name on the hub."""
    allow_download: bool = False
    """Whether a model that is not on this machine may be fetched."""
    top: int = field(default=10, validator=[validators.ge(1), validators.le(100)])
    """Notes that are read."""
    share: float = field(default=0.6, validator=[validators.ge(0), validators.le(1)])
    """Of the model in the new score."""


class CrossEncoder:
    """A model reads the question together with each of the best notes. The others stay below them in their order."""

    name: ClassVar[str] = "crossencoder"
    description: ClassVar[str] = "A model reads the question beside each of the best notes."
    options_type: ClassVar[type[Any]] = CrossEncoderOptions

    def __init__(self, options: CrossEncoderOptions, scorer: Scorer | None = None) -> None:
        """`scorer` takes the place of the model."""
        self._options, self._scorer = options, scorer

    def apply(self, question: Question, ranked: Sequence[Found], corpus: Corpus) -> Sequence[Found] | Skipped:
        if not question.text.strip():
            return Skipped("the question is empty")
        if self._scorer is None and not self._options.model:
            return Skipped("no model is set; name one under retrieval.options.crossencoder.model")
        head = [one for one in ranked if not one.mark][: self._options.top]
        if len(head) < 2:
            return Skipped("fewer than two notes have no other order")
        if self._scorer is None:
            self._scorer = load_scorer(self._options.model, allow_download=self._options.allow_download)
            if self._scorer is None:
                return Skipped("its library is not there; pip install 'ori-stage-crossencoder[model]'")
        notes = [one.note for one in head]
        views, texts = corpus.describe(notes), corpus.texts(notes)
        pairs = [(question.text, f"{views[note].title}\n{texts.get(note, '')[:_CHARACTERS]}") for note in notes]
        read = self._blend(head, self._scorer(pairs))
        return [*read, *_below(read[-1].score, [one for one in ranked if one.note not in views])]

    def _blend(self, head: Sequence[Found], logits: Sequence[float]) -> list[Found]:
        share, most = self._options.share, head[0].score or 1.0
        blended = [
            evolve(one, score=(1 - share) * one.score / most + share * sigmoid(logit))
            for one, logit in zip(head, logits, strict=True)
        ]
        return sorted(blended, key=lambda one: -one.score)


def sigmoid(logit: float) -> float:
    """Of a single logit a softmax would make 1 whatever it is (G.5-66)."""
    return 1 / (1 + math.exp(-min(max(logit, -500.0), 500.0)))


def _below(floor: float, tail: Sequence[Found]) -> list[Found]:
    """The rest in its order, under the last of those that were read."""
    most = max((one.score for one in tail), default=0.0) or 1.0
    return [evolve(one, score=floor * 0.99 * one.score / most) for one in tail]
