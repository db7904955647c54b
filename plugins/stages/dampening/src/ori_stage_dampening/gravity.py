"""The stage `gravity`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, ClassVar

from attrs import field, frozen, validators

from aries_kernel.contracts import Corpus, Found, NoteView, Question, Skipped
from ori_stage_dampening.scaling import scaled

__all__ = ["Gravity", "GravityOptions"]

_WORD = re.compile(r"[^\W_]+")
_ENDING = re.compile(r"(?<=\w{3})(?:ings?|ied|ies|ed|es|s|e|y)\Z")


@frozen
class GravityOptions:
    """Options of `gravity`."""

    factor: float = field(default=0.5, validator=[validators.ge(0), validators.le(1)])
    threshold: float = field(default=0.3, validator=[validators.ge(0), validators.le(1)])
    """As a share of the best score: lower ones are left alone. The reference's was absolute and never met (G.5-61)."""


class Gravity:
    """Notes with a high score whose title holds no word of the question step back."""

    name: ClassVar[str] = "gravity"
    description: ClassVar[str] = "Notes whose title has nothing of the question step back."
    options_type: ClassVar[type[Any]] = GravityOptions

    def __init__(self, options: GravityOptions) -> None:
        self._options = options

    def apply(self, question: Question, ranked: Sequence[Found], corpus: Corpus) -> Sequence[Found] | Skipped:
        stems = {_stem(word) for word in question.words}
        if not stems:
            return Skipped("the question has no words")
        views = corpus.describe([one.note for one in ranked])
        titled = {note for note, view in views.items() if note in question.named or _is_about(view, stems)}
        if not titled:
            return Skipped("no title holds a word of the question")
        least = self._options.threshold * ranked[0].score
        heavy = [one.note for one in ranked if one.score > least and one.note not in titled]
        return scaled(ranked, dict.fromkeys(heavy, self._options.factor))


def _stem(word: str) -> str:
    """What a word of a title must begin with: without its English ending, or the last of more than four letters."""
    folded = word.casefold()
    bare = _ENDING.sub("", folded)
    return bare if bare != folded else folded[: max(4, len(folded) - 3)]


def _is_about(view: NoteView, stems: set[str]) -> bool:
    names = "\n".join((view.title, *view.aliases)).casefold()
    words = _WORD.findall(names)
    # A script without spaces has no words to begin.
    return any(any(word.startswith(stem) for word in words) or (not stem.isascii() and stem in names) for stem in stems)
