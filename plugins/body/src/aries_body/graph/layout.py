"""Where each file stands in the picture: groups as discs beside those they are tied to, files by ties within."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

__all__ = ["laid_out"]

_SPACING = 34.0
"""Side of the square that a file gets on average, in units of the picture."""
_GOLDEN = math.pi * (3 - math.sqrt(5))
_GAP = 1.12
_SPRUNG_UP_TO = 1_500
"""Members of a group above which its inner order is a spiral: forces would take seconds."""

Place = tuple[float, float]


def laid_out(weights: Mapping[tuple[int, int], float], groups: Sequence[int]) -> list[Place]:
    """Places around (0, 0). `groups`: each file's community, the largest is 0; -1 for files without ties."""
    members: dict[int, list[int]] = {}
    for number, group in enumerate(groups):
        members.setdefault(group, []).append(number)
    alone = members.pop(-1, [])
    radii = {group: _SPACING * 0.62 * math.sqrt(len(files)) + _SPACING / 2 for group, files in members.items()}
    middles = _middles(radii, _between(weights, groups))
    places: list[Place] = [(0.0, 0.0)] * len(groups)
    inner = _inner_weights(weights, groups)
    for group, files in sorted(members.items()):
        x, y = middles[group]
        for number, (dx, dy) in zip(files, _within(files, inner.get(group, {})), strict=True):
            reach = radii[group] - _SPACING / 2
            places[number] = (x + dx * reach, y + dy * reach)
    outside = max((math.hypot(*middles[group]) + radius for group, radius in radii.items()), default=0.0)
    for number, place in zip(alone, _ring(len(alone), outside), strict=True):
        places[number] = place
    return places


def _between(weights: Mapping[tuple[int, int], float], groups: Sequence[int]) -> dict[int, dict[int, float]]:
    """How much groups are tied to each other."""
    found: dict[int, dict[int, float]] = {}
    for (one, other), weight in weights.items():
        a, b = groups[one], groups[other]
        if a != b:
            for left, right in ((a, b), (b, a)):
                found.setdefault(left, {})[right] = found.get(left, {}).get(right, 0.0) + weight
    return found


def _inner_weights(
    weights: Mapping[tuple[int, int], float], groups: Sequence[int]
) -> dict[int, dict[tuple[int, int], float]]:
    found: dict[int, dict[tuple[int, int], float]] = {}
    for (one, other), weight in weights.items():
        if groups[one] == groups[other]:
            found.setdefault(groups[one], {})[one, other] = weight
    return found


def _middles(radii: Mapping[int, float], ties: Mapping[int, Mapping[int, float]]) -> dict[int, Place]:
    """Discs that do not overlap: each, from the largest on, as near as it can be to those it is tied to."""
    middles: dict[int, Place] = {}
    for group in sorted(radii, key=lambda one: (-radii[one], one)):
        near = {other: weight for other, weight in ties.get(group, {}).items() if other in middles}
        total = sum(near.values()) or 1.0
        wanted_x = sum(middles[other][0] * weight for other, weight in near.items()) / total
        wanted_y = sum(middles[other][1] * weight for other, weight in near.items()) / total
        step = 0
        while True:
            away = radii[group] * 0.5 * math.sqrt(step)
            x, y = wanted_x + away * math.cos(step * _GOLDEN), wanted_y + away * math.sin(step * _GOLDEN)
            if all(
                math.hypot(x - middles[other][0], y - middles[other][1]) >= (radii[group] + radii[other]) * _GAP
                for other in middles
            ):
                break
            step += 1
        middles[group] = (x, y)
    return middles


def _within(files: Sequence[int], weights: Mapping[tuple[int, int], float]) -> list[Place]:
    """Places of the members of a group within a circle of radius 1."""
    if len(files) == 1:
        return [(0.0, 0.0)]
    if len(files) > _SPRUNG_UP_TO or not weights:
        return [_spiral(number, len(files)) for number in range(len(files))]
    import rustworkx

    place = {number: index for index, number in enumerate(files)}
    graph: rustworkx.PyGraph[int, float] = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(list(files))
    graph.add_edges_from([(place[one], place[other], weight) for (one, other), weight in sorted(weights.items())])
    found = rustworkx.spring_layout(graph, seed=1, num_iter=80)
    points = [(float(found[index][0]), float(found[index][1])) for index in range(len(files))]
    x = sum(point[0] for point in points) / len(points)
    y = sum(point[1] for point in points) / len(points)
    # Forces leave a crowded middle and a lonely rim; by their order from the middle all get the same room.
    order = sorted(range(len(points)), key=lambda one: (math.hypot(points[one][0] - x, points[one][1] - y), one))
    placed = [(0.0, 0.0)] * len(points)
    for rank, index in enumerate(order):
        reach = math.sqrt((rank + 0.5) / len(points))
        angle = math.atan2(points[index][1] - y, points[index][0] - x)
        placed[index] = (reach * math.cos(angle), reach * math.sin(angle))
    return placed


def _spiral(number: int, count: int) -> Place:
    reach = math.sqrt((number + 0.5) / count)
    return reach * math.cos(number * _GOLDEN), reach * math.sin(number * _GOLDEN)


def _ring(count: int, outside: float) -> list[Place]:
    """Places around everything else, in as many rows as it takes."""
    places: list[Place] = []
    radius = outside + 2 * _SPACING
    while len(places) < count:
        room = max(1, int(2 * math.pi * radius / (0.8 * _SPACING)))
        row = min(room, count - len(places))
        angles = (2 * math.pi * number / row for number in range(row))
        places += [(radius * math.cos(angle), radius * math.sin(angle)) for angle in angles]
        radius += _SPACING
    return places
