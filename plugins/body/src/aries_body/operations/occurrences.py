"""How often a literal is in each file of a long text, from the places of its words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from attrs import frozen

from aries_body.operations.postings import IS_LETTER, LETTERS, Postings, Words, apart

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[Any]

__all__ = ["Occurrences"]

_STRETCH = 1 << 22
_WORD = re.compile(b"[%s]+" % re.escape(bytes(sorted(LETTERS))))


@frozen
class _Part:
    """One word of a literal, and what the words of a text are that it can stand for."""

    text: bytes
    start: int
    is_begun: bool
    is_ended: bool

    def words_in(self, one: Postings) -> Words:
        return one.holding(self.text, is_begun=self.is_begun, is_ended=self.is_ended)


@frozen(eq=False)
class Occurrences:
    """Of a text in small letters, whose files are kept apart by a zero byte."""

    _text: bytes
    _starts: Numbers
    _postings: tuple[Postings, ...]

    @classmethod
    def of(cls, text: bytes, starts: Sequence[int]) -> Occurrences:
        """`starts`: where files begin."""
        import numpy

        cuts: list[int] = []
        for number, start in enumerate(starts):
            if not cuts or start - starts[cuts[-1]] >= _STRETCH:
                cuts.append(number)
        ends = [*starts, len(text)]
        stretches = [(first, last) for first, last in zip(cuts, [*cuts[1:], len(starts)], strict=True)]
        return cls(
            text,
            numpy.array(starts, "i8"),
            tuple(Postings.of(text, ends[first : last + 1], first) for first, last in stretches),
        )

    def by_file(self, literal: bytes, *, is_word: bool) -> Numbers | None:
        """How often each file has the literal, or in how many of its lines as a word; None for one without a word."""
        parts = list(_parts(literal, is_word))
        if not parts:
            return None
        if parts[0].text == literal:
            return self._of_word(parts[0], is_lines=is_word)
        places = self._of_phrase(literal, parts)
        return self._of_places(places, literal, is_word=is_word)

    def files_with(self, literals: Iterable[bytes], twins: str) -> list[int]:
        """Files that may have all of these, or that have one of the letters `twins`."""
        import numpy

        may = numpy.ones(len(self._starts), "?")
        for literal in literals:
            found = self.by_file(literal, is_word=False)
            if found is not None:
                may &= found > 0
        for letter in twins:
            found = self.by_file(letter.encode(), is_word=False)
            if found is not None:
                may |= found > 0
        numbers: list[int] = numpy.flatnonzero(may).tolist()
        return numbers

    def _of_word(self, part: _Part, *, is_lines: bool) -> Numbers:
        import numpy

        files = len(self._starts)
        found = numpy.zeros(files)
        for one in self._postings:
            words = part.words_in(one)
            if len(words.numbers):
                found += one.by_file(words, files, is_lines=is_lines)
        return found.astype("i8")

    def _of_phrase(self, literal: bytes, parts: Sequence[_Part]) -> Numbers:
        """All places of a literal, overlapping ones too: those of its rarest word, beside which the rest stands."""
        import numpy

        text = numpy.frombuffer(self._text, "u1")
        found = []
        for one in self._postings:
            rarest, words = min(((part, part.words_in(one)) for part in parts), key=lambda pair: one.count(pair[1]))
            back: Numbers | int = rarest.start
            if not rarest.is_begun:
                # A word that ends in the part: the literal begins within it.
                back = len(rarest.text) - one.lengths(words)
            places = one.places(words, back) if len(words.numbers) else numpy.zeros(0, "i8")
            places = places[(places >= 0) & (places + len(literal) <= len(text))]
            for number, letter in enumerate(literal):
                if not rarest.start <= number < rarest.start + len(rarest.text) and len(places):
                    places = places[text[places + number] == letter]
            found.append(places)
        return numpy.concatenate(found)

    def _of_places(self, places: Numbers, literal: bytes, *, is_word: bool) -> Numbers:
        import numpy

        places = self._alone(places, len(literal)) if is_word else apart(places, len(literal))
        files = numpy.searchsorted(self._starts, places, side="right") - 1
        if is_word and len(places):
            files = files[self._are_first(places, files)]
        found: Numbers = numpy.bincount(files, minlength=len(self._starts))
        return found

    def _alone(self, places: Numbers, size: int) -> Numbers:
        """Places that have no letter, digit or underscore before or behind them."""
        import numpy

        text, is_letter = numpy.frombuffer(self._text, "u1"), numpy.frombuffer(IS_LETTER, "?")
        places = places[(places == 0) | ~is_letter[text[places - 1]]]
        ends = numpy.minimum(places + size, len(text) - 1)
        alone: Numbers = places[(places + size == len(text)) | ~is_letter[text[ends]]]
        return alone

    def _are_first(self, places: Numbers, files: Numbers) -> Numbers:
        """Whether each place is the first one on its line."""
        import numpy

        is_first = numpy.ones(len(places), "?")
        near = numpy.flatnonzero(files[1:] == files[:-1])
        for number, place, following in zip(
            near.tolist(), places[near].tolist(), places[near + 1].tolist(), strict=True
        ):
            is_first[number + 1] = self._text.find(b"\n", place, following) >= 0
        return is_first


def _parts(literal: bytes, is_word: bool) -> Iterator[_Part]:
    for found in _WORD.finditer(literal):
        start, end = found.span()
        yield _Part(found[0], start, is_word or start > 0, is_word or end < len(literal))
