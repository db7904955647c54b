"""Code as a row of numbers: names, literals and comments are told apart by the lexis of their language."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator
from typing import Final
from zlib import crc32

import attrs

from aries_kernel.contracts.lexis import Lexis

__all__ = ["CONSTANT", "FIRST_NAME", "NUMBER", "TEXT", "Lexer", "Reading", "lexer_of"]

TEXT: Final = 1
NUMBER: Final = 2
CONSTANT: Final = 3
_WORD: Final = 1 << 32
FIRST_NAME: Final = 1 << 34
"""Names have numbers from here on, each its own within one text."""

_CLOSING = frozenset((")", "]", "}"))
_NUMBER = r"\d(?:\w|\.\d|\.(?![\w.])|(?<=[eE])[+-]\d)*|\.\d\w*"


class Lexer:
    """Made once a lexis, by `lexer_of`."""

    def __init__(self, lexis: Lexis) -> None:
        self.lexis = lexis
        self._find = re.compile(_pattern(lexis), re.DOTALL).findall
        comments = [*lexis.line_comments, *(start for start, _ in lexis.block_comments)]
        self._is_comment = re.compile("|".join(map(re.escape, comments)) or r"(?!)").match
        letters = re.escape(lexis.letters)
        self._is_name = re.compile(rf"[^\W\d]|[{letters}]\w" if letters else r"[^\W\d]").match
        self.known = {word: _WORD | crc32(word.encode("utf-8")) for word in lexis.keywords}
        self.known |= dict.fromkeys(lexis.constants, CONSTANT)
        self.contexts = lexis.contexts
        self.dangling = frozenset(lexis.dangling)

    @functools.cached_property
    def stamp(self) -> int:
        """Differs where the lexis does."""
        parts = [sorted(one) if isinstance(one, frozenset) else one for one in attrs.astuple(self.lexis, recurse=False)]
        return crc32(repr(parts).encode("utf-8"))

    def words(self, text: str) -> list[str]:
        """Every word, sign, literal and comment, in order."""
        return self._find(text)

    def reading(self) -> Reading:
        """Where names of one text get their numbers."""
        return Reading(self)

    def codes(self, words: list[str]) -> list[int]:
        """Numbers for the words of one text: see `Reading.codes`."""
        return Reading(self).codes(words)

    def names(self, words: Iterable[str]) -> Iterator[str]:
        """The names among words."""
        return (word for word in words if self.code(word) == FIRST_NAME)

    def literals(self, words: Iterable[str]) -> Iterator[str]:
        """The literals among words."""
        return (word for word in words if self.code(word) in (TEXT, NUMBER))

    def code(self, word: str) -> int:
        """The number of a word; `FIRST_NAME` for every name, 0 for what means nothing."""
        found = self.known.get(word)
        if found is not None:
            return found
        if self._is_name(word) and word[-1] not in "\"'`":
            return FIRST_NAME
        if self._is_comment(word) or word in (";", "\\"):
            return 0
        if self._is_text(word):
            return TEXT
        if word[0].isdigit() or (word[0] == "." and word[1:2].isdigit()):
            return NUMBER
        # What documents a block stands behind the sign that begins it.
        return _WORD | crc32((word[0] if "\n" in word else word).encode("utf-8"))

    def _is_text(self, word: str) -> bool:
        if len(word) < 2 or word[0] == ":":
            return False
        return word[-1] in "\"'`" or (word[0] == "/" and self.lexis.has_patterns) or word.endswith(self._ends)

    @functools.cached_property
    def _ends(self) -> tuple[str, ...]:
        return tuple(end for _, end in self.lexis.raw_strings)


class Reading(dict[str, int]):
    """Numbers of words, each found out once: names get the next one, so that equal names have equal ones."""

    def __init__(self, lexer: Lexer) -> None:
        super().__init__(lexer.known)
        self._lexer = lexer
        self.names: list[str] = []
        self._dangling: set[int] = set()
        self._closing: set[int] = set()

    def codes(self, words: Iterable[str]) -> list[int]:
        """Numbers for words, without those that mean nothing: comments, and commas before a closing bracket."""
        found = [code for code in map(self.__getitem__, words) if code]
        dangling, closing = self._dangling, self._closing
        if not dangling:
            return found
        following = [*found[1:], 0]
        return [
            code for code, after in zip(found, following, strict=True) if code not in dangling or after not in closing
        ]

    def __missing__(self, word: str) -> int:
        code = self._lexer.code(word)
        if code == FIRST_NAME:
            code = FIRST_NAME + len(self.names)
            self.names.append(word)
        elif word in self._lexer.dangling and code:
            self._dangling.add(code)
        elif word in _CLOSING:
            self._closing.add(code)
        self[word] = code
        return code


@functools.cache
def lexer_of(lexis: Lexis) -> Lexer:
    """The lexer of a lexis."""
    return Lexer(lexis)


def _pattern(lexis: Lexis) -> str:
    """Comments, literals, names, signs: the first that fits at a place."""
    prefix = rf"(?:[{re.escape(lexis.prefixes)}]{{1,3}})?" if lexis.prefixes else ""
    long = [rf"{prefix}{re.escape(start)}(?:\\.|(?!{re.escape(end)}).)*{re.escape(end)}" for start, end in
            lexis.long_strings]  # fmt: skip
    short = [rf"{prefix}{quote}(?:\\.|[^\\\n{quote}])*{quote}" for quote in lexis.strings]
    parts = [
        *([rf":(?:[ \t]*(?:#[^\n]*)?\n)+[ \t]*(?:{'|'.join([*long, *short])})[ \t]*(?=[#\n]|\Z)"]
          if lexis.has_docstrings else []),
        *(rf"{re.escape(start)}[^\n]*" for start in lexis.line_comments),
        *(rf"{re.escape(start)}.*?(?:{re.escape(end)}|\Z)" for start, end in lexis.block_comments),
        *(rf"{re.escape(start)}.*?{re.escape(end)}" for start, end in lexis.raw_strings),
        *long,
        *short,
        *([_REGEX] if lexis.has_patterns else []),
        *(rf"{prefix}{one}(?:\\[^\n]{{1,9}}?|[^\\\n{one}]){one}" for one in lexis.characters),
        _NUMBER,
        _name(lexis),
        *(re.escape(one) for one in sorted(lexis.operators, key=len, reverse=True)),
        r"[^\s\w]",
    ]  # fmt: skip
    return "|".join(parts)


def _name(lexis: Lexis) -> str:
    letters = re.escape(lexis.letters)
    return rf"(?:[^\W\d]|[{letters}](?=\w))[\w{letters}]*" if letters else r"[^\W\d]\w*"


_VALUE = r"(?:(?<=[(=,:\[!&|?{};>])|(?<=[(=,:\[!&|?{};>] )|(?<=return )|(?<=^))"
_REGEX = rf"{_VALUE}/(?![/*])(?:\\[^\n]|\[(?:\\[^\n]|[^\]\\\n])*\]|[^/\\\n\[])+/[a-z]*"
