"""The forward pass of all-MiniLM-L6-v2: six layers, written out over the int8 weights as they lie in the file.

A batch is one matrix with a row for every word piece of every text, so nothing is padded and no text sees another; only
attention looks at each text by itself.
"""

from __future__ import annotations

import math
import mmap
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import define, field, frozen

from ori_embedder_minilm.onnx_tensors import read_tensors

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Array = NDArray[Any]
    Floats = NDArray[numpy.float32]

__all__ = ["DIMENSIONS", "Network"]

DIMENSIONS = 384
_LAYERS = 6
_HEADS = 12
_MANY = 64
_WIDEST, _TILE = 192, 64 * 1536
"""Columns, and numbers, of a matrix that are expanded at once for a few rows: they stay in the processor's cache, and a
product that small is not packed. The matrix then costs its 8-bit numbers to read, where all the time goes."""
_STEP = 4
"""Few rows are filled up to a multiple: a product of 15 rows takes longer than one of 16."""
_BLOCK = 32
"""Rows whose activation is computed at once: they stay in the processor's cache."""


@define(eq=False)
class _Linear:
    """A matrix of 8-bit integers with a scale for every column, and what is added."""

    values: Array
    scale: Floats
    bias: Floats
    _tiles: Array | None = field(default=None, init=False)
    """The columns in groups, made for the first question."""

    def __call__(self, rows: Floats) -> Floats:
        out: Floats = self._by_tiles(rows) if len(rows) < _MANY else rows @ self.values.astype("f4")
        out *= self.scale
        out += self.bias
        return out

    def _by_tiles(self, rows: Floats) -> Floats:
        import numpy

        if self._tiles is None:
            height, width = self.values.shape
            group = min(_WIDEST, _TILE // height)
            self._tiles = numpy.ascontiguousarray(self.values.reshape(height, width // group, group).transpose(1, 0, 2))
        count, height, group = self._tiles.shape
        filled = numpy.zeros((-(-len(rows) // _STEP) * _STEP, height), "f4")
        filled[: len(rows)] = rows
        out: Floats = numpy.empty((count, len(filled), group), "f4")
        expanded = numpy.empty((height, group), "f4")
        for tile, place in zip(self._tiles, out, strict=True):
            expanded[...] = tile
            numpy.matmul(filled, expanded, out=place)
        return out[:, : len(rows)].transpose(1, 0, 2).reshape(len(rows), count * group)


@frozen(eq=False)
class _Norm:
    """Each row with mean 0 and variance 1, then scaled and shifted."""

    weight: Floats
    bias: Floats

    def __call__(self, rows: Floats) -> Floats:
        import numpy

        width = rows.shape[1]
        rows -= (numpy.add.reduce(rows, axis=1) / width)[:, None]
        variance = numpy.einsum("ij,ij->i", rows, rows) / width
        rows *= (1 / numpy.sqrt(variance + 1e-12))[:, None]
        rows *= self.weight
        rows += self.bias
        return rows


@frozen(eq=False)
class _Layer:
    """Attention, then two linear steps with an activation between."""

    query: _Linear
    key: _Linear
    value: _Linear
    output: _Linear
    attention_norm: _Norm
    widen: _Linear
    narrow: _Linear
    norm: _Norm

    def __call__(self, rows: Floats, lengths: Sequence[int]) -> Floats:
        mixed = self.output(_attend(self.query(rows), self.key(rows), self.value(rows), lengths))
        mixed += rows
        rows = self.attention_norm(mixed)
        wide = self.widen(rows)
        for start in range(0, len(wide), _BLOCK):
            _gelu(wide[start : start + _BLOCK])
        narrow = self.narrow(wide)
        narrow += rows
        return self.norm(narrow)


class Network:
    """The weights of one file, which is mapped, not read."""

    def __init__(self, path: Path) -> None:
        with path.open("rb") as file:
            data = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
        tensors = {name.removeprefix("inner."): tensor for name, tensor in read_tensors(data).items()}
        embeddings = "embeddings."
        self._words = tensors[embeddings + "word_embeddings.weight_q"]
        self._word_scales = tensors[embeddings + "word_embeddings.weight_scale"]
        positions = tensors[embeddings + "position_embeddings.weight_q"].astype("f4")
        positions *= tensors[embeddings + "position_embeddings.weight_scale"]
        positions += tensors[embeddings + "token_type_embeddings.weight"][0]
        self._positions = positions
        self._norm = _norm(tensors, embeddings)
        # The exporter named the matrices by numbers; they stand in the order in which they are used.
        matrices = [name.removesuffix("_q") for name in tensors if name.startswith("val_") and name.endswith("_q")]
        self._layers = [
            _layer(tensors, f"encoder.layer.{number}.", matrices[6 * number : 6 * number + 6])
            for number in range(_LAYERS)
        ]

    def embed(self, texts: Sequence[Sequence[int]]) -> Floats:
        """A row of length 1 for every text, which has at least one piece: the mean over its pieces."""
        import numpy

        lengths = [len(text) for text in texts]
        ids = numpy.concatenate([numpy.asarray(text, "i8") for text in texts])
        rows = self._words[ids] * self._word_scales[ids]
        rows += self._positions[numpy.concatenate([numpy.arange(length) for length in lengths])]
        rows = self._norm(rows)
        for layer in self._layers:
            rows = layer(rows, lengths)
        starts = numpy.cumsum([0, *lengths[:-1]])
        sums: Floats = numpy.add.reduceat(rows, starts, axis=0)
        sums /= numpy.linalg.norm(sums, axis=1, keepdims=True)
        return sums


def _layer(tensors: dict[str, Array], name: str, matrices: Sequence[str]) -> _Layer:
    query, key, value, output, widen, narrow = (
        _Linear(tensors[matrix + "_q"], tensors[matrix + "_scale"][0], tensors[f"{name}{place}.bias"])
        for matrix, place in zip(
            matrices,
            (
                "attention.self.query",
                "attention.self.key",
                "attention.self.value",
                "attention.output.dense",
                "intermediate.dense",
                "output.dense",
            ),
            strict=True,
        )
    )
    return _Layer(
        query, key, value, output, _norm(tensors, name + "attention.output."), widen, narrow,
        _norm(tensors, name + "output."),
    )  # fmt: skip


def _norm(tensors: dict[str, Array], name: str) -> _Norm:
    return _Norm(tensors[name + "LayerNorm.weight"], tensors[name + "LayerNorm.bias"])


def _attend(query: Floats, key: Floats, value: Floats, lengths: Sequence[int]) -> Floats:
    """What every piece takes from the others of its text, head by head."""
    import numpy

    out = numpy.empty_like(query)
    query *= (DIMENSIONS // _HEADS) ** -0.5
    start = 0
    for length in lengths:
        # Views: heads first, then pieces, then the numbers of a head.
        queries, keys, values, place = (
            rows[start : start + length].reshape(length, _HEADS, -1).transpose(1, 0, 2)
            for rows in (query, key, value, out)
        )
        weights = queries @ keys.transpose(0, 2, 1)
        weights -= weights.max(axis=2, keepdims=True)
        numpy.exp(weights, out=weights)
        mixed = weights @ values
        mixed /= weights.sum(axis=2, keepdims=True)
        place[...] = mixed
        start += length
    return out


def _gelu(rows: Floats) -> None:
    """In place: x times the normal distribution's share below x, by Abramowitz and Stegun 7.1.26 (error 1.5e-7)."""
    import numpy

    size = numpy.abs(rows)
    t = size * numpy.float32(0.3275911 / math.sqrt(2))
    t += 1
    numpy.reciprocal(t, out=t)
    above = t * numpy.float32(1.061405429 / 2)
    for factor in (-1.453152027, 1.421413741, -0.284496736, 0.254829592):
        above += numpy.float32(factor / 2)
        above *= t
    numpy.multiply(size, size, out=t)
    t *= numpy.float32(-0.5)
    numpy.exp(t, out=t)
    above *= t
    above *= size
    numpy.maximum(rows, 0, out=rows)
    rows -= above
