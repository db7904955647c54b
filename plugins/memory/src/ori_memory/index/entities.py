"""Names that a text holds, told by their capitals: what two notes share that neither has for a title."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator

from ori_memory.index.keys import key_number

__all__ = ["entity_keys", "names_in"]

_CAPITAL = (
    "A-Z\u00c0-\u00d6\u00d8-\u00de"
    "ĀĂĄĆĈĊČĎĐĒĔĖĘĚĜĞĠĢĤĦĨĪĬĮİĲĴĶĹĻĽĿŁŃŅŇŊŌŎŐŒŔŖŘŚŜŞŠŢŤŦŨŪŬŮŰŲŴŶŸŹŻŽ"
    "ΆΈΉΊΌΎΏ\u0391-\u03ab\u0401-\u042f"
)
"""Written out: which letters are capitals is not to depend on the Python that looks."""
_SMALL = r"\w'’-"
_LINKING = "of|the|and|de|la|le|du|da|di|von|van|der|den|el|al|for|in|on|&"
_WORD = re.compile(r"\w+")
_OPENERS = (
    "a an and as at but by for from he her here his how i if in it its my no of on or our she so such that the their "
    "then there these they this those to we were what when where which while who why with you your"
)
_NO_NAMES = frozenset(_OPENERS.split())
"""Words that begin a sentence and no name."""
_LONGEST_TEXT = 40_000
_MOST = 200


@functools.cache
def _name(capital: str) -> re.Pattern[str]:
    # The whole alphabet takes milliseconds to compile, which a question in plain letters may do without.
    return re.compile(rf"[{capital}][{_SMALL}]*(?: (?:(?:{_LINKING}) ){{0,2}}(?:[{capital}][{_SMALL}]*|\d{{1,4}}\b))*")


def names_in(text: str) -> Iterator[tuple[str, int]]:
    """Names in small letters, with where each begins, of the first 40,000 characters; one may come several times.

    `The Theory of Games` and `the theory of games` are not the same here: only what is written as a name is one.
    """
    name = _name("A-Z" if text.isascii() else _CAPITAL)
    for match in name.finditer(text, 0, _LONGEST_TEXT):
        words = _WORD.findall(match[0].lower())
        while words and words[0] in _NO_NAMES:
            del words[0]
        if words and (len(words) > 1 or len(words[0]) > 2):
            yield " ".join(words), match.start()


def entity_keys(text: str) -> list[int]:
    """Numbers of the names in a text, each once, in their order; at most 200."""
    found: dict[int, None] = {}
    for name, _ in names_in(text):
        found[key_number(name)] = None
        if len(found) == _MOST:
            break
    return list(found)
