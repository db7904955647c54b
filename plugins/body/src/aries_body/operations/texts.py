"""The text of all files in one buffer, in small letters, so that looking for a word is one pass in C."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from attrs import define, field

from aries_body.index.reading import suffix_of
from aries_body.operations.words import Words
from aries_body.tree.source import Source, Unreadable, decoded, read_bytes

if TYPE_CHECKING:
    from aries_body.index.project import Project

__all__ = ["Texts"]

_LARGEST = 512 << 20
_LINES_AT_HAND = 64
_OFTEN = 20
"""Searches after which gathering words has cost less than going on without them would."""
_SETTLED = 8
"""The share of the buffer that may be outdated before it is made again."""


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
    _words: Words | None = None
    _lines: dict[str, list[str]] = field(factory=dict)

    def touch(self, paths: Iterable[str]) -> None:
        """These files may hold another text now, or be gone."""
        for path in paths:
            self._stale.add(path)
            self._lines.pop(path, None)

    def containing(self, word: bytes) -> Iterator[tuple[str, int, int]]:
        """Files with `word` (in small letters), how often they have it, and their size. An empty word: all files."""
        self._settle()
        for first, last in self._stretches(word):
            yield from self._found_between(word, first, last)
        for path, data in list(self._changed.items()):
            count = data.count(word) if word else 1
            if count:
                yield path, count, len(data)

    def _stretches(self, word: bytes) -> Iterator[tuple[int, int]]:
        """Where it is worth looking: once that was done often, words are gathered, and few stretches are left."""
        if not word:
            return iter([(0, len(self._buffer))])
        self._times += 1
        if self._words is None and self._times > _OFTEN:
            self._words = Words.of(self._buffer, self._starts)
        return iter([(0, len(self._buffer))]) if self._words is None else self._words.stretches_with(word)

    def _found_between(self, word: bytes, position: int, last: int) -> Iterator[tuple[str, int, int]]:
        buffer = self._buffer
        while position < last:
            position = buffer.find(word, position, last)
            if position < 0:
                break
            number = bisect_right(self._starts, position) - 1
            path = self._paths[number]
            start, stop = self._starts[number], self._stop(number)
            if self._place.get(path) == (start, stop):
                yield path, buffer.count(word, start, stop) if word else 1, stop - start
            # No word holds the byte between files, so none runs over the end of one.
            position = stop + 1

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
        return len(self._place) + len(self._changed), sum(b - a for a, b in self._place.values()) + changed

    def _stop(self, number: int) -> int:
        following = self._starts[number + 1] if number + 1 < len(self._starts) else len(self._buffer) + 1
        return following - 1

    def _settle(self) -> None:
        if not self._is_made:
            self._make()
        elif self._stale:
            for path in self._stale:
                self._place.pop(path, None)
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
        self._times, self._words = 0, None
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
