"""The part of a note that fits a question, short enough to be read in a list."""

from __future__ import annotations

import re
from collections.abc import Mapping

from attrs import frozen

from ori_memory.index.words import is_unsegmented

__all__ = ["Snippet", "snippet_of"]

LENGTH = 240
_WORD = re.compile(r"\w+")
_STEM = 5
_LONGEST_BODY = 400_000
_SENTENCE_END = re.compile(r"[.!?]\s|[。！？]\s?|\n")


@frozen
class Snippet:
    text: str
    """On one line; with `…` where something was left out."""
    line: int
    """Within the body, 0-based."""


def snippet_of(body: str, rarity: Mapping[str, float], length: int = LENGTH) -> Snippet:
    """The stretch of at most `length` characters whose words say most of the question, from the start of a sentence."""
    stems = {word[:_STEM]: says for word, says in rarity.items()}
    hits = _hits(body, stems)
    if not hits or len(body.strip()) <= length:
        start = _first_text(body)
    else:
        start = _sentence_start(body, _best_start(hits, stems, length), length)
    end = min(len(body), start + length)
    if end < len(body):
        end = max(body.rfind(" ", start + length // 2, end), start + length // 2)
    shown = " ".join(body[start:end].split())
    before, after = "…" if body[:start].strip() else "", "…" if body[end:].strip() else ""
    return Snippet(f"{before}{shown}{after}", body.count("\n", 0, start))


def _hits(body: str, stems: Mapping[str, float]) -> list[tuple[int, str]]:
    """Where a word begins as one of `stems`, or where a pair of signs of a script without spaces stands."""
    hits = [
        (match.start(), stem)
        for match in _WORD.finditer(body, 0, _LONGEST_BODY)
        if (stem := match[0].lower()[:_STEM]) in stems
    ]
    for stem in stems:
        if is_unsegmented(stem):
            hits += [(match.start(), stem) for match in re.finditer(re.escape(stem), body[:_LONGEST_BODY])]
    return sorted(set(hits))


def _best_start(hits: list[tuple[int, str]], stems: Mapping[str, float], length: int) -> int:
    best, best_value, last = hits[0][0], 0.0, 0
    counts: dict[str, int] = {}
    value = 0.0
    for first, (place, _) in enumerate(hits):
        while last < len(hits) and hits[last][0] < place + length:
            stem = hits[last][1]
            counts[stem] = counts.get(stem, 0) + 1
            if counts[stem] == 1:
                value += stems[stem]
            last += 1
        if value > best_value + 1e-9:
            best, best_value = place, value
        leaving = hits[first][1]
        counts[leaving] -= 1
        if not counts[leaving]:
            value -= stems[leaving]
    return best


def _sentence_start(body: str, place: int, length: int) -> int:
    start = max(0, place - length // 3)
    found = start if start == 0 else body.find(" ", start, place) + 1
    for end in _SENTENCE_END.finditer(body, start, place):
        found = end.end()
    return found if found > 0 or start == 0 else place


def _first_text(body: str) -> int:
    return len(body) - len(body.lstrip())
