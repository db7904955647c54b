"""Full-text search, the telling lines first: definitions, then imports, calls, other uses, and plain text."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from attrs import field, frozen

from aries_body.operations.results import Found, Match
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
_SATURATION, _LENGTH_SHARE = 1.2, 0.75
_HEAD_LINES = 40
"""A definition's name stands at most so many lines below its first decorator."""
_LONGEST_IMPORT = 100
_SHOWN = 200
_OF_TEXT = 0.6
"""What a file counts that is no source."""


@frozen
class _Candidate:
    path: str
    score: float
    numbers: tuple[int, ...] | None
    """Lines with a match, where they are known already."""


@frozen
class Searching:
    """One search in one state of the project."""

    project: Project
    texts: Texts
    symbols: Symbols
    view: View
    _split: dict[str, list[bytes]] = field(factory=dict)

    def search(self, wanted: Wanted, is_taken: Callable[[str], bool], limit: int | None, offset: int) -> Found[Match]:
        """Matches from `offset` on. `is_taken`: which paths count."""
        counted = [one for one in self.texts.containing(wanted.literal) if is_taken(one[0])]
        numbers: dict[str, tuple[int, ...]] = {}
        if wanted.pattern is not None or wanted.is_word:
            found = {path: tuple(wanted.line_numbers(self.texts.lowered(path))) for path, _, _ in counted}
            numbers = {path: lines for path, lines in found.items() if lines}
            counted = [(path, len(numbers[path]), size) for path, _, size in counted if path in numbers]
        if not counted:
            return Found(note=self.texts.note)
        candidates = self._by_score(wanted, counted, numbers)
        end = None if limit is None else offset + limit
        matches = list(self._matches(wanted, candidates, end))
        total = max(sum(count for _, count, _ in counted), len(matches))
        return Found(tuple(self._with_text(one, wanted) for one in matches[offset:end]), total, self.texts.note)

    def _by_score(
        self, wanted: Wanted, counted: list[tuple[str, int, int]], numbers: Mapping[str, tuple[int, ...]]
    ) -> list[_Candidate]:
        files, size = self.texts.sizes()
        mean = max(1.0, size / max(1, files))
        rarity = 0.1 + math.log(1 + (files - len(counted) + 0.5) / (len(counted) + 0.5))
        importance = self.view.importance
        found = []
        for path, count, length in counted:
            stretched = _SATURATION * (1 - _LENGTH_SHARE + _LENGTH_SHARE * length / mean)
            score = rarity * count * (_SATURATION + 1) / (count + stretched) * importance.get(path, _OF_TEXT)
            if wanted.is_in(path):
                name = path.rpartition("/")[2]
                score *= 2.0 if wanted.is_all_of(name.partition(".")[0]) else 1.4
            found.append(_Candidate(path, round(score, 9), numbers.get(path)))
        return sorted(found, key=lambda one: (-one.score, one.path))

    def _matches(self, wanted: Wanted, candidates: list[_Candidate], most: int | None) -> Iterator[Match]:
        """Definitions wherever they are, then the other matches, a block of files at a time."""
        told: set[tuple[str, int]] = set()
        count = start = 0
        for match in self._definitions(wanted, {one.path: one.score for one in candidates}):
            told.add((match.path, match.line))
            count += 1
            yield match
        size = _BLOCK
        while start < len(candidates) and (most is None or count < most):
            block = [
                match
                for one in candidates[start : start + size]
                for match in self._of_file(wanted, one)
                if (match.path, match.line) not in told
            ]
            block.sort(key=lambda one: (_KINDS.index(one.kind), -one.score, one.path, one.line))
            count += len(block)
            yield from block
            start, size = start + size, size * 2

    def _definitions(self, wanted: Wanted, score_of: Mapping[str, float]) -> list[Match]:
        found: list[tuple[bool, Match]] = []
        names = self.symbols.names if wanted.pattern is not None else self.symbols.names_with(wanted.text)
        for name in [one for one in names if wanted.is_in(one)]:
            is_exact = wanted.is_all_of(name)
            for path, places in self.symbols.places(name):
                if path not in score_of:
                    continue
                symbols = self.project.facts(path).symbols
                for place in places:
                    line = self._line_of(path, symbols[place])
                    found.append((not is_exact, Match(path, line, "", "symbol", score_of[path])))
        found.sort(key=lambda one: (one[0], -one[1].score, one[1].path, one[1].line))
        return list(dict.fromkeys(match for _, match in found))

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

    def _of_file(self, wanted: Wanted, candidate: _Candidate) -> Iterator[Match]:
        path = candidate.path
        numbers = candidate.numbers
        if numbers is None:
            numbers = tuple(wanted.line_numbers(self.texts.lowered(path)))
        kind_of = self._kinds(path, wanted) if self.project.is_source(path) else {}
        for number in numbers:
            yield Match(path, number, "", kind_of.get(number, "text"), candidate.score)

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

    def _with_text(self, match: Match, wanted: Wanted) -> Match:
        try:
            lines = self.texts.lines(match.path)
        except Unreadable:
            lines = []
        text = lines[match.line - 1] if match.line <= len(lines) else ""
        return Match(match.path, match.line, cut_around(text, wanted), match.kind, match.score)


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
