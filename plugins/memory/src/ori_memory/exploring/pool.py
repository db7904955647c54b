"""All that an exploration has found so far: each note once, with its best score."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import define, field, frozen

from ori_memory.exploring.exploration import Origin

__all__ = ["Found", "Pool"]


@frozen
class Found:
    path: str
    score: float
    origin: Origin
    """Of the pass that found it first."""
    found_by: str = ""
    snippet: str = ""


@define
class Pool:
    """The first place belongs to the flat pass: what comes later stays below it."""

    notes: dict[str, Found] = field(factory=dict)
    first: str = ""

    def add(self, one: Found) -> bool:
        """Whether the note is new. One that is known keeps its origin and the better of its scores."""
        known = self.notes.get(one.path)
        if known is None:
            self.first = self.first or one.path
            self.notes[one.path] = one
            return True
        if one.score > known.score:
            self.notes[one.path] = Found(one.path, one.score, known.origin, known.found_by, known.snippet)
        return False

    def __iter__(self) -> Iterator[Found]:
        """Best first."""
        ranked = sorted(self.notes.values(), key=lambda one: (-one.score, one.path))
        yield from (one for one in ranked if one.path == self.first)
        yield from (one for one in ranked if one.path != self.first)

    def best(self, count: int) -> list[Found]:
        return [one for _, one in zip(range(count), self, strict=False)]
