"""Likeness of definitions by the words of their names and by their heads."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from attrs import frozen

from aries_body.judgement.naming import stem, words_of

__all__ = ["NameIndex", "by_signature"]

_MOST_NAMES = 4_000
"""Names that are looked at for one word: a word of more says nothing."""
_OPENING, _CLOSING = "([{<", ")]}>"
_ARROW = re.compile(r"->|=>")
_RECEIVERS = frozenset(("self", "cls", "this"))


@frozen(eq=False)
class NameIndex:
    """All names of the project by their words."""

    _of_word: Mapping[str, Sequence[str]]
    _total: int

    @classmethod
    def of(cls, names: Iterable[str]) -> NameIndex:
        """Of these names."""
        of_word: dict[str, list[str]] = defaultdict(list)
        total = 0
        for name in names:
            total += 1
            for word in set(map(stem, words_of(name))):
                of_word[word].append(name)
        return cls(of_word, total)

    def likeness(self, one: str, other: str) -> float:
        """The share of the words that both have, rare words counting more."""
        mine, theirs = set(map(stem, words_of(one))), set(map(stem, words_of(other)))
        every = sum(map(self._telling, mine | theirs))
        return sum(map(self._telling, mine & theirs)) / every if every else 0.0

    def near(self, name: str, count: int) -> list[str]:
        """Names that share words with a name, the likest first."""
        found: dict[str, float] = defaultdict(float)
        for word in set(map(stem, words_of(name))):
            names = self._of_word.get(word, ())
            if len(names) <= _MOST_NAMES:
                for one in names:
                    found[one] += self._telling(word)
        best = sorted(found, key=lambda one: (-found[one], len(one), one))[: 4 * count]
        return sorted(best, key=lambda one: (-self.likeness(name, one), one))[:count]

    def _telling(self, word: str) -> float:
        return math.log1p(self._total / (1 + len(self._of_word.get(word, ()))))


def by_signature(one: str, other: str) -> float | None:
    """The share of parameters and of the words of their names and types; None where a head has no parameters."""
    mine, theirs = _parameters(one), _parameters(other)
    if mine is None or theirs is None:
        return None
    most = max(len(mine), len(theirs))
    count = min(len(mine), len(theirs)) / most if most else 1.0
    words, others = _head_words(mine, one), _head_words(theirs, other)
    every = words | others
    return 0.4 * count + 0.6 * (len(words & others) / len(every) if every else 1.0)


def _head_words(parameters: Sequence[str], head: str) -> set[str]:
    result = _ARROW.split(head)[-1] if _ARROW.search(head) else ""
    return {stem(word) for text in (*parameters, result) for word in words_of(text)}


def _parameters(head: str) -> list[str] | None:
    """What stands between the first brackets, piece by piece; None where there are none."""
    start = head.find("(")
    if start < 0:
        return None
    found, depth, piece = [], 0, ""
    for place, sign in enumerate(head[start + 1 :], start + 1):
        if sign == ")" and depth == 0:
            break
        is_arrow = sign == ">" and head[place - 1] in "-="
        depth += (sign in _OPENING) - (sign in _CLOSING and not is_arrow)
        if sign == "," and depth == 0:
            found.append(piece)
            piece = ""
        else:
            piece += sign
    parts = [one.strip() for one in (*found, piece) if one.strip()]
    return [one for one in parts if one.strip("&* ").removeprefix("mut ") not in _RECEIVERS and one not in "*/"]
