"""Where names stand in the code of a file: texts, comments and imports blanked, one pass of one pattern."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from itertools import chain, repeat
from operator import itemgetter
from typing import TYPE_CHECKING

from attrs import define, field

if TYPE_CHECKING:
    from aries_language_python.grammar import Marks

__all__ = ["Scan", "code_of", "scan", "super_uses"]

_TAIL = rb"[\w\x80-\xff]*+"
_FIRST = rb"[A-Za-z_\x80-\xff]"
_USE = re.compile(
    # The first letter before what must not stand before it: the search then jumps from letter to letter.
    rb"(" + _FIRST + rb"(?<![\w.\x80-\xff].)" + _TAIL + rb")((?:\." + _FIRST + _TAIL + rb")*+)"
    rb"[ \t]*+(==?|[(\[\"']?+)",
    re.DOTALL,
)
_SUPER = re.compile(rb"super(?<![\w.\x80-\xff]super)\([^()\n]*\)\.(" + _FIRST + _TAIL + rb")")


_START, _WRITTEN, _FOLLOWS = re.Match.start, itemgetter(0), itemgetter(3)
_FIRST_OF, _LAST_OF = itemgetter(0), itemgetter(1)


@define
class Scan:
    """Uses of names that may mean something, in the order of the text."""

    found: list[re.Match[bytes]]
    """With the name, the names behind it, each after its dot, and what follows: `(`, `=`, `==`, `[`, a quote or
    nothing."""
    starts: list[int] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.starts = list(map(_START, self.found))

    @property
    def written(self) -> list[bytes]:
        """The uses with what follows them."""
        return list(map(_WRITTEN, self.found))

    def followed_by(self, signs: Collection[bytes]) -> list[int]:
        """Places of the uses that one of the signs follows."""
        return [place for place, one in enumerate(map(_FOLLOWS, self.found)) if one in signs]

    def ranges(self, spans: Sequence[tuple[int, ...]]) -> Iterator[range]:
        """For each span, by its first two figures, the places of the uses that begin in it."""
        firsts = map(bisect_left, repeat(self.starts), map(_FIRST_OF, spans))
        return map(range, firsts, map(bisect_left, repeat(self.starts), map(_LAST_OF, spans)))

    def inside(self, spans: Sequence[tuple[int, ...]]) -> Iterator[int]:
        """Places of the uses that begin in one of the spans."""
        return chain.from_iterable(self.ranges(spans))

    def at(self, start: int) -> int:
        """The place of the use that begins there; -1 for none."""
        place = bisect_left(self.starts, start)
        return place if place < len(self.starts) and self.starts[place] == start else -1


def scan(code: bytes, names: Collection[bytes]) -> Scan:
    """Uses whose first name is one of `names`."""
    return Scan([one for one in _USE.finditer(code) if one[1] in names])


def super_uses(code: bytes) -> list[tuple[int, bytes]]:
    """Where something is asked of `super()`, and what."""
    if b"super(" not in code:
        return []
    return [(one.start(), one[1]) for one in _SUPER.finditer(code)]


def code_of(marks: Marks) -> bytes:
    """The source with texts, comments and import statements blanked, so that every name in it is one of the code.

    Texts within annotations stay: they are types whose names come later in the file.
    """
    code = bytearray(marks.source)
    strings = marks.spans("string")
    starts = [start for start, _ in strings]
    kept = {
        place
        for first, last in marks.spans("type")
        for place in range(bisect_left(starts, first), bisect_left(starts, last))
    }
    blank = [span for place, span in enumerate(strings) if place not in kept] if kept else strings
    for spans in (blank, *map(marks.spans, ("comment", "import", "future", "outer"))):
        for start, end in spans:
            code[start:end] = b" " * (end - start)
    return bytes(code)
