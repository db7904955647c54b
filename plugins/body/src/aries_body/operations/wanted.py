"""What a search looks for: a text, a whole word, or a regular expression; never minding the case."""

from __future__ import annotations

import re
from collections.abc import Iterator

from attrs import frozen

from aries_kernel.errors import BadArguments

__all__ = ["Wanted", "wanted"]

_WORD = frozenset(b"abcdefghijklmnopqrstuvwxyz0123456789_") | frozenset(range(128, 256))
"""Bytes of letters, digits and underscores; all letters that are not ASCII are taken for such."""


@frozen
class Wanted:
    """One way to look, for every file."""

    literal: bytes
    """In small letters: what every file with a match holds; empty for a regular expression."""
    pattern: re.Pattern[str] | None = None
    """The regular expression."""
    is_word: bool = False
    """The literal counts only where no letter, digit or underscore stands beside it."""

    @property
    def text(self) -> str:
        """The literal as text."""
        return self.literal.decode("utf-8", "replace")

    def is_in(self, text: str) -> bool:
        """Whether a short text matches."""
        if self.pattern is not None:
            return self.pattern.search(text) is not None
        return next(self._places(text.lower().encode("utf-8", "surrogatepass")), None) is not None

    def is_all_of(self, text: str) -> bool:
        """Whether a short text is what is looked for, and nothing else."""
        if self.pattern is not None:
            return self.pattern.fullmatch(text) is not None
        return self.literal == text.lower().encode("utf-8", "surrogatepass")

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
            is_free = (place == 0 or lowered[place - 1] not in _WORD) and (
                after >= len(lowered) or lowered[after] not in _WORD
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
        return Wanted(b"", re.compile(rf"\b(?:{query})\b" if word else query, re.IGNORECASE | re.MULTILINE))
    except (re.error, OverflowError, RecursionError) as error:
        raise BadArguments(f"{query!r} is no regular expression: {error}.") from error
