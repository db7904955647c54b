"""What the notes found so far leave open, asked about together with a name that they bring in."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from attrs import frozen

from ori_memory.exploring.ground import Ground
from ori_memory.index.entities import names_in
from ori_memory.index.keys import key_number

__all__ = ["Bridge", "bridges"]

_NOTES = 5
_NAMES = 12
"""Of each note; those in the sentences that say most of the question."""
_HOLDERS = 200
"""Notes that are looked at in all."""
_LONGEST = 8_000
_WORD = re.compile(r"\w+")
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
    key: int
    context: float


def bridges(ground: Ground, best: Sequence[tuple[int, float]]) -> list[Bridge]:
    """Bridges from the best notes, the likeliest first. `best`: notes with their scores, best first."""
    named = [one for num, score in best[:_NOTES] for one in _named(ground, num, score)]
    holders = _holders(ground, named)
    found: dict[str, Bridge] = {}
    for one in named:
        bridge = _bridge(ground, one, holders.get(one.key, ()))
        if bridge is not None and (bridge.name not in found or bridge.evidence > found[bridge.name].evidence):
            found[bridge.name] = bridge
    return sorted(found.values(), key=lambda bridge: -bridge.evidence)


def _named(ground: Ground, num: int, score: float) -> list[_Named]:
    """Names of a note that the question does not have."""
    text = ground.text(num)[:_LONGEST]
    asked = f" {' '.join(_WORD.findall(ground.asked.text.lower()))} "
    starts = [0, *(end.end() for end in _SENTENCE_END.finditer(text)), len(text)]
    shares = [ground.wording.share(ground.wording.held_in(text[a:b])) for a, b in pairwise(starts)]
    found: dict[str, _Named] = {}
    for name, at in names_in(text):
        if f" {name} " in asked:
            continue
        place = sum(1 for start in starts[1:-1] if start <= at)
        one = _Named(num, score, name, key_number(name), shares[place])
        if name not in found or one.context > found[name].context:
            found[name] = one
    return sorted(found.values(), key=lambda one: -one.context)[:_NAMES]


def _holders(ground: Ground, named: Sequence[_Named]) -> dict[int, list[int]]:
    """Notes that hold each name; the rarest names first, until enough notes are to be looked at."""
    held = ground.corpus.holders({one.key for one in named})
    chosen: dict[int, list[int]] = {}
    left = _HOLDERS
    for key, notes in sorted(held.items(), key=lambda item: (len(item[1]), item[0])):
        left -= len(notes)
        if left < 0:
            break
        chosen[key] = list(notes)
    seen = ground.views({num for notes in chosen.values() for num in notes})
    return {key: [num for num in notes if num in seen] for key, notes in chosen.items()}


def _bridge(ground: Ground, one: _Named, holders: Sequence[int]) -> Bridge | None:
    held = ground.held(one.note)
    left = ground.wording.left_by(held)
    others = [num for num in holders if num != one.note]
    if not left or not others:
        return None
    gain = max(ground.wording.gain(held, ground.held(num)) for num in others)
    if not gain:
        return None
    evidence = one.score * (0.2 + one.context) / 1.2 * gain
    title = ground.views([one.note])[one.note].title
    return Bridge(f"{' '.join(left)} {_typed(ground.text(one.note), one.name)}", one.name, title, evidence)


def _typed(text: str, name: str) -> str:
    """The name as the note writes it."""
    found = re.search(r"\W+".join(map(re.escape, name.split())), text, re.IGNORECASE)
    return " ".join(found[0].split()) if found else name
