"""Names: the words they are made of, and the style they are written in."""

from __future__ import annotations

import itertools
import re
from functools import lru_cache

__all__ = ["is_kin", "stem", "style_of", "words_of"]

_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_LETTERS = re.compile(r"[^\W\d_]+")
_ENDINGS = (("ies", "y"), ("ing", ""), ("ed", ""), ("es", "e"), ("s", ""))
_SHORTEST_STEM = 4
_DOUBLE = frozenset("aeflosuz")
"""Letters that words end in twice."""


@lru_cache(maxsize=1 << 16)
def words_of(name: str) -> tuple[str, ...]:
    """The words of a name or of a text, in small letters: `HTTPServer_v2` has `http`, `server` and `v`."""
    if name.isascii():
        return tuple(word.lower() for word in _WORDS.findall(name))
    return tuple(word.lower() for part in _LETTERS.findall(name) for word in _humps(part))


def _humps(part: str) -> list[str]:
    """Letters of any script, cut where a word begins."""
    starts = [0]
    for place in range(1, len(part)):
        before, here = part[place - 1], part[place]
        ends_acronym = before.isupper() and here.isupper() and part[place + 1 : place + 2].islower()
        if (here.isupper() and not before.isupper()) or ends_acronym:
            starts.append(place)
    return [part[start:end] for start, end in itertools.pairwise([*starts, len(part)])]


def style_of(name: str) -> str | None:
    """The style of a name; None where it fits several (`run`) or is none (`__init__`)."""
    bare = name.strip("_#$")
    if (name.startswith("__") and name.endswith("__")) or len(words_of(bare)) < 2:
        return None
    if "_" in bare or "-" in bare:
        plain, sign = bare.replace("_", "").replace("-", ""), "_" if "_" in bare else "-"
        if not plain.isalnum() or ("_" in bare and "-" in bare):
            return "mixed"
        if bare.islower():
            return "snake_case" if sign == "_" else "kebab-case"
        return "UPPER_CASE" if bare.isupper() and sign == "_" else "mixed"
    if bare.islower() or bare.isupper():
        return None
    if not bare.isalnum():
        return "mixed"
    return "camelCase" if bare[0].islower() else "PascalCase"


def is_kin(word: str, stemmed: str) -> bool:
    """Whether a word has a stem, or names what does it: `logger` to `log`, `parser` to `parse`."""
    found = stem(word)
    return found == stemmed or found in (
        f"{stemmed}s", f"{stemmed}er", f"{stemmed}or", f"{stemmed}{stemmed[-1:]}er"
    )  # fmt: skip


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """A word without the ending of a plural or a form of a verb: `parses`, `parsed` and `parsing` are one."""
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) + len(instead) >= _SHORTEST_STEM:
            found = word[: len(word) - len(ending)] + instead
            if not instead and found[-1] == found[-2] and found[-1] not in _DOUBLE:
                return found[:-1]  # `logging` is of `log`, and `calling` of `call`.
            return found.removesuffix("e") if len(found) > _SHORTEST_STEM else found
    return word.removesuffix("e") if len(word) > _SHORTEST_STEM else word
