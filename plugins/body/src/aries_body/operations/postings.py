"""The words of a stretch of text, and where each stands, as a few arrays: what holds a word is known without a look."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from attrs import frozen

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[Any]

__all__ = ["IS_LETTER", "LETTERS", "Postings", "Words", "apart", "spread"]

LETTERS = frozenset(b"abcdefghijklmnopqrstuvwxyz0123456789_") | frozenset(range(128, 256))
"""Bytes that words of a text in small letters are made of; all letters that are not ASCII are taken for such."""
IS_LETTER = bytes(code in LETTERS for code in range(256))
_BLANK, _LINE_END = 32, 10
_PIECE = 16
"""Bits of a place within a piece of a file; a place then takes two bytes."""
_FACTORS = 0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F


@frozen(eq=False)
class Words:
    """Some words of a stretch: their numbers, and how often each holds what was looked for."""

    numbers: Numbers
    times: Numbers


@frozen(eq=False)
class Postings:
    """Of the files that lie in one stretch of a text. Gathering them costs about 20 ms a megabyte."""

    words: bytes
    """Each once, with a blank behind it."""
    _word_ends: Numbers
    """The blanks."""
    _pairs: Numbers
    """The first pair of each word, and the end. A pair: the places of one word in one piece of a file."""
    _tokens: Numbers
    """The first place of each pair, and the end."""
    _piece: Numbers
    """Of each pair."""
    _lines: Numbers
    """How many lines of the piece hold the word, without one that the piece before it had."""
    _offsets: Numbers
    """Places, from the start of their piece."""
    _piece_starts: Numbers
    _piece_files: Numbers
    _seldom: Numbers
    """How often each byte is in the words."""

    @classmethod
    def of(cls, text: bytes, starts: Sequence[int], first: int) -> Postings:
        """Of `text` from `starts[0]` to `starts[-1]`; files begin at all but the last, the first is number `first`."""
        import numpy

        origin = starts[0]
        part = numpy.frombuffer(text, "u1", starts[-1] - origin, origin)
        begins, ends = _runs(text[origin : starts[-1]])
        file_starts = numpy.array(starts, "i8") - origin
        pieces = (numpy.diff(file_starts) >> _PIECE) + 1
        piece_files = numpy.repeat(numpy.arange(len(pieces)), pieces)
        piece_starts = (spread(numpy.zeros_like(pieces), pieces) << _PIECE) + file_starts[piece_files]
        group, order = _grouped(part, begins, ends)
        piece = _part_of(begins, piece_starts)[order]
        line = _part_of(begins, numpy.flatnonzero(part == _LINE_END))[order]
        begins = begins[order]
        is_word = _changes(group)
        is_pair = is_word | _changes(piece)
        is_line = is_word | _changes(piece_files[piece]) | _changes(line)
        pairs, words = numpy.flatnonzero(is_pair), numpy.flatnonzero(is_word)
        listed = [
            bytes(part[start:end])
            for start, end in zip(begins[words].tolist(), ends[order[words]].tolist(), strict=True)
        ]
        joined = b" ".join(listed) + b" " if listed else b""
        letters = numpy.frombuffer(joined, "u1")
        return cls(
            joined,
            numpy.flatnonzero(letters == _BLANK).astype("i4"),
            numpy.append(numpy.searchsorted(pairs, words), len(pairs)).astype("i4"),
            numpy.append(pairs, len(begins)).astype("i4"),
            piece[pairs].astype("u2" if len(piece_files) < 1 << 16 else "i4"),
            (numpy.add.reduceat(is_line, pairs, dtype="i4") if len(pairs) else pairs).astype("u2"),
            (begins - piece_starts[piece]).astype("u2"),
            piece_starts + origin,
            piece_files + first,
            numpy.bincount(letters, minlength=256),
        )

    def holding(self, part: bytes, *, is_begun: bool = False, is_ended: bool = False) -> Words:
        """Words with `part` in them; `is_begun`: at their beginning, `is_ended`: at their end."""
        import numpy

        letters = numpy.frombuffer(self.words, "u1")
        # The two rarest bytes leave few places to look at.
        rarest = sorted(range(len(part)), key=lambda place: self._seldom[part[place]])
        size = max(0, len(letters) - len(part))
        is_near = letters[rarest[0] : rarest[0] + size] == part[rarest[0]]
        if len(rarest) > 1:
            is_near &= letters[rarest[1] : rarest[1] + size] == part[rarest[1]]
        found = numpy.flatnonzero(is_near)
        for place in rarest[2:]:
            found = found[letters[found + place] == part[place]]
        if is_begun:
            found = found[(found == 0) | (letters[found - 1] == _BLANK)]
        if is_ended:
            found = found[letters[found + len(part)] == _BLANK]
        found = apart(found, len(part))
        numbers, times = numpy.unique(numpy.searchsorted(self._word_ends, found), return_counts=True)
        return Words(numbers, times)

    def count(self, words: Words) -> int:
        """How many places these words have."""
        tokens, pairs = self._tokens, self._pairs
        return int((tokens[pairs[words.numbers + 1]] - tokens[pairs[words.numbers]]).sum())

    def by_file(self, words: Words, files: int, *, is_lines: bool) -> Numbers:
        """How often what was looked for is in each of `files` files; `is_lines`: in how many of its lines."""
        import numpy

        first = self._pairs[words.numbers]
        counts = self._pairs[words.numbers + 1] - first
        pairs = spread(first, counts)
        weights = self._lines[pairs] if is_lines else self._tokens[pairs + 1] - self._tokens[pairs]
        weights = weights * numpy.repeat(words.times, counts)
        found: Numbers = numpy.bincount(self._piece_files[self._piece[pairs]], weights, files)
        return found

    def places(self, words: Words, back: Numbers | int) -> Numbers:
        """Where the words stand in the text, `back` bytes before each, sorted."""
        import numpy

        first = self._pairs[words.numbers]
        counts = self._pairs[words.numbers + 1] - first
        pairs = spread(first, counts)
        sizes = self._tokens[pairs + 1] - self._tokens[pairs]
        found = self._offsets[spread(self._tokens[pairs], sizes)] + numpy.repeat(
            self._piece_starts[self._piece[pairs]], sizes
        )
        if not isinstance(back, int):
            back = numpy.repeat(numpy.repeat(back, counts), sizes)
        places: Numbers = found - back
        places.sort()
        return places

    def lengths(self, words: Words) -> Numbers:
        """Bytes of each word."""
        import numpy

        starts = numpy.append(0, self._word_ends[:-1] + 1) if len(self._word_ends) else self._word_ends
        lengths: Numbers = (self._word_ends - starts)[words.numbers]
        return lengths


def spread(first: Numbers, counts: Numbers) -> Numbers:
    """For each pair of `first` and `counts` so many numbers, counted up from the first."""
    import numpy

    ends = numpy.cumsum(counts)
    total = int(ends[-1]) if len(ends) else 0
    found: Numbers = numpy.arange(total) + numpy.repeat(first - (ends - counts), counts)
    return found


def apart(found: Numbers, size: int) -> Numbers:
    """Sorted places of a text of `size` bytes, without those that overlap the one taken before them."""
    import numpy

    if size < 2 or len(found) < 2 or int(numpy.diff(found).min()) >= size:
        return found
    taken, free = [], 0
    for place in found.tolist():
        if place >= free:
            taken.append(place)
            free = place + size
    return numpy.array(taken, found.dtype)


def _runs(part: bytes) -> tuple[Numbers, Numbers]:
    """Where words begin and end."""
    import numpy

    is_letter = numpy.zeros(len(part) + 2, "?")
    is_letter[1:-1] = numpy.frombuffer(part.translate(IS_LETTER), "?")
    edges = numpy.flatnonzero(is_letter[1:] != is_letter[:-1])
    return edges[::2], edges[1::2]


def _part_of(places: Numbers, starts: Numbers) -> Numbers:
    """How many of the sorted `starts` are at or before each of the sorted places, less one."""
    import numpy

    ends = numpy.append(numpy.searchsorted(places, starts), len(places))
    return numpy.repeat(numpy.arange(-1, len(starts)), numpy.diff(numpy.append(0, ends)))


def _grouped(part: Numbers, begins: Numbers, ends: Numbers) -> tuple[Numbers, Numbers]:
    """Numbers of groups of equal words, and the words in order: by group, then by place."""
    import numpy

    keys = _keys(part, begins, ends)
    order = numpy.argsort(keys)
    keys = keys[order]
    # Sorting numbers is many times as fast as sorting places by them in a stable way.
    both = (numpy.cumsum(_changes(keys)).astype("u8") << numpy.uint64(32)) | order.astype("u8")
    both.sort()
    return (both >> numpy.uint64(32)).astype("i4"), (both & numpy.uint64(0xFFFFFFFF)).astype("i8")


def _keys(part: Numbers, begins: Numbers, ends: Numbers) -> Numbers:
    """A number for each word: its bytes where they are eight at most, a mixture of 64 bits where they are more."""
    import numpy

    padded = numpy.append(part, numpy.zeros(8, "u1"))
    eights = numpy.ndarray(len(part) + 1, "<u8", padded, strides=(1,))
    masks = numpy.array([(1 << 8 * size) - 1 for size in range(9)], "u8")
    sizes = ends - begins
    keys: Numbers = eights[begins] & masks[numpy.minimum(sizes, 8)]
    longer, done = numpy.flatnonzero(sizes > 8), 8
    first, second = (numpy.uint64(one) for one in _FACTORS)
    while len(longer):
        rest = eights[begins[longer] + done] & masks[numpy.minimum(sizes[longer] - done, 8)]
        mixed = (keys[longer] * first) ^ (rest * second)
        keys[longer] = mixed ^ (mixed >> numpy.uint64(29))
        done += 8
        longer = longer[sizes[longer] > done]
    return keys


def _changes(values: Numbers) -> Numbers:
    """Whether each differs from the one before; the first does."""
    import numpy

    found = numpy.ones(len(values), "?")
    numpy.not_equal(values[1:], values[:-1], out=found[1:])
    return found
