"""Names: the words they are made of, and the style they are written in."""

from __future__ import annotations

import re
from functools import lru_cache

__all__ = ["STYLES", "stem", "style_of", "words_of"]

_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_A-Za-z]+")
_STYLES = (
    ("snake_case", re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)+")),
    ("UPPER_CASE", re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")),
    ("PascalCase", re.compile(r"(?:[A-Z][A-Z0-9]*[a-z][a-z0-9]*){2,}[A-Z]*")),
    ("camelCase", re.compile(r"[a-z][a-z0-9]*(?:[A-Z]+[a-z0-9]*)+")),
    ("kebab-case", re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)+")),
)
STYLES = tuple(name for name, _ in _STYLES)
_ONE_WORD = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z0-9]+")
_ENDINGS = (("ies", "y"), ("ing", ""), ("ed", ""), ("es", "e"), ("s", ""))
_SHORTEST_STEM = 4


@lru_cache(maxsize=1 << 16)
def words_of(name: str) -> tuple[str, ...]:
    """The words of a name or of a text, in small letters: `HTTPServer_v2` has `http`, `server` and `v`."""
    return tuple(word.lower() for word in _WORDS.findall(name))


def style_of(name: str) -> str | None:
    """The style of a name; None where it fits several (`run`) or is none (`__init__`)."""
    bare = name.strip("_#$")
    if not bare or (name.startswith("__") and name.endswith("__")) or _ONE_WORD.fullmatch(bare):
        return None
    return next((style for style, form in _STYLES if form.fullmatch(bare)), "mixed")


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """A word without the ending of a plural or a form of a verb: `parses`, `parsed` and `parsing` are one."""
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) + len(instead) >= _SHORTEST_STEM:
            found = word[: len(word) - len(ending)] + instead
            return found.removesuffix("e") if len(found) > _SHORTEST_STEM else found
    return word.removesuffix("e") if len(word) > _SHORTEST_STEM else word
