"""Code that is in the project already, under another name or with small changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from aries_body.judgement.comparing import Likeness, Piece, likeness
from aries_body.judgement.library import Library, Unit
from aries_body.tree.source import Unreadable

__all__ = ["LEAST_WORDS", "THRESHOLD", "Duplicate", "find_duplicates", "piece_of", "similarity_of"]

LEAST_WORDS = 20
"""What is shorter looks like too much else for a likeness to say anything."""
THRESHOLD = 0.5
"""A similarity from which on a piece is taken for a duplicate; `bench/judgement` measures what that costs."""
_LOOKED_AT = 32
_PART_WORDS = 40
_PART = 0.85


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
        similarity, relation = similarity_of(piece, other, one)
        if similarity >= threshold:
            found.append(Duplicate(unit, relation, one, similarity))
    return sorted(found, key=lambda one: (-one.similarity - 0.1 * one.likeness.names, one.unit))


def similarity_of(piece: Piece, other: Piece, one: Likeness) -> tuple[float, str]:
    """How likely one was made from the other, and what they are to each other."""
    return one.form, "changed"


def piece_of(library: Library, unit: Unit, texts: dict[str, bytes]) -> Piece | None:
    source = texts.get(unit.path)
    if source is None:
        try:
            source = texts[unit.path] = library.project.text(unit.path).encode("utf-8")
        except Unreadable:
            return None  # It went since the last look.
    return Piece.of(source[unit.start : unit.end].decode("utf-8", "replace"), library.lexer(unit.path))
