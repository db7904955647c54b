"""A question as it was typed, understood."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Mapping

from aries_kernel.contracts import Period, Question
from ori_memory.index.asking import words_of
from ori_memory.retrieval.function_words import ENGLISH, holds_english
from ori_memory.retrieval.intents import intent_of
from ori_memory.retrieval.newest import newest_in, present_in
from ori_memory.retrieval.periods import MODIFIERS, period_of

__all__ = ["QUOTED", "content_words", "understand_question"]

QUOTED = re.compile(r'"([^"]{2,200})"|“([^”]{2,200})”|«([^»]{2,200})»|„([^“”]{2,200})[“”]|「([^」]{2,200})」')
"""What is to be taken as it is, in the quotes of any language; one group of each match holds it."""
_TOKEN = re.compile(r"(?<![\w/.-])#?\w[\w.:/-]*(?:\(\))?")
_APART = re.compile(r"[.:/]")
_SIGNS = "._:/-"
_HUMPED = re.compile(r"[a-z][a-z0-9]*[A-Z]|[A-Z][a-z0-9]+[A-Z]")
_MIXED = re.compile(r"[A-Za-z]+\d|\d+[A-Za-z]")
_NUMBERED = re.compile(r"\d+(?:\.\d+){1,4}|#\d+")
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th|s|am|pm|m|km|kg|cm|mm|h|min|x)", re.IGNORECASE)
_LONGEST_NAME = 200
_MOST_NAMES = 8
_MOST_WORDS = 64
"""A pasted page is a question too; its first words say what it is about."""


def understand_question(
    text: str,
    today: datetime.date,
    named: Mapping[int, float],
    limit: int,
    newest_day: Callable[[], datetime.date | None] = lambda: None,
) -> Question:
    """`named`: the notes whose title or alias stands in the text, and how sure that is; `newest_day`: of all notes."""
    phrases = tuple(next(filter(None, found)) for found in QUOTED.findall(text))
    is_english = holds_english(words_of(text))
    intent, confidence = intent_of(text)
    words, newest = content_words(text), newest_in(text)
    # What asks for the newest stands in no note, but where nothing else is asked it is the name of one.
    beside = tuple(word for word in words if word not in words_of(newest)) if newest else ()
    period = period_of(text, today, newest_day)
    return Question(
        text=text,
        words=_without(beside or words, period),
        phrases=tuple(phrase for phrase in phrases if words_of(phrase)),
        identifiers=identifiers_in(text),
        intent=intent,
        intent_confidence=confidence,
        period=period,
        newest=newest if beside else present_in(text),
        is_english=is_english,
        named=named,
        limit=limit,
    )


def _without(words: tuple[str, ...], period: Period | None) -> tuple[str, ...]:
    """Notes from before 2026 hold no 2026, and those that do are others."""
    if period is None or period.phrase.partition(" ")[0].lower() not in MODIFIERS:
        return words
    said = words_of(period.phrase)
    return tuple(word for word in words if word not in said) or words


def content_words(text: str) -> tuple[str, ...]:
    """What a question is about: its words in small letters, each once, those that only hold a sentence left out."""
    every = words_of(text)
    words = [word for word in every if word not in ENGLISH] if holds_english(every) else every
    return tuple(dict.fromkeys(words or every))[:_MOST_WORDS]


def identifiers_in(text: str) -> tuple[str, ...]:
    """Names as code, versions and codes have them, the first eight."""
    found: dict[str, None] = {}
    for match in _TOKEN.finditer(text):
        token = match[0].rstrip(".:/-")
        if len(token) <= _LONGEST_NAME and _is_identifier(token):
            found[token] = None
            if len(found) == _MOST_NAMES:
                break
    return tuple(found)


def _is_identifier(token: str) -> bool:
    # Looked at piece by piece: one pattern for all of it takes ages for a long name that is none.
    if token.endswith("()") or "::" in token or _NUMBERED.fullmatch(token):
        return True
    first_sign = next((place for place, sign in enumerate(token) if sign in _SIGNS), len(token))
    if token[0].isascii() and token[0].isalpha() and any(map(str.isdigit, token[first_sign:])):
        return True  # ABC-123, v0.7.0
    if "-" in token:
        return False
    if "_" in token and token.strip("_"):
        return True  # snake_case, __init__
    parts = [part for part in _APART.split(token) if not _ORDINAL.fullmatch(part)]
    return any(_HUMPED.match(part) or _MIXED.match(part) for part in parts)  # camelCase, CamelCase, x86, 7z
