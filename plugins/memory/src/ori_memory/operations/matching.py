"""Which notes somebody means who asks to forget something: by whole identifiers first, then by rare words."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence

from attrs import frozen

from ori_memory.index.words import unsegmented_count

__all__ = ["Candidate", "Match", "match_notes"]

_WORD = re.compile(r"\w+")
_TOKEN = re.compile(r"[\w@.+\-]+")
_LEAST_IDF = 0.01
_SHARE_OF_BEST = 0.5
_SHARE_OF_QUERY = 0.5
"""A note that holds less than this of what the query weighs is about something else."""
_SHORTEST_IDENTIFIER = 6


@frozen
class Candidate:
    """A note that may be meant."""

    path: str
    title: str
    text: str


@frozen
class Match:
    """A note that is meant, how strongly, and why."""

    path: str
    title: str
    mass: float
    reasons: tuple[str, ...]


def match_notes(query: str, candidates: Iterable[Candidate]) -> list[Match]:
    """The notes that `query` names, the strongest first.

    An identifier (six characters or more with a digit or one of @ . _ + -) anchors: only notes that hold it as a whole
    count, so that one address never takes the record of another. Words weigh by ln((N + 1) / (df + 0.5)).
    """
    notes = list(candidates)
    anchors = identifiers(query)
    words = [word for word in _words(query) if word not in {part for anchor in anchors for part in _words(anchor)}]
    texts = {note.path: f"{note.title}\n{note.text}" for note in notes}
    # Scripts without spaces have no words that stand alone: there a word is in the text or not.
    inner = [word for word in words if len(word) > 1 and unsegmented_count(word)]
    tokens = {
        path: {*_words(text), *(word for word in inner if word in text.casefold())} for path, text in texts.items()
    }
    held = {path: {anchor for anchor in anchors if anchor in _whole_tokens(text)} for path, text in texts.items()}
    weights = _weights(words, tokens.values(), len(notes))
    matches = [
        match
        for note in notes
        if not anchors or held[note.path] == set(anchors)
        for match in [_weigh(query, note, weights, tokens[note.path], anchors)]
        if match is not None
    ]
    best = max((match.mass for match in matches), default=0.0)
    kept = [match for match in matches if match.mass >= _SHARE_OF_BEST * best]
    return sorted(kept, key=lambda match: (-match.mass, match.path))


def identifiers(text: str) -> tuple[str, ...]:
    """Tokens that name one thing: addresses, numbers, versions, names with punctuation inside."""
    found = (token.strip(".-+_@").casefold() for token in _TOKEN.findall(text))
    return tuple(
        dict.fromkeys(
            token
            for token in found
            if len(token) >= _SHORTEST_IDENTIFIER and re.search(r"[\d@._+\-]", token) and re.search(r"\w", token)
        )
    )


def _weigh(
    query: str, note: Candidate, weights: dict[str, float], tokens: set[str], anchors: Sequence[str]
) -> Match | None:
    found = [word for word in weights if word in tokens]
    mass, whole = sum(weights[word] for word in found), sum(weights.values())
    if not anchors and (not found or mass < _SHARE_OF_QUERY * whole):
        return None
    reasons = [f"holds {anchor}" for anchor in anchors] + ([f"words: {', '.join(found)}"] if found else [])
    mass += 2.0 * len(anchors)
    needle = " ".join(query.casefold().split())
    if needle in " ".join(note.title.casefold().split()):
        mass, reasons = mass + 2.0, [*reasons, "in the title"]
    elif needle in " ".join(note.text.casefold().split()):
        mass, reasons = mass + 1.0, [*reasons, "word for word"]
    return Match(note.path, note.title, round(mass, 6), tuple(reasons))


def _weights(words: Sequence[str], documents: Iterable[set[str]], count: int) -> dict[str, float]:
    frequencies: Counter[str] = Counter()
    wanted = set(words)
    for document in documents:
        frequencies.update(document & wanted)
    return {word: max(math.log((count + 1) / (frequencies[word] + 0.5)), _LEAST_IDF) for word in dict.fromkeys(words)}


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]


def _whole_tokens(text: str) -> set[str]:
    return {token.strip(".-+_@").casefold() for token in _TOKEN.findall(text)}
