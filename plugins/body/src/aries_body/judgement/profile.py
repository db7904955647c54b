"""All that judgement needs to know of one file, made from its text once and kept by its content."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING
from zlib import crc32

from attrs import frozen

from aries_body.index.facts import Damaged, pack_value, unpack_value
from aries_body.judgement.grams import prints_of
from aries_body.judgement.lexing import FIRST_NAME, NUMBER, TEXT, Lexer, Reading
from aries_body.judgement.naming import stem, words_of
from aries_body.judgement.sketches import sketch_of
from aries_body.judgement.traits import Trait, traits_of
from aries_body.judgement.units import units_of
from aries_kernel.contracts import FileFacts, Symbol

if TYPE_CHECKING:
    from aries_body.index.facts import Facts
    from aries_body.judgement.grams import Numbers

__all__ = ["MADE_BY", "Profile", "mark", "packed_profile", "profile_of", "spoken", "term_marks", "unpacked_profile"]

MADE_BY = 7
"""Grows whenever the same text gives another profile."""
_LITERALS = frozenset((TEXT, NUMBER))
_LEAST = 12
"""Words of a unit; what is shorter looks like too much else."""


@frozen
class Profile:
    """What is known of a file. Figures of units stand in the order of `places`."""

    places: tuple[int, ...]
    """Of the units among the symbols of the file."""
    spans: tuple[tuple[int, int], ...]
    """First byte and end of each unit."""
    sizes: tuple[int, ...]
    """Words of each unit, comments left out."""
    prints: Numbers
    counts: tuple[int, ...]
    """How many of `prints` each unit has."""
    sketches: bytes
    """`SKETCH` bytes a unit: how alike two of them are tells how many names and literals two units share."""
    terms: dict[int, int]
    """Words of its definitions and their documentation, by mark, with how often they stand there."""
    names: Numbers
    """Marks of all names in it, sorted."""
    traits: tuple[Trait, ...]


def mark(text: str) -> int:
    """A word or a name as a number."""
    return crc32(text.encode("utf-8", "surrogatepass"))


def spoken(words: Iterable[str], reading: Reading) -> set[str]:
    """The names and literals among words: what a reader would know a piece of code by."""
    return {word for word in set(words) if reading[word] >= FIRST_NAME or reading[word] in _LITERALS}


def term_marks(texts: Iterable[str]) -> Counter[int]:
    """The words of texts by mark."""
    return Counter(mark(stem(word)) for text in texts for word in words_of(text))


def profile_of(source: bytes, facts: FileFacts | Facts, lexer: Lexer) -> Profile:
    """From the text of a file and its facts."""
    import numpy as np

    symbols, text = facts.symbols, source.decode("utf-8", "replace")
    rows = [(place, symbols[place], lexer.words(_part(source, symbols[place]))) for place in units_of(symbols)]
    reading = lexer.reading()
    pieces = [reading.codes(words) for _, _, words in rows]
    kept = [number for number, piece in enumerate(pieces) if len(piece) >= _LEAST]
    prints = prints_of([pieces[number] for number in kept])
    names = set(reading.names)
    names.update(one.name for one in symbols)
    names.update(one.local or one.name for one in facts.imports if one.local or one.name)
    return Profile(
        places=tuple(rows[number][0] for number in kept),
        spans=tuple((rows[number][1].start, rows[number][1].end) for number in kept),
        sizes=tuple(len(pieces[number]) for number in kept),
        prints=prints.values,
        counts=tuple(np.bincount(prints.owner, minlength=len(kept)).tolist()),
        sketches=b"".join(sketch_of(spoken(rows[number][2], reading)) for number in kept),
        terms=dict(term_marks([facts.doc, *(f"{one.name} {one.doc}" for one in symbols)])),
        names=np.array(sorted(map(mark, names)), np.uint32),
        traits=traits_of(text, reading, facts, lexer.lexis),
    )


def _part(source: bytes, symbol: Symbol) -> str:
    return source[symbol.start : symbol.end].decode("utf-8", "replace")


def packed_profile(profile: Profile, lexer: Lexer) -> bytes:
    """As bytes, for the cache."""
    return pack_value(
        (
            MADE_BY, lexer.stamp, profile.places, profile.spans, profile.sizes, profile.prints.tobytes(),
            profile.counts, profile.sketches, profile.terms, profile.names.tobytes(), tuple(map(tuple, profile.traits)),
        )
    )  # fmt: skip


def unpacked_profile(data: bytes, lexer: Lexer) -> Profile | None:
    """From bytes; None where they are damaged or of another making."""
    import numpy as np

    try:
        made_by, stamp, places, spans, sizes, prints, counts, sketches, terms, names, traits = unpack_value(data)
    except (Damaged, ValueError, TypeError):
        return None
    if (made_by, stamp) != (MADE_BY, lexer.stamp):
        return None
    rows = tuple(Trait(*one) for one in traits)
    prints, names = np.frombuffer(prints, np.uint32), np.frombuffer(names, np.uint32)
    return Profile(places, spans, sizes, prints, counts, sketches, terms, names, rows)
