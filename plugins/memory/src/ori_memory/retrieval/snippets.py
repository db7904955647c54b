"""The part of a note that fits a question, short enough to be read in a list."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from aries_kernel.values import frozen
from ori_memory.index.words import is_unsegmented
from ori_memory.retrieval.sentence_ends import sentence_end

__all__ = ["Snippet", "snippet_of"]

LENGTH = 240
_BECOMES_TWO = "\u0130"
_SIGN = re.compile(r"\w")
_STEM = 5
_LONGEST_BODY = 400_000
_HEAD_PROPERTIES = re.compile(r"(?:[ \t]*(?:[-*] )?[^\W\d_][\w./-]*::(?: [^\n]*)?(?:\n|\Z))+")
# What outliners write into blocks for themselves.
_KEPT_BY_PROGRAMS = re.compile(
    r"^[ \t]*(?:[-*] )?(?:id|collapsed|heading|background-color|created[-_]at|updated[-_]at|card-[a-z-]+|query-[a-z-]+"
    r"|logseq\.[\w.-]+|ls-type|hl-[a-z]+|file|file-path):: ?[^\n]*$",
    re.MULTILINE,
)

_REFERENCE = re.compile(r"\(\([0-9a-fA-F-]{36}\)\)|\{\{[<%] *(?:rel)?ref [^{}\n]*[%>]\}\}")
"""Addresses that say nothing to a reader: of a block, of a page in the making."""


@frozen
class Snippet:
    text: str
    """On one line; with `…` where something was left out."""
    line: int
    """Within the body, 0-based."""


def snippet_of(body: str, rarity: Mapping[str, float], length: int = LENGTH) -> Snippet:
    """The stretch of at most `length` characters whose words say most of the question, from the start of a sentence."""
    body = _without_references(_without_properties(body))
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


def _without_properties(body: str) -> str:
    """Property lines at the head and those of programs are blanked in place, unless nothing else is said."""
    if "::" not in body:
        return body
    head = _HEAD_PROPERTIES.match(body)
    said = _blanked(head) + body[head.end() :] if head else body
    said = _KEPT_BY_PROGRAMS.sub(_blanked, said)
    return said if _SIGN.search(said) else body


def _without_references(body: str) -> str:
    return _REFERENCE.sub(_blanked, body) if "((" in body or "{{" in body else body


def _blanked(found: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", found.group())


def _hits(body: str, stems: Mapping[str, float]) -> list[tuple[int, str]]:
    """Where a word begins as one of `stems`, or where a pair of signs of a script without spaces stands."""
    # The one letter that becomes two stays as it is: the places would be others.
    low = _BECOMES_TWO.join(part.lower() for part in body[:_LONGEST_BODY].split(_BECOMES_TWO))
    return sorted((place, stem) for stem in stems for place in _places(low, stem))


def _places(text: str, stem: str) -> Iterator[int]:
    """Looking for a few stems is several times as quick as looking at every word."""
    is_inside = is_unsegmented(stem)
    place = text.find(stem)
    while place >= 0:
        end = place + len(stem)
        begins = is_inside or place == 0 or _SIGN.match(text, place - 1) is None
        if begins and (is_inside or len(stem) == _STEM or _SIGN.match(text, end) is None):
            yield place
        place = text.find(stem, place + 1)


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
    for end in sentence_end(body[max(0, start - 1) : place]).finditer(body, start, place):
        found = end.end()
    return found if found > 0 or start == 0 else place


def _first_text(body: str) -> int:
    return len(body) - len(body.lstrip())
