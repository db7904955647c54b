"""Code that is in the project already, under another name or with small changes."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

from aries_body.judgement.comparing import Likeness, Piece, likeness
from aries_body.judgement.library import Library, Unit
from aries_body.tree.source import Unreadable

__all__ = ["LEAST_WORDS", "THRESHOLD", "Duplicate", "find_duplicates", "piece_of", "similarity_of"]

LEAST_WORDS = 24
"""What is shorter looks like too much else for a likeness to say anything."""
THRESHOLD = 0.5
"""A similarity from which on a piece is taken for a duplicate; `bench/judgement.py` measures what that costs."""
_LOOKED_AT = 32

# Fitted (logistic regression) on functions of real projects: changed copies against what other projects and other
# functions have in common with them by chance. `bench/judgement.py --fit` gives weights near these, which move with
# the functions that are chosen; what these ones are worth is measured there.
_BASE, _FORM, _HELD, _NAMES = -20.2, 5.0, 17.6, 13.5
_MOST_NAMES = 0.5
"""Names in common make a copy surer up to here; neighbours of one class share more than that."""
_MOSTLY = 0.8
_SMALLER = 0.75


class Duplicate(NamedTuple):
    """A unit of the project that is like a piece of code."""

    unit: Unit
    relation: str
    likeness: Likeness
    similarity: float


def find_duplicates(
    library: Library, piece: Piece, family: str, threshold: float, is_taken: Callable[[Unit], bool]
) -> list[Duplicate]:
    """The likest first."""
    if piece.size < LEAST_WORDS:
        return []
    texts: dict[str, bytes] = {}
    found = []
    near = library.candidates(piece, family, _LOOKED_AT)
    for unit, _ in near:
        if unit.size < LEAST_WORDS or not is_taken(unit):
            continue
        other = piece_of(library, unit, texts)
        if other is None:
            continue
        one = likeness(piece, other)
        similarity = similarity_of(one)
        if similarity >= threshold:
            found.append(Duplicate(unit, _relation(piece, other, one), one, similarity))
    return sorted(found, key=lambda one: (-one.similarity - 0.1 * one.likeness.names, one.unit))


def similarity_of(one: Likeness) -> float:
    """How sure it is, from 0 to 1, that one of two pieces was made from the other."""
    held = max(one.within, one.around)
    return 1 / (1 + math.exp(-(_BASE + _FORM * one.form + _HELD * held + _NAMES * min(one.names, _MOST_NAMES))))


def _relation(piece: Piece, other: Piece, one: Likeness) -> str:
    if one.form == one.within == one.around == 1.0:
        return "same" if one.names == 1.0 else "renamed"
    if one.within >= _MOSTLY and piece.size < _SMALLER * other.size:
        return "part"
    if one.around >= _MOSTLY and other.size < _SMALLER * piece.size:
        return "whole"
    return "changed"


def piece_of(library: Library, unit: Unit, texts: dict[str, bytes]) -> Piece | None:
    source = texts.get(unit.path)
    if source is None:
        try:
            source = texts[unit.path] = library.project.text(unit.path).encode("utf-8")
        except Unreadable:
            return None  # It went since the last look.
    return Piece.of(source[unit.start : unit.end].decode("utf-8", "replace"), library.lexer(unit.path))
