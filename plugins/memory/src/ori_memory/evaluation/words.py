"""Words of a text, for baselines and for questions made from notes; not those of our own index."""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Callable, Iterator

from ori_memory.index.words import UNSEGMENTED

__all__ = ["STOP_WORDS", "stemmed_words", "units_of", "words_of"]

# Marks of Latin, Hebrew, Arabic and the scripts of India belong to their words; `\w` alone would cut there.
_MARKS = "\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0900-\u0963\u0966-\u0dff"
_WORD = re.compile(rf"[{UNSEGMENTED}]+|(?:[^\W_{UNSEGMENTED}]|[{_MARKS}])+")
_RUN = re.compile(f"[{UNSEGMENTED}]")

_STOP_LINES = """
a an and are as at be but by did do does for from had has have he her his how i if in into is it its me my no not of on
or our she so such that the their them then there these they this to was we were what when where which who whom whose
why will with would you your
"""
STOP_WORDS = frozenset(_STOP_LINES.split())


def words_of(text: str) -> Iterator[str]:
    """Runs of letters, marks and digits in small letters; of scripts without spaces, overlapping pairs."""
    for found in _WORD.finditer(unicodedata.normalize("NFKC", text).casefold()):
        word = found[0]
        if _RUN.match(word) is None or len(word) == 1:
            yield word
        else:
            yield from (word[place : place + 2] for place in range(len(word) - 1))


def units_of(text: str) -> Iterator[str]:
    """Like `words_of`, but pieces that a person could type: of scripts without spaces, stretches of four signs."""
    for found in _WORD.finditer(unicodedata.normalize("NFKC", text).casefold()):
        word = found[0]
        if _RUN.match(word) is None:
            yield word
        else:
            yield from (word[place : place + 4] for place in range(0, len(word), 4))


def stemmed_words(text: str) -> list[str]:
    """The same without English stop words, words of Latin letters stemmed (Snowball's English, Porter 2)."""
    stem = _stemmer()
    return [stem(word) if word.isascii() else word for word in words_of(text) if word not in STOP_WORDS]


@functools.cache
def _stemmer() -> Callable[[str], str]:
    import snowballstemmer  # type: ignore[import-untyped]  # it ships no types

    made = snowballstemmer.stemmer("english")
    return functools.lru_cache(maxsize=200_000)(made.stemWord)
