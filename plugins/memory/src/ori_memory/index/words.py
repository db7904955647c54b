"""Text as the word index takes it: every script in pieces that a query can ask for.

SQLite's tokenizer cuts at what is no letter, digit or mark. Scripts written without spaces come out as one token a
sentence, so their runs are written as overlapping pairs; names of code are written whole and in their parts. Only fixed
ranges are used: what was written under one Python must be removable under another.
"""

from __future__ import annotations

import functools
import itertools
import re
import unicodedata
from collections.abc import Iterable

__all__ = [
    "code_names",
    "first_words",
    "folded",
    "inner_words",
    "is_plain",
    "is_unsegmented",
    "parts",
    "pieces",
    "spread",
    "unsegmented_count",
]

UNSEGMENTED = (
    "\u0e01-\u0e3a\u0e40-\u0e4e"  # Thai
    "\u0e80-\u0eff\u0f40-\u0fbc\u1000-\u109f\u1780-\u17dd"  # Lao, Tibetan, Burmese, Khmer
    "\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f\u31f0-\u31ff"  # kana, bopomofo
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # ideographs
    "\uac00-\ud7a3"  # Hangul: spaces part phrases, not words
)
_ASCII_BEGINNING = re.compile(r"\w+", re.ASCII)
_SIGNS = "\u2190-\u2bff\ufe0f\U0001f000-\U0001faff"
_SIGN = re.compile(f"[{_SIGNS}]")
# Vowel points of Arabic and Hebrew and the Arabic stroke that stretches: hardly anybody types them into a search.
_POINT = "\u0591-\u05bd\u05bf\u05c1-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670"
_POINTS = re.compile(f"[{_POINT}]")
# Quotes, dashes, punctuation and pictures: no letters to look for within a word.
_NO_LETTERS = re.compile(
    "[\u00a0-\u00a9\u00ab-\u00b4\u00b6-\u00b9\u00bb-\u00bf\u00d7\u00f7\u2000-\u200b\u200e-\u2bff\u2e00-\u2e7f"
    "\u3000-\u3004\u3008-\u3030\ufe0e-\ufe0f\ufe30-\ufe4f\uff01-\uff0f\uff1a-\uff20\U0001f000-\U0001faff]+"
)
_PLUS = re.compile(r"([A-Za-z]\w*)\+\+(?!\w)", re.ASCII)
_SHARP_SIGN = re.compile(r"#(?<=[A-Za-z]#)")
_SHARP = re.compile(r"(?<!\w)([A-Za-z])#(?!\w)", re.ASCII)
_HUMP_AT = re.compile(r"[A-Z](?:(?<=[a-z0-9].)|[A-Z][a-z])")  # Begins with a capital, since they are few.
_MIDDLE = re.compile(r"[A-Z0-9_](?<=[A-Za-z0-9_].)[A-Za-z0-9_]{0,100}")
"""A capital, digit or underscore within a word, with the word's rest: few, where words are many."""
_NAME = re.compile(r"[A-Za-z0-9_]+")
_LONGEST_HEAD = 100
_ALPHABET = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"
_HUMP = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+|[A-Z]", re.ASCII)


# Made when a text with other letters than ASCII is met: each takes milliseconds, and a command may do without.
@functools.cache
def _run() -> re.Pattern[str]:
    return re.compile(f"[{UNSEGMENTED}]+")


@functools.cache
def _beginning() -> re.Pattern[str]:
    return re.compile(rf"[{UNSEGMENTED}]|[^\W{UNSEGMENTED}]+")


@functools.cache
def _special() -> re.Pattern[str]:
    """What `spread` changes beside names of languages. One look for all of it: most texts hold none."""
    return re.compile(f"[{UNSEGMENTED}{_SIGNS}{_POINT}]")


def is_unsegmented(sign: str) -> bool:
    """Whether a text begins with a sign of a script without spaces."""
    return not sign.isascii() and _run().match(sign) is not None


def folded(text: str) -> str:
    """One form for what looks alike: width, ligatures, composed and decomposed letters."""
    text = text.replace("\0", " ")
    return text if text.isascii() else unicodedata.normalize("NFKC", text)


def spread(text: str) -> str:
    """The words of `text` for the word index; the same for what is stored and what is asked."""
    text = folded(text)
    if "++" in text:
        text = _PLUS.sub(r"\1plusplus", text)
    if _SHARP_SIGN.search(text) is not None:
        text = _SHARP.sub(r"\1sharp", text)
    if text.isascii() or _special().search(text) is None:
        return text
    text = _POINTS.sub("", text)
    text = _SIGN.sub(lambda found: f" sign{ord(found[0]):x} " if found[0] != "\ufe0f" else "", text)
    return _run().sub(lambda found: f" {_pairs(found[0])} ", text)


def is_plain(text: str) -> bool:
    """Whether `spread` leaves a text, and any stretch of it, as it is."""
    return text.isascii() and "\0" not in text and "++" not in text and _SHARP_SIGN.search(text) is None


def code_names(text: str) -> list[str]:
    """Words with a capital, a digit or an underscore within: names of code more often than not."""
    names = []
    for found in _MIDDLE.finditer(text):
        # The others are many: looking for the middle and then for its word beats looking at all words.
        start = found.start()
        before = text[max(0, start - _LONGEST_HEAD) : start]
        names.append(before[len(before.rstrip(_ALPHABET)) :] + found[0])
    return [name for name in names if not (name.isdigit() or (name.isupper() and name.isalpha()))]


def parts(names: Iterable[str]) -> str:
    """The words inside `camelCase` names: `parseHTMLFile` gives parse, HTML, File."""
    humped = [name for name in dict.fromkeys(names) if _HUMP_AT.search(name) is not None]
    return " ".join([" ".join(_HUMP.findall(name)) for name in humped])


def pieces(text: str, names: Iterable[str]) -> str:
    """The words of a folded text that are asked for by parts: of other scripts, and `names` of code.

    Plain English words are found by themselves and by their stems; their parts would be most of the index.
    """
    if text.isascii():
        return " ".join(names)
    others = " ".join([word for word in text.split() if not word.isascii()])
    return " ".join((*(word for word in _lettered(others) if not word.isascii()), *names))


def inner_words(text: str) -> list[str]:
    """What of a question may stand within the words that `pieces` gives, longer than two characters."""
    words = [part for word in _lettered(folded(text)) for part in (_NAME.findall(word) if word.isascii() else [word])]
    return [word for word in words if len(word) > 2]


def _lettered(text: str) -> list[str]:
    return _NO_LETTERS.sub(" ", _POINTS.sub("", text)).split()


def first_words(text: str) -> list[str]:
    """The word each stretch of `text` begins with; two texts that begin with the same words share one."""
    beginning = _ASCII_BEGINNING if text.isascii() else _beginning()
    return [found.lower() for found in beginning.findall(text)]


def unsegmented_count(text: str) -> int:
    """How many characters of scripts without spaces there are."""
    return 0 if text.isascii() else sum(map(len, _run().findall(text)))


def _pairs(run: str) -> str:
    # The last character stands alone too, so that a query of one finds it wherever it is.
    return " ".join([*map("".join, itertools.pairwise(run)), run[-1]])
