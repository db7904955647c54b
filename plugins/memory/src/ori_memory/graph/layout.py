"""Where each note stands in the picture: forces between notes, computed on a grid, the same for the same graph.

Linked notes attract each other, all notes repel each other. Repulsion is a convolution (Fourier transform on a grid),
so a step costs little more for ten thousand notes than for a hundred. Links between communities pull less, or the few
notes that everything links to would draw all of it into one lump.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from attrs import define

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Integers = NDArray[numpy.int64]
    Floats = NDArray[numpy.float64]

__all__ = ["laid_out"]

SPACING = 34.0
"""Side of the square that a note gets on average, in units of the picture."""
GOLDEN = math.pi * (3 - math.sqrt(5))
_ACROSS = 0.12
_GRAVITY = 0.02


def laid_out(
    pairs: Sequence[tuple[int, int]], weights: Sequence[float], groups: Sequence[int], sizes: Sequence[float]
) -> list[tuple[float, float]]:
    """Positions around (0, 0). `groups`: each note's community, -1 for none; `sizes`: radii that should not overlap."""
    import numpy

    count = len(groups)
    if count == 0:
        return []
    places = numpy.zeros((count, 2))
    linked = numpy.zeros(count, dtype=bool)
    for pair in pairs:
        linked[list(pair)] = True
    inside = numpy.flatnonzero(linked)
    reach = 0.0
    if inside.size:
        places[inside] = _forced(pairs, weights, numpy.array(groups), inside)
        _spread_out(places, inside, numpy.array(sizes))
        reach = float(numpy.hypot(places[inside, 0], places[inside, 1]).max())
    _ring(places, numpy.flatnonzero(~linked), reach)
    return [(float(x), float(y)) for x, y in places]


def _forced(pairs: Sequence[tuple[int, int]], weights: Sequence[float], groups: Integers, inside: Integers) -> Floats:
    import numpy

    renumbered = numpy.full(len(groups), -1)
    renumbered[inside] = numpy.arange(inside.size)
    ends = renumbered[numpy.array(pairs, dtype=numpy.int64)]
    own = groups[inside]
    pull = numpy.array(weights, dtype=float)
    pull = numpy.where(own[ends[:, 0]] == own[ends[:, 1]], pull, pull * _ACROSS)
    # What pulls much pushes as much, or notes with many links would end at the rim.
    mass = 1.0 + numpy.bincount(ends.ravel(), numpy.repeat(pull, 2), minlength=inside.size).astype(numpy.float64)
    forces = _Forces(_first_places(own), ends, pull, mass)
    fine = min(256, max(32, 1 << math.ceil(math.log2(1.4 * math.sqrt(inside.size)))))
    for cells, steps in ((fine // 2, 90), (fine, 110)):
        for _ in range(steps):
            forces.step(cells)
    return _scaled(forces.places)


def _first_places(groups: Integers) -> Floats:
    """Communities on a spiral by size, members on a smaller one within: sunflowers in a sunflower."""
    import numpy

    places = numpy.zeros((groups.size, 2))
    before = 0
    order = sorted(set(groups.tolist()))
    for position, group in enumerate(order):
        members = numpy.flatnonzero(groups == group)
        middle = _sunflower(numpy.array([position]), math.sqrt(before + members.size / 2) / math.sqrt(position + 1))
        places[members] = middle + _sunflower(numpy.arange(members.size), 0.6)
        before += members.size
    return places


def _sunflower(numbers: Integers, spacing: float) -> Floats:
    import numpy

    radius, angle = spacing * numpy.sqrt(numbers + 0.5), numbers * GOLDEN
    return numpy.column_stack((radius * numpy.cos(angle), radius * numpy.sin(angle)))


@define
class _Forces:
    """A simulation whose step adapts to how much notes swing (the scheme of ForceAtlas2)."""

    places: Floats
    ends: Integers
    pull: Floats
    mass: Floats
    speed: float = 1.0
    _last: Floats | None = None

    def step(self, cells: int) -> None:
        import numpy

        count = len(self.places)
        force = self._attraction(count) - self.places * (_GRAVITY * self.mass[:, None])
        force += _repulsion(self.places, self.mass, cells)
        last = force if self._last is None else self._last
        swing = numpy.hypot(*(force - last).T)
        traction = numpy.hypot(*(force + last).T) / 2
        total_swing = float((self.mass * swing).sum()) or 1e-9
        target = float((self.mass * traction).sum()) / total_swing
        self.speed = min(target, self.speed * 1.5, 1e4)
        move = force * (self.speed / (1 + self.speed * numpy.sqrt(swing)))[:, None] * 0.1
        # No single step may throw a note across the picture.
        length = numpy.hypot(*move.T)
        limit = 0.05 * float(numpy.ptp(self.places, axis=0).max() or 1.0)
        self.places = self.places + move * numpy.minimum(1.0, limit / numpy.maximum(length, 1e-12))[:, None]
        self._last = force

    def _attraction(self, count: int) -> Floats:
        import numpy

        one, other = self.ends[:, 0], self.ends[:, 1]
        way = self.places[other] - self.places[one]
        length = numpy.hypot(*way.T)
        force = way * (self.pull * numpy.log1p(length) / numpy.maximum(length, 1e-9))[:, None]
        result = numpy.empty((count, 2))
        for axis in (0, 1):
            result[:, axis] = numpy.bincount(one, force[:, axis], minlength=count)
            result[:, axis] -= numpy.bincount(other, force[:, axis], minlength=count)
        return result


def _repulsion(places: Floats, mass: Floats, cells: int) -> Floats:
    """mass x sum of masses / distance, from a grid of masses convolved with the field of one."""
    import numpy

    low = places.min(axis=0)
    side = float(numpy.ptp(places, axis=0).max() or 1.0) * 1.0001 / (cells - 1)
    at = (places - low) / side
    corner = numpy.minimum(at.astype(numpy.int64), cells - 2)
    part = at - corner
    grid = numpy.zeros(cells * cells)
    corners = []
    for dx, dy in ((0, 0), (0, 1), (1, 0), (1, 1)):
        share = numpy.abs(1 - dx - part[:, 0]) * numpy.abs(1 - dy - part[:, 1])
        index = (corner[:, 0] + dx) * cells + corner[:, 1] + dy
        corners.append((index, share))
        grid += numpy.bincount(index, mass * share, minlength=cells * cells)
    spectrum = numpy.fft.rfft2(grid.reshape(cells, cells), s=(2 * cells, 2 * cells))
    result = numpy.zeros_like(places)
    for axis, kernel in enumerate(_kernels(cells)):
        field = numpy.fft.irfft2(spectrum * kernel, s=(2 * cells, 2 * cells))[:cells, :cells].ravel()
        for index, share in corners:
            result[:, axis] += field[index] * share
    return result * (mass / side)[:, None]


@lru_cache(maxsize=4)
def _kernels(cells: int) -> tuple[NDArray[numpy.complex128], NDArray[numpy.complex128]]:
    import numpy

    away = numpy.fft.fftfreq(2 * cells, 1 / (2 * cells))
    x, y = away[:, None], away[None, :]
    square = x * x + y * y + 0.25
    return numpy.fft.rfft2(x / square), numpy.fft.rfft2(y / square)


def _scaled(places: Floats) -> Floats:
    """Centred, and as large as its number of notes needs; outliers do not decide."""
    import numpy

    places = places - numpy.median(places, axis=0)
    reach = float(numpy.quantile(numpy.hypot(*places.T), 0.9)) or 1.0
    return places * (SPACING * math.sqrt(len(places) / math.pi) / reach)


def _spread_out(places: Floats, inside: Integers, sizes: Floats) -> None:
    """Push apart what overlaps, comparing near ones along rows and along columns in turn."""
    import numpy

    here, radius = places[inside], sizes[inside]
    for turn in range(60):
        axis = turn % 2
        strip = numpy.floor(here[:, 1 - axis] / SPACING + (turn % 4 > 1) * 0.5)
        order = numpy.lexsort((here[:, axis], strip))
        for distance in range(1, 7):
            one, other = order[:-distance], order[distance:]
            way = here[other] - here[one]
            length = numpy.hypot(*way.T)
            short = numpy.maximum(0.0, (radius[one] + radius[other]) * 1.25 + 2 - length)
            is_same = length < 1e-6
            way = numpy.where(is_same[:, None], numpy.array([1.0, 0.0]), way)
            push = way / numpy.where(is_same, 1.0, length)[:, None] * (short / 2)[:, None]
            here[one] -= push * 0.8
            here[other] += push * 0.8
    places[inside] = here


def _ring(places: Floats, alone: Integers, reach: float) -> None:
    """Notes without links stand in rings around the rest, a sunflower where there is no rest."""
    import numpy

    if not alone.size:
        return
    if reach == 0.0:
        places[alone] = _sunflower(numpy.arange(alone.size), SPACING * 0.8) if alone.size > 1 else 0.0
        return
    radius, start = reach + 2 * SPACING, 0
    while start < alone.size:
        room = max(1, int(2 * math.pi * radius / (0.8 * SPACING)))
        rows_left = math.ceil((alone.size - start) / room)
        row = alone[start : start + math.ceil((alone.size - start) / rows_left)]
        angle = 2 * math.pi * numpy.arange(row.size) / row.size
        places[row] = numpy.column_stack((radius * numpy.cos(angle), radius * numpy.sin(angle)))
        start, radius = start + row.size, radius + SPACING
