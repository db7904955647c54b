"""The initialisers of an ONNX file as arrays over its bytes: the few fields of the format that hold them, nothing else.

https://protobuf.dev/programming-guides/encoding and the fields' numbers in onnx.proto: ModelProto.graph = 7,
GraphProto.initializer = 5, TensorProto.dims = 1, .data_type = 2, .name = 8, .raw_data = 9.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

__all__ = ["read_tensors"]

_TYPES = {1: "<f4", 3: "i1"}
"""TensorProto.DataType: FLOAT and INT8; the file's few tensors of other types are shapes and constants."""


def read_tensors(data: memoryview) -> dict[str, Array]:
    """The tensors of 32-bit floats and 8-bit integers by name, in the order of the file; nothing is copied.

    The file is one whose hash is known: what is no ONNX file gives any error.
    """
    (graph,) = (value for number, value in _fields(data) if number == 7)
    found = (_tensor(value) for number, value in _fields(graph) if number == 5 and isinstance(value, memoryview))
    return dict(one for one in found if one is not None)


def _tensor(message: int | memoryview) -> tuple[str, Array] | None:
    import numpy

    shape, kind, name, raw = [], 0, "", memoryview(b"")
    for number, value in _fields(message):
        if isinstance(value, int):
            shape += [value] if number == 1 else []
            kind = value if number == 2 else kind
        elif number == 8:
            name = bytes(value).decode()
        elif number == 9:
            raw = value
    return (name, numpy.frombuffer(raw, _TYPES[kind]).reshape(shape)) if kind in _TYPES and raw else None


def _fields(message: int | memoryview) -> Iterator[tuple[int, int | memoryview]]:
    """Number and value of every field: a number, or the bytes of a text or message."""
    assert isinstance(message, memoryview)
    at = 0
    while at < len(message):
        key, at = _varint(message, at)
        if key & 7 == 0:
            value, at = _varint(message, at)
            yield key >> 3, value
        elif key & 7 == 2:
            size, at = _varint(message, at)
            yield key >> 3, message[at : at + size]
            at += size
        else:
            at += 8 if key & 7 == 1 else 4


def _varint(message: memoryview, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = message[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
        shift += 7
