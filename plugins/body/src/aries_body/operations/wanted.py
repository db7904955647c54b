"""What a search looks for: a text, a whole word, or a regular expression; never minding the case."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from attrs import frozen

from aries_body.operations.postings import LETTERS
from aries_body.operations.required import required_by
from aries_kernel.errors import BadArguments

__all__ = ["Wanted", "wanted"]


@frozen
class Wanted:
    """One way to look, for every file."""

    literal: bytes
    """In small letters: what every file with a match holds; empty for a regular expression."""
    pattern: re.Pattern[str] | None = None
    """The regular expression."""
    is_word: bool = False
    """The literal counts only where no letter, digit or underscore stands beside it."""
    required: tuple[bytes, ...] = ()
    """What a file without `TWINS` has to hold to match the expression."""

    @property
    def text(self) -> str:
        """The literal as text."""
        return self.literal.decode("utf-8", "surrogatepass")

    def is_in(self, text: str) -> bool:
        """Whether a short text matches."""
        if self.pattern is not None:
            return self.pattern.search(text) is not None
        return next(self._places(text.lower().encode("utf-8", "surrogatepass")), None) is not None

    def among(self, texts: Sequence[str]) -> Iterator[int]:
        """Places of short texts that match."""
        if self.pattern is not None:
            return (number for number, text in enumerate(texts) if self.is_in(text))
        # At once, as there may be tens of thousands; a zero byte keeps them apart, which no path or name holds.
        lowered, wanted = "\0".join(texts).lower().split("\0"), self.text
        found = [number for number, text in enumerate(lowered) if wanted in text]
        return (number for number in found if not self.is_word or self.is_in(texts[number]))

    def is_all_of(self, text: str) -> bool:
        """Whether a short text is what is looked for, and nothing else."""
        if self.pattern is not None:
            return self.pattern.fullmatch(text) is not None
        return self.literal == text.lower().encode("utf-8", "surrogatepass")

    def count_in(self, lowered: bytes) -> int:
        """How often a text has the literal; in how many lines, for words and expressions."""
        if self.pattern is not None or self.is_word:
            return len(self.line_numbers(lowered))
        return lowered.count(self.literal)

    def place_in(self, line: str) -> int:
        """Where in a line the match begins; 0 where there is none."""
        if self.pattern is not None:
            found = self.pattern.search(line)
            return found.start() if found is not None else 0
        return max(0, line.lower().find(self.text))

    def line_numbers(self, lowered: bytes) -> list[int]:
        """Lines with a match, from 1."""
        numbers: list[int] = []
        line, counted, following = 1, 0, 0
        if self.pattern is not None:
            text = lowered.decode("utf-8", "replace")
            for found in self.pattern.finditer(text):
                line += text.count("\n", counted, found.start())
                counted = found.start()
                if not numbers or numbers[-1] != line:
                    numbers.append(line)
            return numbers
        for place in self._places(lowered):
            if place < following:
                continue
            line += lowered.count(b"\n", counted, place)
            numbers.append(line)
            counted = place
            following = lowered.find(b"\n", place)
            if following < 0:
                break
        return numbers

    def _places(self, lowered: bytes) -> Iterator[int]:
        literal, size = self.literal, len(self.literal)
        place = lowered.find(literal)
        while place >= 0:
            after = place + size
            is_free = (place == 0 or lowered[place - 1] not in LETTERS) and (
                after >= len(lowered) or lowered[after] not in LETTERS
            )
            if is_free or not self.is_word:
                yield place
            place = lowered.find(literal, place + 1)


def wanted(query: object, *, regex: bool, word: bool) -> Wanted:
    """How to look for `query`.

    Raises: BadArguments for an empty query, several lines, or an expression that is none.
    """
    if not isinstance(query, str) or not query.strip():
        raise BadArguments("A search needs a text to look for.")
    if "\n" in query or "\0" in query:
        raise BadArguments("A search looks within lines; give one line of text.")
    if not regex:
        return Wanted(query.lower().encode("utf-8", "surrogatepass"), is_word=word)
    try:
        pattern = re.compile(rf"\b(?:{query})\b" if word else query, re.IGNORECASE | re.MULTILINE)
        return Wanted(b"", pattern, required=required_by(query))
    except (re.error, OverflowError, RecursionError) as error:
        raise BadArguments(f"{query!r} is no regular expression: {error}.") from error
