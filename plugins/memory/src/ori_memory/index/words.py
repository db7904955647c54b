"""Text as the word index takes it: every script in pieces that a query can ask for.

SQLite's tokenizer cuts at what is no letter, digit or mark. Scripts written without spaces come out as one token a
sentence, so their runs are written as overlapping pairs; names of code are written whole and in their parts. Only fixed
ranges are used: what was written under one Python must be removable under another.
"""

from __future__ import annotations

import itertools
import re
import string
import unicodedata

__all__ = ["first_words", "folded", "parts", "spread", "unsegmented_count"]

UNSEGMENTED = (
    "\u0e01-\u0e3a\u0e40-\u0e4e"  # Thai
    "\u0e80-\u0eff\u0f40-\u0fbc\u1000-\u109f\u1780-\u17dd"  # Lao, Tibetan, Burmese, Khmer
    "\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f\u31f0-\u31ff"  # kana, bopomofo
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # ideographs
    "\uac00-\ud7a3"  # Hangul: spaces part phrases, not words
)
_RUN = re.compile(f"[{UNSEGMENTED}]+")
_BEGINNING = re.compile(rf"[{UNSEGMENTED}]|[^\W{UNSEGMENTED}]+")
_SIGN = re.compile("[\u2190-\u2bff\ufe0f\U0001f000-\U0001faff]")
# Vowel points of Arabic and Hebrew and the Arabic stroke that stretches: hardly anybody types them into a search.
_POINTS = re.compile("[\u0591-\u05bd\u05bf\u05c1-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670]")
_PLUS = re.compile(r"([A-Za-z]\w*)\+\+(?!\w)", re.ASCII)
_SHARP = re.compile(r"(?<!\w)([A-Za-z])#(?!\w)", re.ASCII)
_HUMP_AT = re.compile(r"[A-Z](?:(?<=[a-z0-9].)|[A-Z][a-z])")  # Begins with a capital, since they are few.
_ASCII_WORD = re.compile(r"[A-Za-z0-9]+")
_LONGEST_NAME = 100
_ALPHABET = string.ascii_letters + string.digits
_HUMP = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+|[A-Z]", re.ASCII)


def folded(text: str) -> str:
    """One form for what looks alike: width, ligatures, composed and decomposed letters."""
    text = text.replace("\0", " ")
    return text if text.isascii() else unicodedata.normalize("NFKC", text)


def spread(text: str) -> str:
    """The words of `text` for the word index; the same for what is stored and what is asked."""
    text = folded(text)
    if "++" in text:
        text = _PLUS.sub(r"\1plusplus", text)
    if "#" in text:
        text = _SHARP.sub(r"\1sharp", text)
    if text.isascii():
        return text
    text = _POINTS.sub("", text)
    text = _SIGN.sub(lambda found: f" sign{ord(found[0]):x} " if found[0] != "\ufe0f" else "", text)
    return _RUN.sub(lambda found: f" {_pairs(found[0])} ", text)


def parts(text: str) -> str:
    """The words inside `camelCase` names: `parseHTMLFile` gives parse, HTML, File."""
    names: dict[str, None] = {}
    for found in _HUMP_AT.finditer(text):
        # Words with humps are few: looking for the humps and then for their words beats looking at all words.
        start = max(0, found.start() - _LONGEST_NAME)
        before = text[start : found.start()]
        head = len(before) - len(before.rstrip(_ALPHABET))
        word = _ASCII_WORD.match(text, found.start() - head, found.end() + _LONGEST_NAME)
        if word is not None:
            names[word[0]] = None
    return " ".join(" ".join(_HUMP.findall(name)) for name in names)


def first_words(text: str) -> list[str]:
    """The word each stretch of `text` begins with; two texts that begin with the same words share one."""
    return [found.lower() for found in _BEGINNING.findall(text)]


def unsegmented_count(text: str) -> int:
    """How many characters of scripts without spaces there are."""
    return 0 if text.isascii() else sum(map(len, _RUN.findall(text)))


def _pairs(run: str) -> str:
    # The last character stands alone too, so that a query of one finds it wherever it is.
    return " ".join([*map("".join, itertools.pairwise(run)), run[-1]])
