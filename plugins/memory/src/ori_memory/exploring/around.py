"""What links lead to from the notes that were found."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import frozen

from aries_kernel.contracts import Tie
from ori_memory.exploring.ground import Ground

__all__ = ["Reached", "expand"]

_SUGGESTED = 0.8
"""A mention without a link, beside a written link; as the signal `graph` has it."""
_FARTHER = 0.5
"""What each link after the first leaves of nearness."""
_HUB = 20
"""A note on the way with more links than this says less of where they lead."""
_FOLLOWED = 30
"""Notes of a hop whose own links are followed."""
_CONTEXT, _GAIN, _MEANING, _LINKED = 1.0, 1.0, 1.0, 0.2
"""How much counts: the words around the link, the words that only this note adds, its meaning, that it is linked."""
_WHOLE = _CONTEXT + _GAIN + _MEANING + _LINKED


@frozen
class Reached:
    """A note at the end of a way."""

    score: float
    """Nearness times fit, from 0 to 1."""
    near: float
    """The weight of the seed, less what each link of the way takes."""
    seed: int
    hops: int
    held: frozenset[str]
    """Words of the question that the notes of the way hold together."""


def expand(ground: Ground, seeds: Mapping[int, float], depth: int) -> dict[int, Reached]:
    """The best way to each note within `depth` links of `seeds`, which have weights from 0 to 1 (spec G.5-64).

    A note fits as far as it says what the notes before it leave open, or the words around the link say it, or it means
    what is asked. Seeds can be reached from each other.
    """
    best: dict[int, Reached] = {}
    edge = {num: Reached(0.0, weight, num, 0, ground.held(num)) for num, weight in seeds.items()}
    for hop in range(1, depth + 1):
        reached = _step(ground, edge, 1.0 if hop == 1 else _FARTHER)
        edge = {}
        for num, way in sorted(reached.items(), key=lambda item: (-item[1].score, item[0])):
            if num not in best or way.score > best[num].score:
                best[num] = way
                if len(edge) < _FOLLOWED and num not in seeds:
                    edge[num] = way
    return best


def _step(ground: Ground, edge: Mapping[int, Reached], share: float) -> dict[int, Reached]:
    ties = ground.corpus.ties(edge)
    ends = {tie.note for found in ties.values() for tie in found}
    seen = ground.views(ends)
    meaning = ground.nearness(list(seen))
    reached: dict[int, Reached] = {}
    for start, found in ties.items():
        way = edge[start]
        passed = way.near * share * (min(1.0, _HUB / len(found)) if way.hops else 1.0)
        for tie in found:
            if tie.note not in seen or tie.note == way.seed:
                continue
            near = passed * tie.weight * (1.0 if tie.kind == "written" else _SUGGESTED)
            score = near * _fit(ground, way, tie, meaning[tie.note])
            if tie.note not in reached or score > reached[tie.note].score:
                held = way.held | ground.held(tie.note)
                reached[tie.note] = Reached(score, near, way.seed, way.hops + 1, held)
    return reached


def _fit(ground: Ground, way: Reached, tie: Tie, meaning: float) -> float:
    wording = ground.wording
    context = wording.share(wording.held_in(tie.context)) if tie.context else 0.0
    gain = wording.gain(way.held, ground.held(tie.note))
    return (_CONTEXT * context + _GAIN * gain + _MEANING * meaning + _LINKED) / _WHOLE
