"""The text of all files in one buffer, in small letters, so that looking for a word is one pass in C."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from attrs import define, field, frozen

from aries_body.index.reading import suffix_of
from aries_body.operations.occurrences import Occurrences
from aries_body.operations.required import TWINS
from aries_body.tree.source import Source, Unreadable, decoded, read_bytes

if TYPE_CHECKING:
    from aries_body.index.project import Project
    from aries_body.operations.wanted import Wanted

__all__ = ["Hits", "Texts"]

_LARGEST = 512 << 20
_LINES_AT_HAND = 64
_OFTEN = 2
"""The search from which on places of words are gathered: a command that looks once does without."""
_SETTLED = 8
"""The share of the buffer that may be outdated before it is made again."""


@frozen(eq=False)
class Hits:
    """Files with a match: how often each has one (or in how many lines, for words and expressions), and its bytes."""

    paths: list[str]
    counts: list[int]
    sizes: list[int]

    def among(self, is_taken: Callable[[str], bool]) -> Hits:
        """Those whose path counts."""
        taken = [number for number, path in enumerate(self.paths) if is_taken(path)]
        columns = [[column[number] for number in taken] for column in (self.counts, self.sizes)]
        return Hits([self.paths[number] for number in taken], *columns)


@define(eq=False)
class Texts:
    """Made when something is first looked for; files that change are kept apart until they are many."""

    project: Project
    note: str = ""
    _buffer: bytes = b""
    _starts: list[int] = field(factory=list)
    _paths: list[str] = field(factory=list)
    _place: dict[str, tuple[int, int]] = field(factory=dict)
    """Where a file begins and ends in the buffer; files that changed since are in `_changed`."""
    _changed: dict[str, bytes] = field(factory=dict)
    _stale: set[str] = field(factory=set)
    _is_made: bool = False
    _times: int = 0
    """How often words were looked for in this buffer."""
    _occurrences: Occurrences | None = None
    _bytes: int = 0
    """Of the files of the buffer that are still as they are there."""
    _is_current: bytearray = field(factory=bytearray)
    """Whether each file of the buffer is still as it is there."""
    _lines: dict[str, list[str]] = field(factory=dict)

    def touch(self, paths: Iterable[str]) -> None:
        """These files may hold another text now, or be gone."""
        for path in paths:
            self._stale.add(path)
            self._lines.pop(path, None)

    def hits(self, wanted: Wanted) -> Hits:
        """Files with a match."""
        self._settle()
        rows = [
            (self._paths[number], count, self._stop(number) - self._starts[number])
            for number, count in self._counts(wanted)
            if count and self._is_current[number]
        ]
        rows += [(path, count, len(data)) for path, data in self._changed.items() if (count := wanted.count_in(data))]
        return Hits(*map(list, zip(*rows, strict=True))) if rows else Hits([], [], [])

    def _counts(self, wanted: Wanted) -> Iterator[tuple[int, int]]:
        """How often files of the buffer have a match; once this was asked for, places of words are gathered."""
        self._times += 1
        if self._occurrences is None and self._times >= _OFTEN:
            self._occurrences = Occurrences.of(self._buffer, self._starts)
        if wanted.pattern is None and self._occurrences is not None:
            found = self._occurrences.by_file(wanted.literal, is_word=wanted.is_word)
            if found is not None:
                return enumerate(found.tolist())
        return (
            (number, wanted.count_in(self._buffer[self._starts[number] : self._stop(number)]))
            for number in self._numbers_to_try(wanted)
        )

    def _numbers_to_try(self, wanted: Wanted) -> Iterable[int]:
        if wanted.pattern is None or not wanted.required:
            return self._with_literal(wanted.literal)
        if self._occurrences is None:
            longest = max(wanted.required, key=len)
            twins = [number for letter in TWINS for number in self._with_literal(letter.encode())]
            return sorted({*self._with_literal(longest), *twins})
        return self._occurrences.files_with(wanted.required, TWINS)

    def _with_literal(self, literal: bytes) -> Iterator[int]:
        """Files that hold it, found by looking; all files for an empty one."""
        position = 0
        while position <= len(self._buffer):
            position = self._buffer.find(literal, position)
            number = bisect_right(self._starts, position) - 1
            if position < 0 or number < 0:
                break
            yield number
            # No literal holds the byte between files, so none runs over the end of one.
            position = self._stop(number) + 1

    def lowered(self, path: str) -> bytes:
        """The text of a file in small letters; empty where it is no text."""
        self._settle()
        if path in self._changed:
            return self._changed[path]
        start, stop = self._place.get(path, (0, 0))
        return self._buffer[start:stop]

    def lines(self, path: str) -> list[str]:
        """The lines of a file as they are written.

        Raises: Unreadable.
        """
        found = self._lines.pop(path, None)
        if found is None:
            found = self.project.text(path).split("\n")
        while len(self._lines) >= _LINES_AT_HAND:
            del self._lines[next(iter(self._lines))]
        self._lines[path] = found
        return found

    def sizes(self) -> tuple[int, int]:
        """How many files there are, and their bytes."""
        self._settle()
        changed = sum(map(len, self._changed.values()))
        return len(self._place) + len(self._changed), self._bytes + changed

    def _stop(self, number: int) -> int:
        following = self._starts[number + 1] if number + 1 < len(self._starts) else len(self._buffer) + 1
        return following - 1

    def _settle(self) -> None:
        if not self._is_made:
            self._make()
        elif self._stale:
            for path in self._stale:
                start, stop = self._place.pop(path, (-1, -1))
                if start >= 0:
                    self._is_current[bisect_right(self._starts, start) - 1] = False
                    self._bytes -= stop - start
                self._changed.pop(path, None)
                data = self._read(path)
                if data is not None:
                    self._changed[path] = data
            self._stale.clear()
            if sum(map(len, self._changed.values())) * _SETTLED > len(self._buffer):
                self._make()

    def _make(self) -> None:
        self._stale.clear()
        parts: list[bytes] = []
        self._starts, self._paths, self._place, self._changed, size = [], [], {}, {}, 0
        self._times, self._occurrences = 0, None
        self.note = ""
        for path in self.project.rows:
            data = self._read(path)
            if data is None:
                continue
            if size + len(data) > _LARGEST:
                self.note = f"only the first {_LARGEST >> 20} MB of the project are searched"
                break
            self._starts.append(size)
            self._paths.append(path)
            self._place[path] = (size, size + len(data))
            parts.append(data)
            size += len(data) + 1
        # A zero byte, which no text holds, keeps files apart.
        self._buffer = b"\0".join(parts)
        self._bytes = sum(map(len, parts))
        self._is_current = bytearray(b"\1" * len(parts))
        self._is_made = True

    def _read(self, path: str) -> bytes | None:
        row = self.project.rows.get(path)
        if row is None or row.skipped:
            return None
        try:
            data = self._source(path).data
        except Unreadable:
            return None
        return data.lower() if data.isascii() else data.decode("utf-8").lower().encode("utf-8")

    def _source(self, path: str) -> Source:
        raw = read_bytes(f"{self.project.root}/{path}", self.project.limits.max_file_bytes)
        return decoded(raw, self.project.packs.encoding(suffix_of(path)))
