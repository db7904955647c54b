"""The stage `exploration`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from attrs import field, validators

from aries_kernel.contracts import Corpus, Found, Question, Skipped
from aries_kernel.digests import blake2b
from aries_kernel.values import frozen
from ori_stage_exploration.bonus import bonus

__all__ = ["MARK", "Exploration", "ExplorationOptions"]

MARK = "exploration"
_FEWEST = 10
"""A shorter list gets none: one in five is not a tenth (G.5-72)."""

_MOST_TIES = 100
"""A hit with more leads anywhere."""


@frozen
class ExplorationOptions:
    """Options of `exploration`."""

    share: float = field(default=0.1, validator=[validators.ge(0), validators.le(1)])
    """Of the notes shown; less than one note is one note in some of the questions. There is never more than one."""


class Exploration:
    """Adds a note that was not found, is tied to one that was, and is marked; no hit makes way for it (G.5-73).

    Notes that were seldom shown are drawn more often. The same question on the same day gives the same note.
    """

    name: ClassVar[str] = "exploration"
    description: ClassVar[str] = "Now and then adds a marked note that is linked with the hits."
    options_type: ClassVar[type[Any]] = ExplorationOptions

    def __init__(self, options: ExplorationOptions) -> None:
        self._options = options

    def apply(self, question: Question, ranked: Sequence[Found], corpus: Corpus) -> Sequence[Found] | Skipped:
        shown = [one.note for one in ranked if not one.mark][: question.limit]
        if len(shown) < _FEWEST:
            return Skipped(f"the list has fewer than {_FEWEST} notes")
        chance, place, choice = _drawn(f"{corpus.today}\n{question.text}")
        if chance >= self._options.share * len(shown):
            return Skipped("not this time: the draw of the day was against it")
        known = {one.note for one in ranked}
        ties = corpus.few_ties(shown, _MOST_TIES)
        first = int(place * len(shown))
        for hit in (*shown[first:], *shown[:first]):
            views = corpus.describe({tie.note for tie in ties.get(hit, ())} - known)
            if views:
                # Numbers of notes change with the index, their ids do not.
                ordered = sorted(views, key=lambda note: views[note].id)
                return [*ranked, Found(_chosen(ordered, corpus.exposures(ordered), choice), 0.0, MARK)]
        return Skipped("the hits are linked with no note that was not found")


def _chosen(notes: Sequence[int], shown: Mapping[int, int], choice: float) -> int:
    """One of them; `choice`, from 0 to below 1, falls on the more often the more there is to learn of a note."""
    total = sum(shown.values())
    weights = [bonus(shown.get(note, 0), total) for note in notes]
    left = choice * sum(weights)
    for note, weight in zip(notes, weights, strict=True):
        left -= weight
        if left < 0:
            return note
    return notes[-1]


def _drawn(text: str) -> tuple[float, float, float]:
    """Three numbers from 0 to below 1, always the same for a text."""
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=18).digest()
    first, second, third = (int.from_bytes(digest[start : start + 6], "big") / 2**48 for start in (0, 6, 12))
    return first, second, third
