"""A question as it was typed, understood."""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping

from aries_kernel.contracts import Question
from ori_memory.index.asking import words_of
from ori_memory.retrieval.function_words import ENGLISH, TELLING
from ori_memory.retrieval.intents import intent_of
from ori_memory.retrieval.periods import period_of

__all__ = ["understand_question"]

_QUOTED = re.compile(r'"([^"]{2,200})"|“([^”]{2,200})”|«([^»]{2,200})»|„([^“”]{2,200})[“”]|「([^」]{2,200})」')
_IDENTIFIER = re.compile(
    r"(?<![\w/.-])(?:"
    r"[A-Za-z]\w*(?:[.:/_-]+\w+)*[._:/-]\w*\d[\w.]*"  # ABC-123, v0.7.0, foo_2
    r"|\w+_\w+|_\w+|\w+::\w+|\w+\(\)"  # snake_case, __init__, a::b, call()
    r"|[a-z]+[a-z0-9]*[A-Z]\w*|[A-Z][a-z0-9]+[A-Z]\w*"  # camelCase, CamelCase
    r"|[A-Za-z]+\d+\w*|\d+(?:\.\d+){1,4}|\d+[A-Za-z]\w*|#\d+"  # x86, 3.11.4, 7z, #123
    r")(?![\w-])"
)
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th|s|am|pm|m|km|kg|cm|mm|h|min|x)\Z", re.IGNORECASE)
_MOST_WORDS = 64
"""A pasted page is a question too; its first words say what it is about."""


def understand_question(text: str, today: datetime.date, named: Mapping[int, float], limit: int) -> Question:
    """`named`: the notes whose title or alias stands in the text, and how sure that is."""
    phrases = tuple(next(filter(None, found)) for found in _QUOTED.findall(text))
    every = words_of(text)
    is_english = any(word in TELLING for word in every)
    words = [word for word in every if word not in ENGLISH] if is_english else every
    intent, confidence = intent_of(text)
    return Question(
        text=text,
        words=tuple(dict.fromkeys(words or every))[:_MOST_WORDS],
        phrases=tuple(phrase for phrase in phrases if words_of(phrase)),
        identifiers=identifiers_in(text),
        intent=intent,
        intent_confidence=confidence,
        period=period_of(text, today),
        is_english=is_english,
        named=named,
        limit=limit,
    )


def identifiers_in(text: str) -> tuple[str, ...]:
    """Names as code, versions and codes have them, and single letters that name something, as in `Resume J`."""
    found = [match[0] for match in _IDENTIFIER.finditer(text) if not _ORDINAL.match(match[0])]
    return tuple(dict.fromkeys(found))[:8]
