"""Full-text search, the telling lines first: definitions, then imports, calls, other uses, and plain text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from attrs import field, frozen

from aries_body.operations.results import Found, Match
from aries_body.operations.scoring import Scores
from aries_body.operations.symbols import Symbols
from aries_body.operations.texts import Texts
from aries_body.operations.view import View
from aries_body.operations.wanted import Wanted
from aries_body.tree.source import Unreadable
from aries_kernel.contracts import Symbol

if TYPE_CHECKING:
    from aries_body.index.project import Project

__all__ = ["Searching"]

_KINDS = ("symbol", "import", "call", "use", "text")
_CALLS = frozenset({"call", "new", "decorator", "jsx"})
_BLOCK = 12
"""Files whose matches are sorted together at first; each further block is twice as large. Pages then fit together."""
_HEAD_LINES = 40
"""A definition's name stands at most so many lines below its first decorator."""
_LONGEST_IMPORT = 100
_SHOWN = 200
_Place = tuple[int, float, str, int]
"""A match as what it is sorted by: place of its kind, score below zero, path, line."""


@frozen
class _Definition:
    """Symbols of one file whose name matches, alike in whether it matches as a whole."""

    path: str
    score: float
    places: list[int]


@frozen
class Searching:
    """One search in one state of the project."""

    project: Project
    texts: Texts
    symbols: Symbols
    view: View
    _split: dict[str, list[bytes]] = field(factory=dict)

    def search(
        self, wanted: Wanted, is_taken: Callable[[str], bool] | None, limit: int | None, offset: int
    ) -> Found[Match]:
        """Matches from `offset` on. `is_taken`: which paths count; None: all."""
        hits = self.texts.hits(wanted)
        if is_taken is not None:
            hits = hits.among(is_taken)
        if not hits.paths:
            return Found(note=self.texts.note)
        scores = Scores.of(wanted, hits, self.texts.sizes(), self.view.importance)
        definitions = self._definitions(wanted, scores)
        end = None if limit is None else offset + limit
        places, total = self._places(wanted, scores, definitions, end), sum(hits.counts)
        rows = list(islice(places, end))
        # A name may be written in another way than it is called: there may be more definitions than matches.
        if sum(len(one.places) for one in definitions) + len(rows) > total:
            total = max(total, len(rows) + sum(1 for _ in places))
        matches = tuple(self._match(row, wanted) for row in rows[offset:])
        return Found(matches, total, self.texts.note)

    def _places(
        self, wanted: Wanted, scores: Scores, definitions: Sequence[_Definition], most: int | None
    ) -> Iterator[_Place]:
        """Definitions wherever they are, then the other matches, a block of files at a time."""
        told: set[tuple[str, int]] = set()
        for one in definitions:
            symbols = self.project.facts(one.path).symbols
            for line in sorted({self._line_of(one.path, symbols[place]) for place in one.places}):
                if (one.path, line) not in told:
                    told.add((one.path, line))
                    yield 0, -one.score, one.path, line
        count, start, size = len(told), 0, _BLOCK
        while (most is None or count < most) and (files := scores.best(start, start + size)):
            block = [
                place
                for score, path in files
                for place in self._of_file(wanted, path, score)
                if (path, place[3]) not in told
            ]
            block.sort()
            count += len(block)
            yield from block
            start, size = start + size, size * 2

    def _definitions(self, wanted: Wanted, scores: Scores) -> list[_Definition]:
        """Exact names first, then by the score of their files."""
        found: dict[tuple[bool, str], list[int]] = {}
        names = self.symbols.names if wanted.pattern is not None else self.symbols.names_with(wanted.text)
        for name in filter(wanted.is_in, names) if wanted.pattern is not None or wanted.is_word else names:
            is_exact = wanted.is_all_of(name)
            for path, places in self.symbols.files_of(name).items():
                if path in scores:
                    found.setdefault((is_exact, path), []).extend(places)
        rows = [(not is_exact, -scores[path], path) for is_exact, path in found]
        rows.sort()
        return [_Definition(path, -score, found[not is_part, path]) for is_part, score, path in rows]

    def _line_of(self, path: str, symbol: Symbol) -> int:
        """The line with the name: a definition begins with its decorators."""
        if symbol.line == symbol.end_line:
            return symbol.line
        wanted = symbol.name.lower().encode("utf-8", "surrogatepass")
        last = min(symbol.end_line, symbol.line + _HEAD_LINES)
        head = self._lines(path)[symbol.line - 1 : last]
        return next((symbol.line + number for number, line in enumerate(head) if wanted in line), symbol.line)

    def _lines(self, path: str) -> list[bytes]:
        if path not in self._split:
            self._split[path] = self.texts.lowered(path).split(b"\n")
        return self._split[path]

    def _of_file(self, wanted: Wanted, path: str, score: float) -> Iterator[_Place]:
        kind_of = self._kinds(path, wanted) if self.project.is_source(path) else {}
        for number in wanted.line_numbers(self.texts.lowered(path)):
            yield _KINDS.index(kind_of.get(number, "text")), -score, path, number

    def _kinds(self, path: str, wanted: Wanted) -> dict[int, str]:
        """What a match on a line is, for the lines on which it is more than text."""
        facts = self.project.facts(path)
        # An expression may match more than the name: then what stands on the line decides.
        is_any = wanted.pattern is not None
        kinds: dict[int, str] = {}
        uses = facts.uses
        named = [is_any or wanted.is_in(one.root) or bool(one.path and wanted.is_in(one.path)) for one in uses.asked]
        if any(named):
            is_call = [one.kind in _CALLS for one in uses.asked]
            for line, ask in zip(uses.lines, uses.asks, strict=True):
                if named[ask]:
                    if is_call[ask]:
                        kinds[line] = "call"
                    else:
                        kinds.setdefault(line, "use")
        imports = [one for one in facts.imports if is_any or any(map(wanted.is_in, (one.module, one.name, one.local)))]
        for line in {one.line for one in imports}:
            kinds.update(dict.fromkeys(_statement(self._lines(path), line), "import"))
        if is_any:
            for symbol in facts.symbols:
                kinds[self._line_of(path, symbol)] = "symbol"
        return kinds

    def _match(self, place: _Place, wanted: Wanted) -> Match:
        kind, score, path, line = place
        try:
            lines = self.texts.lines(path)
        except Unreadable:
            lines = []
        text = lines[line - 1] if line <= len(lines) else ""
        return Match(path, line, cut_around(text, wanted), _KINDS[kind], -score)


def _statement(lines: Sequence[bytes], first: int) -> range:
    """The lines of an import that begins on `first`: up to the end of the bracket it opens."""
    depth = 0
    for number in range(first, min(first + _LONGEST_IMPORT, len(lines) + 1)):
        line = lines[number - 1]
        depth += line.count(b"(") + line.count(b"{") - line.count(b")") - line.count(b"}")
        if depth <= 0:
            return range(first, number + 1)
    return range(first, first + 1)


def cut_around(text: str, wanted: Wanted | None = None) -> str:
    """A line that fits on a screen: its beginning, or the part with the match."""
    if len(text) <= _SHOWN:
        return text
    place = wanted.place_in(text) if wanted is not None else 0
    start = max(0, place - _SHOWN // 3) if place > _SHOWN * 2 // 3 else 0
    end = start + _SHOWN
    return f"{'…' if start else ''}{text[start:end]}{'…' if end < len(text) else ''}"
