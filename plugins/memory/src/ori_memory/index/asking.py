"""A person's words as a question to FTS5; nothing they can type is syntax."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator

from ori_memory.index.irregular import regular
from ori_memory.index.words import inner_words, is_unsegmented, spread

__all__ = ["all_words", "any_of", "any_word", "inside", "inside_any", "phrase", "words_of"]

_PIECE = re.compile(r'"([^"]+)"|([^\s"]+)')
_TOKEN = re.compile(r"[^\W_]")
_MOST_PIECES = 48
"""A pasted page is a question too; SQLite's parser and the person's time have limits."""
_LONGEST_PIECE = 200
_LONGEST_QUESTION = 4000


def all_words(query: str) -> str | None:
    """Notes that hold every piece of `query`, each as a phrase. None where it holds nothing to look for."""
    phrases = [_phrase(spread(piece)) for piece in _pieces(query)]
    return " AND ".join(phrases) or None


def any_word(query: str) -> str | None:
    """Notes that hold any word of `query`. None where it holds nothing to look for."""
    words = [word for piece in _pieces(query) for word in _single_words(spread(piece))]
    return " OR ".join(map(_phrase, dict.fromkeys(words[: 2 * _MOST_PIECES]))) or None


def phrase(name: str) -> str | None:
    """Notes that hold the words of `name` one after the other. None where it has no words."""
    text = spread(_clean(name))
    return _phrase(text) if _words(text) else None


def inside(query: str) -> str | None:
    """Words that hold every word of `query` within them, asked of `pieces`. None where none has three characters."""
    words = [word[:_LONGEST_PIECE] for word in inner_words(_clean(query))[:_MOST_PIECES]]
    return " AND ".join(map(_quoted, words)) or None


def words_of(text: str) -> list[str]:
    """The words of a question as the word index has them, in small letters, in their order."""
    spread_out = spread(_clean(text[:_LONGEST_QUESTION])).lower()
    parted = "".join([sign if unicodedata.category(sign)[0] in "LNM" else " " for sign in spread_out])
    return list(_single_words(parted))


def any_of(words: Iterable[str]) -> str | None:
    """Notes that hold any of these words; one that ends in `*` stands for all that begin so. None without words."""
    asked = [
        _quoted(word[:-1]) + "*" if word.endswith("*") and len(word) > 1 else _phrase(word)
        for word in map(_clean, words)
        if _TOKEN.search(word)
    ]
    return " OR ".join(dict.fromkeys(asked)) or None


def inside_any(words: Iterable[str]) -> str | None:
    """Words that hold a three-letter piece of `words`, asked of `pieces`. None where none has three characters."""
    pieces = [word[place : place + 3] for word in map(_clean, words) for place in range(len(word) - 2)]
    return " OR ".join(map(_quoted, dict.fromkeys(pieces))) or None


def _pieces(query: str) -> Iterator[str]:
    found = (one or other for one, other in _PIECE.findall(_clean(query)))
    taken = [piece for piece in found if _words(spread(piece))]
    yield from taken[:_MOST_PIECES]


def _words(text: str) -> list[str]:
    return [word for word in text.split() if _TOKEN.search(word)]


def _single_words(text: str) -> Iterator[str]:
    before = ""
    for word in _words(text):
        is_tail = len(word) == 1 and len(before) == 2 and before[1] == word and is_unsegmented(word)
        if not is_tail:
            yield word
        before = word


def _phrase(text: str) -> str:
    words = _words(text)
    if len(words) > 1 and len(words[-1]) == 1 and is_unsegmented(words[-1]):
        words.pop()  # The lone last character of a run; its pair says it already.
    quoted = _quoted(regular(" ".join(words)))
    return quoted + "*" if len(words) == 1 and len(words[0]) == 1 and is_unsegmented(words[0]) else quoted


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def _clean(query: str) -> str:
    return query.replace("\0", " ").encode("utf-8", "replace").decode("utf-8")
