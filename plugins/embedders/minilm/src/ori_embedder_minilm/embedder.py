"""The embedder `minilm`."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from attrs import field, frozen, validators

from ori_embedder_minilm.blas import BlasLimit
from ori_embedder_minilm.files import MODEL, TOKENIZER, ModelFile, verify
from ori_embedder_minilm.network import DIMENSIONS, Network
from ori_embedder_minilm.words import WINDOW, WordPieces

if TYPE_CHECKING:
    from aries_kernel.contracts.embedder import EmbedderContext

__all__ = ["MiniLm", "Options"]

_BATCH = 1_024
"""Pieces of a pass: more makes nothing faster, and needs more memory."""


@frozen
class Options:
    """Settings below `embedders.minilm`."""

    threads: int = field(default=1, validator=[validators.instance_of(int), validators.ge(1)])
    """Threads of a pass; more than one helps a machine that has nothing else to do."""


class MiniLm:
    """all-MiniLM-L6-v2 with 8-bit weights; the mean over 256 word pieces."""

    options_type: ClassVar[type[Options]] = Options
    dimensions = DIMENSIONS
    window = WINDOW

    def __init__(self, context: EmbedderContext) -> None:
        self._threads = context.options.threads if isinstance(context.options, Options) else 1
        self._loading = _Loading(context, self._threads)

    @property
    def fingerprint(self) -> str:
        self._loading.verify(MODEL)
        self._loading.verify(TOKENIZER)
        return f"minilm-l6-v2-int8:{MODEL.sha256[:12]}:mean:{WINDOW}"

    def token_spans(self, text: str) -> Sequence[tuple[int, int]]:
        return self._loading.words().spans(text)

    def embed_query(self, text: str) -> bytes:
        return self.embed_passages([text])

    def embed_passages(self, texts: Sequence[str]) -> bytes:
        if not texts:
            return b""
        network, limit = self._loading.network()
        import numpy

        out = numpy.zeros((len(texts), DIMENSIONS), "<f4")
        for places, pieces in _batches(self._loading.words(), texts):
            with limit.hold():
                out[places] = network.embed(pieces)
        return out.tobytes()


class _Loading:
    """What is loaded, each part when it is first asked for, once however many ask."""

    def __init__(self, context: EmbedderContext, threads: int) -> None:
        self._cache = context.cache_folder
        self._threads = threads
        self._lock = threading.RLock()
        self._verified: dict[ModelFile, Path] = {}
        self._words: WordPieces | None = None
        self._network: tuple[Network, BlasLimit] | None = None

    def verify(self, file: ModelFile) -> Path:
        with self._lock:
            if file not in self._verified:
                self._verified[file] = verify(file, self._cache)
            return self._verified[file]

    def words(self) -> WordPieces:
        with self._lock:
            if self._words is None:
                self._words = WordPieces(self.verify(TOKENIZER))
            return self._words

    def network(self) -> tuple[Network, BlasLimit]:
        with self._lock:
            if self._network is None:
                limit = BlasLimit(self._threads)  # Imports numpy in its own way, so it comes first.
                self._network = Network(self.verify(MODEL)), limit
            return self._network


def _batches(words: WordPieces, texts: Sequence[str]) -> Iterator[tuple[list[int], list[list[int]]]]:
    """Places and pieces of texts that go together, in their order; a text without a piece is in none."""
    places: list[int] = []
    pieces: list[list[int]] = []
    for place, text in enumerate(texts):
        found = words.window(text)
        if places and sum(map(len, pieces)) + len(found) > _BATCH:
            yield places, pieces
            places, pieces = [], []
        if found:
            places.append(place)
            pieces.append(found)
    if places:
        yield places, pieces
