"""The data file: rows of float32 after a header, appended to, and mapped for reading.

A row that was once named is not written again but with zeros, since readers may have it mapped. A new file has a new
name: Windows replaces no file that is mapped.
"""

from __future__ import annotations

import mmap
import os
import secrets
import struct
from collections.abc import Iterable, Iterator
from pathlib import Path

from attrs import frozen

__all__ = ["PATTERN", "RowFile", "RowsLost"]

PATTERN = "vectors-*.f32"
_HEADER = 64
_FORM = struct.Struct("<8sI")
_MAGIC = b"ori-f32\0"


class RowsLost(Exception):
    """The file is not there, or is none of ours."""


@frozen
class RowFile:
    """A file of rows; nothing is held open."""

    path: Path
    dimensions: int

    @classmethod
    def create(cls, folder: Path, dimensions: int) -> RowFile:
        """An empty one under a new name. Raises: OSError."""
        path = folder / f"vectors-{secrets.token_hex(4)}.f32"
        with path.open("xb") as file:
            file.write(_FORM.pack(_MAGIC, dimensions).ljust(_HEADER, b"\0"))
            file.flush()
            os.fsync(file.fileno())
        return cls(path, dimensions)

    @property
    def width(self) -> int:
        """Bytes of a row."""
        return 4 * self.dimensions

    def whole_rows(self) -> int:
        """How many rows there are. Raises: RowsLost."""
        try:
            with self.path.open("rb") as file:
                head = file.read(_HEADER)
                size = os.fstat(file.fileno()).st_size
        except OSError as error:
            raise RowsLost(f"{self.path.name} cannot be read: {error.strerror}") from error
        if len(head) < _HEADER or _FORM.unpack_from(head) != (_MAGIC, self.dimensions):
            raise RowsLost(f"{self.path.name} is not what was written")
        return (size - _HEADER) // self.width

    def write(self, first: int, data: bytes) -> None:
        """Put rows at a place and on the disk. Raises: OSError."""
        with self.path.open("r+b") as file:
            file.seek(_HEADER + first * self.width)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())

    def read(self, row: int) -> bytes:
        """Raises: OSError."""
        with self.path.open("rb") as file:
            file.seek(_HEADER + row * self.width)
            return file.read(self.width)

    def read_many(self, rows: Iterable[int]) -> Iterator[bytes]:
        """Raises: OSError."""
        with self.path.open("rb") as file:
            for row in rows:
                file.seek(_HEADER + row * self.width)
                yield file.read(self.width)

    def zero(self, kept: Iterable[int]) -> None:
        """Overwrite every row but these, rising ones. Raises: OSError."""
        rows, empty = self.whole_rows(), bytes(self.width)
        with self.path.open("r+b") as file:
            size = os.fstat(file.fileno()).st_size
            place = 0
            for row in (*kept, rows):
                for dead in range(place, min(row, rows)):
                    file.seek(_HEADER + dead * self.width)
                    file.write(empty)
                place = row + 1
            file.seek(_HEADER + rows * self.width)
            file.write(bytes(size - _HEADER - rows * self.width))
            file.flush()
            os.fsync(file.fileno())

    def map(self, count: int) -> memoryview[float]:
        """The first rows as numbers; the memory stays mapped while somebody holds them. Raises: OSError, ValueError."""
        size = _HEADER + count * self.width
        with self.path.open("rb") as file:
            mapped = mmap.mmap(file.fileno(), size, access=mmap.ACCESS_READ)
        return memoryview(mapped)[_HEADER:size].cast("f")
