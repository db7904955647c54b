"""The stage `hub`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from attrs import field, frozen, validators

from aries_kernel.contracts import Corpus, Found, Question, Skipped
from ori_stage_dampening.scaling import scaled

__all__ = ["Hub", "HubOptions", "hub_factor"]

_FEWEST = 10
"""Notes in a list of fewer have no nine tenths."""


@frozen
class HubOptions:
    """Options of `hub`."""

    strength: float = field(default=0.6, validator=[validators.ge(0), validators.le(1)])
    floor: float = field(default=0.2, validator=[validators.ge(0), validators.le(1)])
    """The least factor."""
    least_links: int = field(default=10, validator=validators.ge(0))
    """A note tied to no more notes than this is no hub, whatever the others have."""


class Hub:
    """Notes that are tied to far more others than nine tenths of the list step back: they are found by everything."""

    name: ClassVar[str] = "hub"
    description: ClassVar[str] = "Notes that are linked with everything step back."
    options_type: ClassVar[type[Any]] = HubOptions

    def __init__(self, options: HubOptions) -> None:
        self._options = options

    def apply(self, question: Question, ranked: Sequence[Found], corpus: Corpus) -> Sequence[Found] | Skipped:
        if len(ranked) < _FEWEST:
            return Skipped(f"the list has fewer than {_FEWEST} notes")
        ties = corpus.ties([one.note for one in ranked], with_context=False)
        degrees = {one.note: len({tie.note for tie in ties.get(one.note, ())}) for one in ranked}
        ordered = sorted(degrees.values())
        usual = max(ordered[int(0.9 * len(ordered))], self._options.least_links)
        hubs = {note: degree for note, degree in degrees.items() if degree > usual and note not in question.named}
        if not hubs:
            return Skipped("no note of the list is a hub")
        return scaled(
            ranked, {note: hub_factor(degree, usual, ordered[-1], self._options) for note, degree in hubs.items()}
        )


def hub_factor(degree: int, usual: int, most: int, options: HubOptions) -> float:
    """1 at the usual degree, falling evenly to 1 - strength at the greatest."""
    return max(options.floor, 1 - options.strength * (degree - usual) / (most - usual))
