"""Code that is in the project already, under another name or with small changes."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from attrs import define, field

from aries_body.judgement.comparing import Evidence, Likeness, Piece, Weights, evidence, read_pieces
from aries_body.judgement.lexing import Lexer
from aries_body.judgement.library import Library, Unit
from aries_body.tree.source import Unreadable

__all__ = [
    "LEAST_WORDS",
    "THRESHOLD",
    "AtHand",
    "Duplicate",
    "find_duplicates",
    "parts_of",
    "pieces_of",
    "similarity_of",
]

LEAST_WORDS = 24
"""What is shorter looks like too much else for a likeness to say anything."""
THRESHOLD = 0.5
"""A similarity from which on a piece is taken for a duplicate; `bench/judgement.py` measures what that costs."""
_LOOKED_AT = 32
_MOST_AT_HAND = 4_000
"""Pieces of the project that one question keeps read."""
_FIRST, _HOPEFUL = 6, 0.3
"""Of the candidates so many are looked at closely, and those whose figure has this share of the best one's."""

# Fitted (logistic regression) to changed copies of functions, against what functions of other projects have in common
# with these by chance: on one half of 27 projects in eight languages, checked on the other half. `bench/judgement.py
# --fit` gives weights near these, which move with the functions that are chosen.
_BASE, _HELD, _STRETCHES, _NAMES, _NAMES_SHARE = -11.7, 6.0, 2.95, 1.4, 5.3
_ALL_BUT_NAMES = 3.5
"""Set, not fitted: a form that is the same from end to end is told, unless it is that of many others."""
_MOSTLY = 0.8
_SMALLER = 0.75


class Duplicate(NamedTuple):
    """A unit of the project that is like a piece of code."""

    unit: Unit
    relation: str
    likeness: Likeness
    similarity: float


@define(eq=False)
class AtHand:
    """What was read for one piece of a question: the next pieces are compared with much of it again."""

    library: Library
    weights: Weights = field(init=False)
    _pieces: dict[Unit, Piece] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        self.weights = Weights(self.library.rarity)

    def pieces(self, units: Sequence[Unit]) -> list[tuple[Unit, Piece]]:
        """Units with their code, read; those of files that went since the last look are left out."""
        missing = [unit for unit in units if unit not in self._pieces]
        if len(self._pieces) + len(missing) > _MOST_AT_HAND:
            self._pieces.clear()
            self.weights = Weights(self.library.rarity)
            missing = list(units)
        self._pieces.update(pieces_of(self.library, missing))
        return [(unit, self._pieces[unit]) for unit in units if unit in self._pieces]


def find_duplicates(
    at_hand: AtHand, piece: Piece, family: str, threshold: float, is_taken: Callable[[Unit], bool]
) -> list[Duplicate]:
    """The likest first."""
    if piece.size < LEAST_WORDS:
        return []
    candidates = at_hand.library.candidates(piece, family, _LOOKED_AT)
    candidates = [one for one in candidates if one.unit.size >= LEAST_WORDS and is_taken(one.unit)]
    near = {
        one.unit: one.stretches
        for place, one in enumerate(candidates)
        if place < _FIRST or one.value >= _HOPEFUL * candidates[0].value
    }
    found = []
    for unit, other in at_hand.pieces(list(near)):
        one = evidence(piece, other, near[unit], at_hand.weights)
        similarity = similarity_of(one)
        if similarity >= threshold:
            found.append(Duplicate(unit, _relation(piece, other, one.likeness), one.likeness, similarity))
    return sorted(found, key=lambda one: (-one.similarity - 0.1 * one.likeness.names, one.unit))


def similarity_of(one: Evidence) -> float:
    """How sure it is, from 0 to 1, that one of two pieces was made from the other."""
    parts = parts_of(one)
    weights = _HELD, _STRETCHES, _NAMES, _NAMES_SHARE, _ALL_BUT_NAMES
    return 1 / (1 + math.exp(-_BASE - sum(part * weight for part, weight in zip(parts, weights, strict=True))))


def parts_of(one: Evidence) -> tuple[float, float, float, float, float]:
    """What is weighed: the part held, the stretches in it, names, their share, whether all but names is the same."""
    held = max(one.likeness.within, one.likeness.around)
    is_all = one.likeness.form == one.likeness.within == one.likeness.around == 1.0
    return held, held * math.log1p(one.stretches), math.log1p(one.names), one.names_share, float(is_all)


def _relation(piece: Piece, other: Piece, one: Likeness) -> str:
    if one.form == one.within == one.around == 1.0:
        return "same" if one.names == 1.0 else "renamed"
    if one.within >= _MOSTLY and piece.size < _SMALLER * other.size:
        return "part"
    if one.around >= _MOSTLY and other.size < _SMALLER * piece.size:
        return "whole"
    return "changed"


def pieces_of(library: Library, units: Sequence[Unit]) -> list[tuple[Unit, Piece]]:
    """Units with their code, read; those of files that went since the last look are left out."""
    texts: dict[str, bytes] = {}
    of_lexer: dict[Lexer, list[tuple[Unit, str]]] = {}
    for unit in units:
        try:
            source = texts.get(unit.path)
            if source is None:
                source = texts[unit.path] = library.project.text(unit.path).encode("utf-8")
        except Unreadable:
            continue
        text = source[unit.start : unit.end].decode("utf-8", "replace")
        of_lexer.setdefault(library.lexer(unit.path), []).append((unit, text))
    read: dict[Unit, Piece] = {}
    for lexer, rows in of_lexer.items():
        pieces = read_pieces([text for _, text in rows], lexer)
        read |= {unit: piece for (unit, _), piece in zip(rows, pieces, strict=True)}
    return [(unit, read[unit]) for unit in units if unit in read]
