"""Stretches of a text."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator

__all__ = ["Spans"]


class Spans:
    """Sorted stretches of a text that do not touch each other."""

    __slots__ = ("ends", "starts")

    def __init__(self, spans: Iterable[tuple[int, int]] = ()) -> None:
        self.starts: list[int] = []
        self.ends: list[int] = []
        last = -1
        for start, end in sorted(spans):
            if start > last:
                self.starts.append(start)
                self.ends.append(end)
                last = end
            elif end > last:
                self.ends[-1] = last = end

    def __bool__(self) -> bool:
        return bool(self.starts)

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return iter(zip(self.starts, self.ends, strict=True))

    def covers(self, offset: int) -> bool:
        """Whether the character at `offset` is within one of them."""
        index = bisect_right(self.starts, offset) - 1
        return index >= 0 and offset < self.ends[index]

    def end_of(self, offset: int) -> int:
        """The end of the stretch that covers `offset`; `offset` itself where none does."""
        index = bisect_right(self.starts, offset) - 1
        return self.ends[index] if index >= 0 and offset < self.ends[index] else offset
