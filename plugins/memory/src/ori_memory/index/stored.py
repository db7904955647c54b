"""A note's text as the search tables hold it, read again."""

from __future__ import annotations

import sqlite3
import sys
import zlib
from array import array

from aries_kernel.values import frozen
from ori_memory.index.irregular import regular
from ori_memory.index.words import code_names, is_plain, parts, pieces, spread
from ori_memory.notes.spans import Spans

__all__ = ["StoredText", "pack", "pack_spans", "unpack"]

_SEPARATOR = "\0"
_SHORT = 1000
"""To make a shorter text smaller takes longer than to write it."""


@frozen
class StoredText:
    """What of a note can be searched."""

    title: str
    aliases: str
    """And what the file's name says beside the title."""
    description: str
    properties: str
    """As `property_text` gives them."""
    headings: str
    body: str
    taken: bytes
    """Starts, then ends of what in the body holds no mentions, as numbers of four bytes, the lowest first."""

    @property
    def spans(self) -> Spans:
        """What in the body holds no mentions."""
        return _spans(self.taken)

    def whole(self) -> str:
        """All that a question may ask for, as it is read. Headings stand in the body."""
        return _plain_names("\n".join((self.title, self.aliases, self.description, self.properties, self.body)))

    def searched(self) -> tuple[tuple[str, ...], str]:
        """The columns of `words`, and what `pieces` holds."""
        whole = self.whole()
        about = "\n".join(filter(None, (self.description, self.properties)))
        columns = tuple(map(_plain_names, (self.title, self.aliases, about, self.headings, self.body)))
        columns = tuple(map(regular, columns if is_plain(whole) else map(spread, columns)))
        names = code_names(whole)
        return (*columns, regular(parts(names))), pieces(whole, names)


def pack(text: StoredText) -> str | bytes:
    """What of a text is kept, but for `taken`."""
    whole = _SEPARATOR.join((text.title, text.aliases, text.description, text.properties, text.headings, text.body))
    return whole if len(whole) < _SHORT else zlib.compress(whole.encode("utf-8"), 1)


def unpack(data: str | bytes, taken: bytes = b"") -> StoredText:
    """Raises: sqlite3.DatabaseError where the bytes are not what was written."""
    try:
        whole = data if isinstance(data, str) else zlib.decompress(data).decode("utf-8")
        title, aliases, description, properties, headings, body = whole.split(_SEPARATOR)
        return StoredText(title, aliases, description, properties, headings, body, taken)
    except (zlib.error, UnicodeDecodeError, ValueError) as error:
        raise sqlite3.DatabaseError(f"a stored text is damaged: {error}") from error


def pack_spans(spans: Spans) -> bytes:
    """As `StoredText.taken` holds them."""
    return _same_everywhere(array("I", (*spans.starts, *spans.ends))).tobytes()


def _spans(data: bytes) -> Spans:
    places = array("I")
    places.frombytes(data)
    numbers = _same_everywhere(places).tolist()
    spans, half = Spans(), len(numbers) // 2
    # They are in order and apart already.
    spans.starts, spans.ends = numbers[:half], numbers[half:]
    return spans


def _plain_names(text: str) -> str:
    """`exec\\_filter` is how some programs write exec_filter."""
    return text.replace("\\_", "_") if "\\_" in text else text


def _same_everywhere(numbers: array[int]) -> array[int]:
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers
