"""Questions that one note of the vault answers, made from what it says."""

from __future__ import annotations

import random

from ori_memory.evaluation.dataset import Query
from ori_memory.evaluation.own_texts import OwnTexts, content_units
from ori_memory.evaluation.sentences import plain_sentences
from ori_memory.operations.footers import without_footers

__all__ = ["KNOWN_ITEM", "known_items"]

KNOWN_ITEM = "known-item"
_FEWEST, _MOST = 5, 8
_FEWEST_OF_DESCRIPTION = 3


def known_items(texts: OwnTexts, limit: int, seed: int) -> tuple[list[Query], int]:
    """At most `limit` questions, and how many of the notes that were tried gave none.

    A description is asked as it stands: it is a field of its own, and people ask so. Without one, words of the body's
    most distinctive sentence are asked, in their order: 5 to 8 of the rarest that another note has as well. A whole
    sentence, or a word of one note alone, would only test that a note is found by its own text; these words test
    little more, so mind the other kinds of questions too. What several notes would answer equally is not asked.
    """
    order = list(range(len(texts.notes)))
    random.Random(seed).shuffle(order)
    found: list[Query] = []
    tried = 0
    for place in order:
        if len(found) >= limit:
            break
        tried += 1
        question = _from_description(texts, place) or _from_body(texts, place)
        if question:
            path = texts.notes[place].record.path
            found.append(Query(f"{KNOWN_ITEM}: {path}", question, (path,), KNOWN_ITEM))
    return found, tried - len(found)


def _from_description(texts: OwnTexts, place: int) -> str:
    record = texts.notes[place].record
    words = content_units(record.description)
    is_told_by_title = set(words) <= set(content_units(record.title))
    if len(words) < _FEWEST_OF_DESCRIPTION or is_told_by_title or not texts.is_only_in(words, place):
        return ""
    return record.description


def _from_body(texts: OwnTexts, place: int) -> str:
    best, best_score = "", 0.0
    for sentence in plain_sentences(without_footers(texts.notes[place].body)):
        words = [word for word in content_units(sentence) if len(texts.holders.get(word, ())) > 1]
        if len(words) < _FEWEST:
            continue
        kept = sorted(words, key=lambda word: (-texts.rarity(word), word))[: min(_MOST, max(_FEWEST, len(words) // 2))]
        score = sum(map(texts.rarity, kept)) / len(kept)
        if score > best_score and texts.is_only_in(kept, place):
            best, best_score = " ".join(word for word in words if word in kept), score
    return best
