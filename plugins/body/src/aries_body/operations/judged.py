"""What a judgement is asked about, and what it is compared with."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence

from attrs import define, field, frozen

from aries_body.judgement.comparing import Piece, likeness
from aries_body.judgement.consistency import Deviation
from aries_body.judgement.duplicates import LEAST_WORDS, AtHand, Duplicate, find_duplicates, pieces_of
from aries_body.judgement.library import Unit
from aries_body.judgement.similar import NameIndex, by_signature
from aries_body.judgement.snippets import Snippet, read_snippet
from aries_body.judgement.traits import Trait, traits_of
from aries_body.judgement.units import FUNCTIONS, TYPES
from aries_body.operations.paths import UnknownPlace, near_names, near_paths, refuse_left_out, relative
from aries_body.operations.results import SymbolRow
from aries_body.operations.state import State
from aries_body.operations.symbols import last_name, row_of
from aries_body.operations.verdicts import DuplicateRow, Finding, SimilarRow
from aries_body.tree.source import Unreadable
from aries_kernel.contracts import Symbol
from aries_kernel.errors import BadArguments, UserError

__all__ = ["Asked", "Judged", "Subject", "checked_share", "finding_of"]

_NEAR = 24
_NAMES = 60
_FEW = 20
"""Other files of a folder that say what is usual there."""
_ALIKE = 0.5
_LESSER = 0.8
"""What a field or a variable counts beside functions and types."""
_NAME = re.compile(r"[^\s(){}=;,]+")
_WORD = re.compile(r"\w")
_LONGEST_NAME = 500


@frozen(eq=False)
class Subject:
    """A piece of code to look for, and what it is itself."""

    name: str
    piece: Piece
    family: str
    own: tuple[str, int, int] | None = None
    """Its file and bytes, where it is a part of the project."""

    def is_other(self, unit: Unit) -> bool:
        """Whether a unit is neither this piece nor around or in it."""
        if self.own is None or unit.path != self.own[0]:
            return True
        return unit.end <= self.own[1] or self.own[2] <= unit.start


@frozen(eq=False)
class Asked:
    """What definitions are to be like."""

    name: str
    signature: str = ""
    subject: Subject | None = None
    row: SymbolRow | None = None
    """The definition itself, where it is one of the project."""
    note: str = ""


def checked_share(value: object) -> float:
    """A share from 0 to 1. Raises: BadArguments."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise BadArguments(f"threshold is a number from 0 to 1, not {value!r}.")
    return float(value)


def finding_of(one: Deviation) -> Finding:
    """A deviation as it is told."""
    trait, place = one.trait, f"{one.path}:{one.expected.line}"
    aspect = f"{trait.topic}: {trait.subject}"
    return Finding(aspect, _told(trait), _told(one.expected), one.share, one.counted, trait.line, place)


def _told(trait: Trait) -> str:
    return f"{trait.value} ({trait.example})" if trait.example and trait.example != trait.value else trait.value


@define(eq=False, repr=False)
class Judged(State):
    """Finds what is asked about."""

    _name_index: tuple[int, NameIndex] | None = field(default=None, init=False)

    def _names(self) -> NameIndex:
        if self._name_index is None or self._name_index[0] != self.project.generation:
            self._name_index = self.project.generation, NameIndex.of(self._symbols.names)
        return self._name_index[1]

    def _pieces(self, code: str, language: str | None) -> tuple[list[Subject], str]:
        """The pieces that a text, a symbol or a file stands for, and what is to be said of them."""
        if not isinstance(code, str) or not code.strip():
            raise BadArguments("There is no code to look at: give a text, a symbol or a file.")
        if not _is_reference(code):
            read = read_snippet(self._library, code, language)
            family = read.speaker.pack.family
            return [Subject(name, piece, family) for name, piece in read.pieces()], read.note
        name = code.strip()
        rows = self._symbols.find(name)
        if rows:
            return [one for row in rows if (one := self._subject(row)) is not None], ""
        path = relative(name, self.project.root)
        if path in self.project.rows:
            return self._of_file(self._source(name)), ""
        refuse_left_out(path, self.project.skipped)
        near = near_paths(path, self.project.rows) if "/" in name else near_names(last_name(name), self._symbols.names)
        raise UnknownPlace("file or symbol", name, near)

    def _repeated(self, pieces: Sequence[Subject], threshold: float) -> list[tuple[str, Duplicate]]:
        """Units that are like one of the pieces, each with the piece that it is most like."""
        best: dict[Unit, tuple[Subject, Duplicate]] = {}
        told_of: set[tuple[str, int]] = set()
        starts: set[tuple[str, int]] = set()
        at_hand = AtHand(self._library)
        for one in pieces:
            for found in find_duplicates(at_hand, one.piece, one.family, threshold, one.is_other):
                # Two functions of one file that are alike are told of once.
                if (found.unit.path, found.unit.start) in told_of:
                    continue
                if found.unit not in best or best[found.unit][1].similarity < found.similarity:
                    best[found.unit] = one, found
                    starts.add((found.unit.path, found.unit.start))
            if one.own is not None and one.own[:2] not in starts:
                told_of.add(one.own[:2])
        return [(one.name, found) for one, found in _once_a_place(best.values())]

    def _of_file(self, path: str) -> list[Subject]:
        profile, symbols = self._library.profiles()[path], self.project.facts(path).symbols
        rows = zip(profile.places, profile.spans, profile.sizes, strict=True)
        units, family = [Unit(path, place, *span, size) for place, span, size in rows], self._library.family(path)
        return [
            Subject(symbols[unit.place].qualified, piece, family, (path, unit.start, unit.end))
            for unit, piece in pieces_of(self._library, units)
        ]

    def _subject(self, row: SymbolRow) -> Subject | None:
        """The code of a definition; None where it went since the last look."""
        symbol = self._definition(row)
        unit = Unit(row.path, 0, symbol.start, symbol.end, 0)
        read = pieces_of(self._library, [unit])
        if not read:
            return None
        return Subject(row.name, read[0][1], self._library.family(row.path), (row.path, symbol.start, symbol.end))

    def _definition(self, row: SymbolRow) -> Symbol:
        symbols = self.project.facts(row.path).symbols
        return next(one for one in symbols if one.qualified == row.name and one.line == row.line)

    def _asked(self, code: str, language: str | None) -> Asked:
        if not isinstance(code, str) or not code.strip():
            raise BadArguments("There is nothing to compare: give code or a name.")
        if _is_reference(code):
            rows = self._symbols.find(code.strip())
            if not rows:
                known = "no definition is called so; names and words alone were compared"
                return Asked(last_name(code), note=known)
            row = rows[0]
            return Asked(last_name(row.name), row.signature, self._subject(row), row)
        read = read_snippet(self._library, code, language)
        name, piece = read.pieces()[0]
        symbol = next((one for one in read.facts.symbols if one.qualified == name), None)
        if symbol is None and read.facts.symbols:
            symbol = read.facts.symbols[0]
        subject = Subject(name, piece, read.speaker.pack.family)
        bare = (symbol.name, symbol.signature) if symbol is not None else ("", "")
        return Asked(*bare, subject, note=read.note)

    def _near(self, asked: Asked) -> list[tuple[SymbolRow, Piece | None]]:
        """Definitions worth a closer look, with their code where that is to be compared."""
        found: dict[tuple[str, str], tuple[SymbolRow, Piece | None]] = {}
        if asked.subject is not None:
            for unit, piece in self._likest(asked.subject.piece, asked.subject.family):
                row = self._row(unit)
                found[row.path, row.name] = row, piece
        of_unit: dict[Unit, SymbolRow] = {}
        for name in self._names().near(asked.name, _NAMES):
            for path, places in self._symbols.places(name)[:_NEAR]:
                symbols = self.project.facts(path).symbols
                for row in self._symbols.rows(path, [symbols[place] for place in places]):
                    if (row.path, row.name) not in found and len(found) < 4 * _NAMES:
                        found[row.path, row.name] = row, None
                        if asked.subject is not None and row.kind in FUNCTIONS:
                            symbol = self._definition(row)
                            of_unit[Unit(path, 0, symbol.start, symbol.end, 0)] = row
        for unit, piece in pieces_of(self._library, list(of_unit)):
            row = of_unit[unit]
            found[row.path, row.name] = row, piece
        own = (asked.row.path, asked.row.name) if asked.row is not None else None
        return [one for key, one in found.items() if key != own]

    def _similar(self, asked: Asked, row: SymbolRow, piece: Piece | None) -> SimilarRow:
        names = self._names().likeness(asked.name, last_name(row.name)) if asked.name else 0.0
        head = by_signature(asked.signature, row.signature) if asked.signature else None
        form = None
        if asked.subject is not None and piece is not None and min(asked.subject.piece.size, piece.size) >= LEAST_WORDS:
            form = likeness(asked.subject.piece, piece).form
        parts = [(names, 2.0)] if asked.name else []
        parts += [(head, 1.0)] if head is not None else []
        parts += [(form, 2.0)] if form is not None else []
        score = sum(value * weight for value, weight in parts) / (sum(weight for _, weight in parts) or 1.0)
        if row.kind not in FUNCTIONS | TYPES:
            score *= _LESSER
        return SimilarRow(
            row.path, row.line, row.end_line, row.kind, row.name, row.signature,
            round(score, 4), round(names, 4), head if head is None else round(head, 4),
            form if form is None else round(form, 4),
        )  # fmt: skip

    def _likest(self, piece: Piece, family: str) -> list[tuple[Unit, Piece]]:
        near = self._library.candidates(piece, family, _NEAR)
        return pieces_of(self._library, [one.unit for one in near])

    def _alike(self, read: Snippet) -> dict[str, tuple[float, str]]:
        """Files with code like that of a snippet: how much, and its name."""
        found: dict[str, tuple[float, str]] = {}
        for _, piece in read.pieces()[:5]:
            for unit, other in self._likest(piece, read.speaker.pack.family):
                value = likeness(piece, other).form
                if value >= _ALIKE and value > found.get(unit.path, (0.0, ""))[0]:
                    found[unit.path] = value, self._row(unit).name
        return found

    def _row(self, unit: Unit) -> SymbolRow:
        return row_of(unit.path, [self.project.facts(unit.path).symbols[unit.place]])

    def _duplicate(self, name: str, one: Duplicate) -> DuplicateRow:
        row = self._row(one.unit)
        return DuplicateRow(
            row.path, row.line, row.end_line, row.kind, row.name, round(one.similarity, 4), one.relation,
            round(one.likeness.form, 4), round(one.likeness.names, 4), name,
        )  # fmt: skip

    def _code(self, text: str, language: str | None) -> Snippet | None:
        """The text as code; None where it is a description."""
        if language is None and "\n" not in text.strip() and not re.search(r"[({;=]", text):
            return None
        try:
            read = read_snippet(self._library, text, language)
        except UserError:
            if language is not None:
                raise
            return None
        is_code = bool(read.facts.symbols) and not read.facts.error_line
        return read if is_code or language is not None else None

    def _traits(self, read: Snippet, own: Sequence[str]) -> list[Trait]:
        """What a snippet shows, without what the definition of its name in the file shows too."""
        lexer = read.speaker.lexer
        found = list(traits_of(read.text, dict.fromkeys(lexer.words(read.text)), read.facts, lexer.lexis))
        if not own:
            return found
        names = {one.name for path in own for one in self.project.facts(path).symbols}
        return [one for one in found if not (one.topic in ("naming", "docs", "types") and one.example in names)]

    def _holds(self, path: str, snippet: str) -> bool:
        """Whether a file has these very lines; the first and the last may be parts of lines."""
        first, *middle = [line.strip() for line in snippet.strip().splitlines()]
        last = middle.pop() if middle else ""
        try:
            lines = [line.strip() for line in self._texts.lines(path)]
        except Unreadable:
            return False
        if not last:
            return any(first in line for line in lines)
        places = (place + 1 for place, line in enumerate(lines) if line.endswith(first))
        return any(
            lines[place : place + len(middle)] == middle
            and lines[place + len(middle) : place + len(middle) + 1]
            and lines[place + len(middle)].startswith(last)
            for place in places
        )

    def _around(self, own: Sequence[str], files: Sequence[str]) -> Iterable[str]:
        """Files that say what is usual near a place: those beside it, tied ones, those around its folder."""
        if not own:
            return files
        graph, path = self._view.graph, own[0]
        number = graph.number[path]
        is_test = number in graph.tests
        tied = sorted({*graph.leading[number], *graph.incoming.get(number, ())})
        folder = path.rpartition("/")[0]
        beside = [one for one in self.project.sources if one.rpartition("/")[0] == folder]
        above = folder.rpartition("/")[0]
        wider = [one for one in self.project.sources if one.startswith(f"{above}/" if above else "")]
        found = dict.fromkeys([*beside[:_FEW], *(graph.paths[one] for one in tied[:_FEW])])
        if len(found) < _FEW:
            found.update(dict.fromkeys(wider[:_FEW]))
        return [one for one in found if one != path and (graph.number[one] in graph.tests) == is_test]

    def _is_place(self, text: str) -> bool:
        path = relative(text, self.project.root) if "/" in text or "." in text or text in self.project.rows else text
        return any(sign in text for sign in "*?[") or any(
            not path or one == path or one.startswith(f"{path}/") for one in self.project.rows
        )


def _once_a_place(found: Iterable[tuple[Subject, Duplicate]]) -> list[tuple[Subject, Duplicate]]:
    """Of units that lie in each other, the one that has most in common with what it is like."""
    rows = sorted(found, key=lambda row: (-row[0].piece.size * row[1].likeness.form, row[1].unit))
    kept: dict[str, list[tuple[Subject, Duplicate]]] = {}
    taken: dict[str, list[tuple[int, int]]] = {}
    for row in rows:
        unit = row[1].unit
        spans = taken.setdefault(unit.path, [])
        # Spans lie apart from each other and in order: only the two beside this one can meet it.
        place = bisect_left(spans, (unit.start, unit.end))
        is_clear = (not place or spans[place - 1][1] <= unit.start) and (
            place == len(spans) or unit.end <= spans[place][0]
        )
        if is_clear:
            spans.insert(place, (unit.start, unit.end))
            kept.setdefault(unit.path, []).append(row)
    return [row for there in kept.values() for row in there]


def _is_reference(text: str) -> bool:
    """Whether a text can only be a name or a path."""
    bare = text.strip()
    return (
        len(bare) <= _LONGEST_NAME
        and "\n" not in bare
        and _NAME.fullmatch(bare) is not None
        and _WORD.search(bare) is not None
    )
