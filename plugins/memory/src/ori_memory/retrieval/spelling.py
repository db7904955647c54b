"""Words of a question that no note holds, read as the words that notes hold."""

from __future__ import annotations

import re
from collections.abc import Iterable

from aries_kernel.values import frozen
from ori_memory.retrieval.corpus import IndexCorpus
from ori_memory.retrieval.function_words import ASKING, ENGLISH
from ori_memory.retrieval.question import QUOTED

__all__ = ["Reading", "read_as"]

_MARKS = "\u0300-\u036f"
"""Accents that stand by themselves, behind the letter that they belong to."""
_WORD = re.compile(rf"(?<![\w#@/.:{_MARKS}-])[^\W\d_]{{5,24}}(?![\w/:@'’{_MARKS}-]|\.\w|\()")
"""Words of a sentence; not parts of names, paths and addresses, which are typed as they are meant.

Those of four letters have a neighbour in every vault: `viel` is no `veil`, `Voss` no `vos`.
"""
_LETTERS = ("abcdefghijklmnopqrstuvwxyz", "абвгдежзийклмнопрстуфхцчшщъыьэюяёіїєґ", "αβγδεζηθικλμνξοπρστυφχψως")
_VOWELS = "aeiouy"
_DOUBLED = 6
"""Letters of a word from which on one of two may be too much, or too few: `hatte` is no `hate`, `Trapp` no `trap`."""
_LONG = 7
"""Letters of a word from which on one may be missing: shorter ones are too near to words that are right."""
_PART = 3
"""Letters of the shortest of two words that were typed as one."""
_MOST = 3
"""Words of one question: where more are unknown it is about something else, or in another language."""


@frozen
class Reading:
    """A question as its words were read."""

    text: str
    instead: tuple[tuple[str, str], ...] = ()
    """What was typed, with what was read."""

    @property
    def notice(self) -> str:
        """What the person should know of it; empty where it was read as typed."""
        told: dict[str, str] = {}
        for typed, read in self.instead:
            told.setdefault(typed.lower(), f'no note holds "{typed}", it was read as "{read}"')
        return "; ".join(told.values()) + ("; in quotes it is taken as it is" if told else "")


def read_as(text: str, corpus: IndexCorpus) -> Reading:
    """The question with each mistyped word replaced, where a word of the notes is near enough to be meant.

    What stands in quotes, names of code, abbreviations and beginnings of known words stay as they are.
    """
    quoted = [found.span() for found in QUOTED.finditer(text)]
    strange = [
        found
        for found in _WORD.finditer(text)
        if not any(first <= found.start() < last for first, last in quoted) and _is_strange(found[0], corpus)
    ]
    if len({found[0].lower() for found in strange}) > _MOST:
        return Reading(text)
    instead = {found[0]: read for found in strange if (read := _meant(found[0], corpus))}
    if not instead:
        return Reading(text)
    parts, place = [], 0
    for found in strange:
        parts += [text[place : found.start()], instead.get(found[0], found[0])]
        place = found.end()
    return Reading("".join([*parts, text[place:]]), tuple(instead.items()))


def _is_strange(word: str, corpus: IndexCorpus) -> bool:
    low = word.lower()
    if word[1:] != low[1:] or low in ENGLISH or low in ASKING or corpus.count(low):
        return False
    return any(letters for letters in _LETTERS if low[0] in letters) and not corpus.count(f"{low}*")


def _meant(typed: str, corpus: IndexCorpus) -> str:
    """The word of the notes that was meant; empty where none is near."""
    return _parted(typed.lower(), corpus) or _with_one_slip(typed.lower(), typed, corpus)


def _parted(word: str, corpus: IndexCorpus) -> str:
    """Two words that notes hold one after the other, typed as one."""
    ways = (f"{word[:place]} {word[place:]}" for place in range(_PART, len(word) - _PART + 1))
    return _commonest((way for way in ways if all(map(corpus.count, way.split()))), corpus)


def _with_one_slip(word: str, typed: str, corpus: IndexCorpus) -> str:
    """The likelier slips first. Names differ in a letter, as words of one stem do at their ends."""
    letters = next(letters for letters in _LETTERS if word[0] in letters)
    ways = [_swapped(word, first=int(typed != word))]  # Who typed a capital knew with which letter it begins.
    ways += [_doubled(word)] if len(word) >= _DOUBLED else []
    if typed == word:
        ways += [_lost_or_added(word, letters)] if len(word) >= _LONG else []
        ways += [_other_vowel(word)] if len(word) > _LONG else []
    return next(filter(None, (_commonest(one, corpus) for one in ways)), "")


def _swapped(word: str, first: int) -> list[str]:
    return [word[:i] + word[i + 1] + word[i] + word[i + 2 :] for i in range(first, len(word) - 1)]


def _doubled(word: str) -> list[str]:
    """A letter that should stand twice, or once."""
    twice = [word[:i] + word[i] + word[i:] for i in range(len(word))]
    once = [word[:i] + word[i + 1 :] for i in range(len(word) - 1) if word[i] == word[i + 1]]
    return twice + once


def _lost_or_added(word: str, letters: str) -> list[str]:
    inner = range(1, len(word) - 1)
    added = [word[:i] + one + word[i:] for i in (*inner, len(word) - 1) for one in letters]
    return [*(word[:i] + word[i + 1 :] for i in inner), *added]


def _other_vowel(word: str) -> list[str]:
    inner = [i for i in range(1, len(word) - 1) if word[i] in _VOWELS]
    return [word[:i] + one + word[i + 1 :] for i in inner for one in _VOWELS]


def _commonest(words: Iterable[str], corpus: IndexCorpus) -> str:
    """The one that most notes hold; the index knows stems, so that the notes must have it as it is."""
    held = sorted((-count, word) for word in set(words) if (count := corpus.count(word)))
    return next((word for _, word in held if corpus.hold_phrase(word, 1)), "")
