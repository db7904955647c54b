"""How links lead from what the flat pass found to what came after."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ori_memory.exploring.exploration import Trail
from ori_memory.exploring.ground import Ground

__all__ = ["trails"]

_HOPS = 4
_TRAILS = 5
_FOLLOWED = 400
"""Notes of a hop whose links are followed."""


def trails(ground: Ground, seeds: Sequence[int], ends: Collection[int]) -> tuple[Trail, ...]:
    """A shortest way of at most four links to each of `ends`, at most five ways, in the order of `ends`.

    Only over notes that may be seen. An end that no way leads to has none.
    """
    before: dict[int, int | None] = dict.fromkeys(seeds)
    edge, missing = list(before), set(ends) - set(before)
    for _ in range(_HOPS):
        if not missing or not edge:
            break
        edge = _step(ground, edge, before)
        missing -= set(edge)
    ways = [_way(end, before) for end in ends if before.get(end) is not None][:_TRAILS]
    views = ground.views({num for way in ways for num in way})
    titles = [[views[num].title for num in way] for way in ways]
    return tuple(Trail(way[0], way[-1], tuple(way[1:-1])) for way in titles)


def _step(ground: Ground, edge: Sequence[int], before: dict[int, int | None]) -> list[int]:
    """The notes one link farther; `before` learns from where each was reached first."""
    ties = ground.corpus.ties(edge[:_FOLLOWED], with_context=False)
    seen = ground.views({tie.note for found in ties.values() for tie in found} - before.keys())
    after = []
    for num in edge:
        for tie in ties.get(num, ()):
            if tie.note in seen and tie.note not in before:
                before[tie.note] = num
                after.append(tie.note)
    return after


def _way(end: int, before: dict[int, int | None]) -> list[int]:
    way = [end]
    while (previous := before[way[-1]]) is not None:
        way.append(previous)
    return way[::-1]
