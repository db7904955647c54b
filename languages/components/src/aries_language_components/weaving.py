"""A program made of the code in a component, and the way back from it to the component."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from attrs import define, field

if TYPE_CHECKING:
    from aries_language_syntax.text import Text

__all__ = ["Woven"]


@define(eq=False)
class Woven:
    """What is copied stands in lines of its own, so that each line of the program is one of the component."""

    text: Text
    error_line: int = 0
    """The first line that could not be read as markup."""
    module: list[tuple[int, int]] = field(factory=list)
    """Parts of the program that belong to the file rather than to the component."""
    tags: set[int] = field(factory=set)
    """Where names of tags begin in the program."""
    files: list[tuple[int, str]] = field(factory=list)
    """Lines and paths of scripts that stand in a file of their own."""
    _parts: list[bytes] = field(factory=list)
    _size: int = 0
    _lines: list[int] = field(factory=lambda: [1])
    """For each line of the program, that of the component."""
    _starts: list[int] = field(factory=list)
    _spans: list[tuple[int, int]] = field(factory=list)
    """For each copy, its start and end in the component."""

    @property
    def program(self) -> bytes:
        return b"".join(self._parts)

    @property
    def size(self) -> int:
        return self._size

    def say(self, code: bytes) -> None:
        """Adds code that stands nowhere in the component."""
        self._parts.append(code)
        self._size += len(code)

    def copy(self, start: int, end: int, code: bytes | None = None) -> None:
        """Adds what the component says there; `code`: what that means, with as many lines."""
        if code is None:
            code = self.text.source[start:end]
        line = self.text.line(start)
        self.say(b"\n")
        self._starts.append(self._size)
        self._spans.append((start, end))
        self.say(code)
        self.say(b"\n")
        last = line + code.count(b"\n")
        self._lines += [*range(line, last + 1), last]

    def value(self, start: int, end: int, code: bytes | None = None) -> None:
        """A statement of its own; a list takes a comment and `...rest` as well."""
        self.say(b";[")
        self.copy(start, end, code)
        self.say(b"];")

    def tag(self, name: bytes, place: int) -> None:
        """The use of a component as a tag."""
        self.say(b";")
        self.tags.add(self._size + 1)
        self.copy(place, place + len(name), name)
        self.say(b";")

    def broken(self, place: int) -> None:
        """Notes that the component is wrong here."""
        line = self.text.line(place)
        self.error_line = min(self.error_line or line, line)

    def line(self, line: int) -> int:
        """The line of the component for one of the program, from 1."""
        return self._lines[min(line, len(self._lines)) - 1]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where a part of the program stands in the component; what was only said belongs to the copies in it."""
        first = bisect_right(self._starts, start) - 1
        if first < 0 or start >= self._ends(first):
            first += 1
            begin = self._spans[first][0] if first < len(self._spans) else len(self.text.source)
        else:
            begin = self._spans[first][0] + start - self._starts[first]
        last = bisect_right(self._starts, max(end - 1, start)) - 1
        stop = begin
        if last >= 0:
            source_start, source_end = self._spans[last]
            stop = min(source_end, source_start + end - self._starts[last])
        # A copy may stand elsewhere than its neighbours in the program.
        begin = min(begin, len(self.text.source) - 1)
        return begin, max(stop, begin + 1)

    def _ends(self, place: int) -> int:
        start, end = self._spans[place]
        return self._starts[place] + end - start
