"""What the notes found so far leave open, asked about together with a name that they bring in."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from itertools import pairwise

from attrs import frozen

from ori_memory.exploring.ground import Ground
from ori_memory.index.asking import any_of, phrase, words_of
from ori_memory.index.entities import names_in
from ori_memory.operations.footers import without_footers
from ori_memory.retrieval.function_words import ENGLISH

__all__ = ["Bridge", "bridges"]

_NOTES = 5
_NAMES = 12
"""Of each note; those in the sentences that say most of the question."""
_HOLDERS = 6
"""Notes that are looked at for each name."""
_LONGEST = 8_000
_MOST_HOLDERS = 30
"""A name that more notes hold connects nothing."""
_COUNT = "SELECT count(*) FROM (SELECT 1 FROM words WHERE words MATCH ? LIMIT ?)"
_HOLDING = "SELECT rowid FROM words WHERE words MATCH ? ORDER BY bm25(words), rowid LIMIT ?"
_WORD = re.compile(r"\w+")
_OF_CALENDAR = re.compile(
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|today|day|week|month|year|date|time"
    r"|one|two|three|four|five|six|seven|eight|nine|ten|\d+)"
)
_SENTENCE_END = re.compile(r"[.!?。！？]\s|\n")


@frozen
class Bridge:
    """A question about what is left, and where its name comes from."""

    text: str
    name: str
    title: str
    evidence: float
    """How likely it leads on, from 0 to 1: somewhere a note holds the name and words that are left."""


@frozen
class _Named:
    note: int
    score: float
    name: str
    context: float
    """How much of the question its sentence says."""
    held: frozenset[str]


def bridges(ground: Ground, best: Sequence[tuple[int, float]]) -> list[Bridge]:
    """Bridges from the best notes, the likeliest first. `best`: notes with their scores, best first."""
    chains = _chains(ground, [num for num, _ in best[:_NOTES]])
    named = [one for num, score in best[:_NOTES] for one in _named(ground, num, score, chains[num])]
    found: dict[str, Bridge] = {}
    for one in named:
        bridge = _bridge(ground, one)
        if bridge is not None and (bridge.name not in found or bridge.evidence > found[bridge.name].evidence):
            found[bridge.name] = bridge
    return sorted(found.values(), key=lambda bridge: -bridge.evidence)


def _chains(ground: Ground, notes: Sequence[int]) -> dict[int, frozenset[str]]:
    """Words of the question that each note holds together with the better ones it is linked with."""
    ties = ground.corpus.ties(notes, with_context=False)
    chains: dict[int, frozenset[str]] = {}
    for num in notes:
        linked = [chains[tie.note] for tie in ties.get(num, ()) if tie.note in chains]
        chains[num] = ground.held(num).union(*linked)
    return chains


def _named(ground: Ground, num: int, score: float, held: frozenset[str]) -> list[_Named]:
    """Names of a note that the question does not have; the lists that ori puts at its end are no text."""
    text = without_footers(ground.text(num))[:_LONGEST]
    asked = f" {' '.join(_WORD.findall(ground.asked.text.lower()))} "
    starts = [0, *(end.end() for end in _SENTENCE_END.finditer(text)), len(text)]
    shares = [ground.wording.share(ground.wording.held_in(text[a:b])) for a, b in pairwise(starts)]
    found: dict[str, _Named] = {}
    for name, at in names_in(text):
        if f" {name} " in asked or _names_nothing(name):
            continue
        place = sum(1 for start in starts[1:-1] if start <= at)
        one = _Named(num, score, name, shares[place], held)
        if name not in found or one.context > found[name].context:
            found[name] = one
    return sorted(found.values(), key=lambda one: -one.context)[:_NAMES]


def _names_nothing(name: str) -> bool:
    """`February 2025`, `Day Two` and a `Some` that began a sentence: many notes hold them, and none because of them."""
    return all(word in ENGLISH or _OF_CALENDAR.fullmatch(word) for word in name.split())


def _holders(ground: Ground, one: _Named, left: Sequence[str]) -> list[int]:
    """Notes that hold the name and some word of what is left, the best by words first."""
    name, words = phrase(one.name), any_of(left)
    if name is None or words is None:
        return []
    if ground.connection.execute(_COUNT, (name, _MOST_HOLDERS + 1)).fetchone()[0] > _MOST_HOLDERS:
        return []
    rows = ground.connection.execute(_HOLDING, (f"{name} AND ({words})", 2 * _HOLDERS)).fetchall()
    seen = ground.views([row[0] for row in rows])
    return [num for num in seen if num != one.note][:_HOLDERS]


def _bridge(ground: Ground, one: _Named) -> Bridge | None:
    left = ground.wording.left_by(one.held)
    gain = max((ground.wording.gain(one.held, ground.held(num)) for num in _holders(ground, one, left)), default=0.0)
    if not gain:
        return None
    evidence = one.score * (0.2 + one.context) / 1.2 * gain * _telling(ground, one.name)
    title = ground.views([one.note])[one.note].title
    return Bridge(f"{' '.join(left)} {_typed(ground.text(one.note), one.name)}", one.name, title, evidence)


def _telling(ground: Ground, name: str) -> float:
    """How rare its rarest word is, from 0 to 1: a name that many notes hold leads anywhere."""
    says = max(ground.corpus.rarity(words_of(name)).values(), default=0.0)
    return min(1.0, says / math.log(1 + ground.corpus.note_count))


def _typed(text: str, name: str) -> str:
    """The name as the note writes it."""
    found = re.search(r"\W+".join(map(re.escape, name.split())), text, re.IGNORECASE)
    return " ".join(found[0].split()) if found else name
