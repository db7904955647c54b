"""How much of what a question says stands in a note, whatever endings its words have there."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping

from aries_kernel.contracts import Question
from ori_memory.index.words import is_unsegmented
from ori_memory.retrieval.corpus import IndexCorpus
from ori_memory.retrieval.function_words import ASKING

__all__ = ["share_held"]

_WORD_SIGN = re.compile(r"[^\W_]")
_ENDING = 3
_ENDINGS = frozenset(
    (
        *("s", "e", "y", "d", "r", "n", "es", "ed", "er", "or", "en", "al", "ic", "is", "ly", "ty", "ry", "th"),
        *(
            "ing",
            "ers",
            "ors",
            "est",
            "ion",
            "ies",
            "ied",
            "ity",
            "ive",
            "ble",
            "ous",
            "ent",
            "ant",
            "nce",
            "ist",
            "ism",
        ),
        *("ful", "age", "ery", "als", "ics"),
    )
)
"""Of English words."""
_BENDING = 4
"""Letters of a word from which on it may have any ending; shorter ones have a plural at most."""


def share_held(
    corpus: IndexCorpus,
    question: Question,
    text: str,
    rarity: Mapping[str, float],
    besides: Collection[str] = (),
) -> float:
    """From 0 to 1: the rarer a word, the more it says. `text`: the whole of the note, with its names.

    `besides`: words that the note holds in another way.
    """
    text = text.lower()
    # A word that no note holds is as rare as can be here; the note may hold another form of it.
    unknown = math.log(1 + (corpus.note_count + 0.5) / 0.5)
    asked = [word for word in question.words if word not in ASKING]
    # A pair of signs that no note holds mostly stands across the border of two words, and means nothing.
    said_of = {word: rarity.get(word, 0.0 if is_unsegmented(word) else unknown) for word in asked}
    total = sum(said_of.values())
    held = sum(
        says for word, says in said_of.items() if word in besides or _holds(text, word, is_english=question.is_english)
    )
    return held / total if total else 0.0


def _holds(text: str, word: str, *, is_english: bool) -> bool:
    """Whether a word of the text begins as this one, but for what may be its ending: `brewing` stands in `brewed`.

    In English `pie` does not stand in `piece`, nor `apple` in `application`; elsewhere words are put together so.
    """
    if not is_english and word.isascii() and "e" in word[1:]:
        # From a keyboard without the letter.
        dotted = word.replace("ae", "ä").replace("oe", "ö").replace("ue", "ü")
        if dotted != word and _holds(text, dotted, is_english=False):
            return True
    stem = _stem(word) if is_english and word.isascii() else word[: max(_BENDING, len(word) - _ENDING)]
    longest = len(word) + (_ENDING if len(word) >= _BENDING else 1) if is_english else len(text)
    at = text.find(stem)
    while at >= 0:
        begins = not word.isascii() or at == 0 or not _is_within_word(text[at - 1])
        if begins and _ends_by(text, at + len(stem), at + longest):
            return True
        at = text.find(stem, at + 1)
    return False


def _stem(word: str) -> str:
    """Without its ending, if it has one: `mongolia` is no form of mongo."""
    longest = range(min(_ENDING, len(word) - _BENDING), 0, -1)
    return next((word[:-cut] for cut in longest if word[-cut:] in _ENDINGS), word)


def _ends_by(text: str, place: int, last: int) -> bool:
    """Whether the word that goes on at `place` has ended at `last`."""
    return any(not _is_within_word(text[end : end + 1]) for end in range(place, min(last, len(text)) + 1))


def _is_within_word(sign: str) -> bool:
    return _WORD_SIGN.match(sign) is not None and not is_unsegmented(sign)
