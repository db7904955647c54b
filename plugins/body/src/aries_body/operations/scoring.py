"""Which of the files with a match are the most about what is looked for."""

from __future__ import annotations

import math
from collections.abc import Mapping
from heapq import nlargest

from attrs import define, field

from aries_body.operations.texts import Hits
from aries_body.operations.wanted import Wanted

__all__ = ["Scores"]

_SATURATION, _LENGTH_SHARE = 1.2, 0.75
_OF_TEXT = 0.6
"""What a file counts that is no source."""
_DIGITS = 9
_NEAR = 2e-9
"""Scores that are closer may be equal once they are rounded."""


@define(eq=False)
class Scores:
    """BM25 by file, by its rank, and more where its path matches; sorted only as far as one looks."""

    _paths: list[str]
    _values: list[float]
    _number: dict[str, int] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._number = {path: number for number, path in enumerate(self._paths)}

    @classmethod
    def of(cls, wanted: Wanted, hits: Hits, sizes: tuple[int, int], importance: Mapping[str, float]) -> Scores:
        """`sizes`: how many files there are at all, and their bytes."""
        files, size = sizes
        mean = max(1.0, size / max(1, files))
        rarity = 0.1 + math.log(1 + (files - len(hits.paths) + 0.5) / (len(hits.paths) + 0.5))
        values = [
            rarity
            * count
            * (_SATURATION + 1)
            / (count + _SATURATION * (1 - _LENGTH_SHARE + _LENGTH_SHARE * length / mean))
            * importance.get(path, _OF_TEXT)
            for path, count, length in zip(hits.paths, hits.counts, hits.sizes, strict=True)
        ]
        for number in wanted.among(hits.paths):
            name = hits.paths[number].rpartition("/")[2]
            values[number] *= 2.0 if wanted.is_all_of(name.partition(".")[0]) else 1.4
        return cls(hits.paths, values)

    def __contains__(self, path: str) -> bool:
        return path in self._number

    def __getitem__(self, path: str) -> float:
        return round(self._values[self._number[path]], _DIGITS)

    def best(self, start: int, end: int) -> list[tuple[float, str]]:
        """The score and path of those from place `start` on, the best first, then by path."""
        least = min(nlargest(end, self._values), default=0.0) - _NEAR
        rows = [
            (-round(value, _DIGITS), path)
            for path, value in zip(self._paths, self._values, strict=True)
            if value >= least
        ]
        return [(-value, path) for value, path in sorted(rows)[start:end]]
