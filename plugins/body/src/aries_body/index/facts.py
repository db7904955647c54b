"""Facts of a file as bytes in three parts, so that what is asked for is what is read."""

from __future__ import annotations

import marshal
import zlib
from array import array
from collections.abc import Iterable
from functools import partial
from operator import itemgetter
from typing import Any, NamedTuple, TypeVar

from attrs import define

from aries_body.index.garbage import without_collection
from aries_kernel.contracts import Asking, Export, FileFacts, Import, Reference, References, Symbol

__all__ = ["Damaged", "Facts", "Parts", "checksum", "names_in", "pack_value", "packed", "unpack_value"]

_Row = TypeVar("_Row", bound=tuple[Any, ...])
_Links = tuple[tuple[Import, ...], tuple[Export, ...], tuple[Reference, ...], tuple[str, ...]]
_QUALIFIED = itemgetter(1)
_CHECK = 4


class Parts(NamedTuple):
    """What one file says, as bytes."""

    definitions: bytes
    links: bytes
    """Imports, exports, references to base classes and the full names of symbols, which other files need as well."""
    uses: bytes


class Damaged(ValueError):
    """The bytes are not what was written."""


def pack_value(value: Any) -> bytes:
    """Plain data as bytes with a checksum."""
    data = marshal.dumps(value)
    return zlib.crc32(data).to_bytes(_CHECK, "big") + data


def unpack_value(data: bytes) -> Any:
    """What `pack_value` was given.

    Raises: Damaged. The checksum is looked at first: marshal may end the process over bytes that it did not write.
    """
    view = memoryview(data)[_CHECK:]
    if len(data) <= _CHECK or zlib.crc32(view) != int.from_bytes(data[:_CHECK], "big"):
        raise Damaged("a checksum is wrong")
    return marshal.loads(view)


def checksum(packed: bytes) -> bytes:
    """What tells packed data from others."""
    return packed[:_CHECK]


def names_in(definitions: bytes) -> list[tuple[str, str]]:
    """The names of the symbols in packed definitions, plain and qualified; none where those are damaged."""
    try:
        return [row[:2] for row in unpack_value(definitions)[1]]
    except Damaged:
        return []


def packed(facts: FileFacts, uses: References) -> Facts:
    """Facts, and their references as columns, as bytes; equal facts give equal bytes."""
    symbols = tuple(map(tuple, facts.symbols))
    links = facts.imports, facts.exports, _bases(uses), tuple(map(_QUALIFIED, symbols))
    *rows, names = links
    columns = [(one.typecode, one.tobytes()) for one in (uses.lines, uses.asks, uses.insides)]
    parts = Parts(
        pack_value((facts.doc, symbols)),
        pack_value((*(tuple(map(tuple, one)) for one in rows), names)),
        pack_value((tuple(map(tuple, uses.asked)), *columns)),
    )
    return Facts(parts, None, links, uses)


def _bases(uses: References) -> tuple[Reference, ...]:
    if not any(one.kind == "base" for one in uses.asked):
        return ()
    return tuple(one for one in uses if one.kind == "base")


@define
class Facts:
    """What one file says; each part is unpacked when it is first looked at."""

    parts: Parts
    _definitions: tuple[str, tuple[Symbol, ...]] | None = None
    _links: _Links | None = None
    _uses: References | None = None

    @classmethod
    def empty(cls) -> Facts:
        """Of a file that says nothing."""
        return packed(FileFacts(""), References.of(()))

    @property
    def doc(self) -> str:
        """The first line of the file's own documentation."""
        return self._defined()[0]

    @property
    def symbols(self) -> tuple[Symbol, ...]:
        return self._defined()[1]

    @property
    def qualified(self) -> tuple[str, ...]:
        """The full names of the symbols, without the rest."""
        return self._linked()[3]

    @property
    def imports(self) -> tuple[Import, ...]:
        return self._linked()[0]

    @property
    def exports(self) -> tuple[Export, ...]:
        return self._linked()[1]

    @property
    def bases(self) -> tuple[Reference, ...]:
        """The references whose kind is `base`."""
        return self._linked()[2]

    @property
    def uses(self) -> References:
        """All references."""
        if self._uses is None:
            with without_collection():
                asked, *columns = unpack_value(self.parts.uses)
                rows = tuple(map(partial(tuple.__new__, Asking), asked))
                self._uses = References(rows, *(_column(*one) for one in columns))
        return self._uses

    def _defined(self) -> tuple[str, tuple[Symbol, ...]]:
        if self._definitions is None:
            with without_collection():
                doc, symbols = unpack_value(self.parts.definitions)
                self._definitions = doc, _rows(Symbol, symbols)
        return self._definitions

    def _linked(self) -> _Links:
        if self._links is None:
            with without_collection():
                imports, exports, bases, names = unpack_value(self.parts.links)
                self._links = _rows(Import, imports), _rows(Export, exports), _rows(Reference, bases), names
        return self._links


def _column(code: str, data: bytes) -> array[int]:
    column = array(code)
    column.frombytes(data)
    return column


def _rows(kind: type[_Row], rows: Iterable[tuple[Any, ...]]) -> tuple[_Row, ...]:
    # Named tuples made without a call of Python code each: there are hundreds of thousands.
    return tuple(map(partial(tuple.__new__, kind), rows))
