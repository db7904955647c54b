"""The embedder `sentence-transformers`."""

from __future__ import annotations

import hashlib
import re
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from aries_kernel.contracts.embedder import EmbedderContext
from ori_embedder_sentence_transformers.model import Model
from ori_embedder_sentence_transformers.model_folder import digest, find_folder
from ori_embedder_sentence_transformers.options import Options

__all__ = ["SentenceTransformers"]


class SentenceTransformers:
    """One model of sentence-transformers; one pass at a time, however many threads ask."""

    options_type: ClassVar[type[Options]] = Options

    def __init__(self, context: EmbedderContext) -> None:
        self._options = context.options if isinstance(context.options, Options) else Options()
        self._cache = context.cache_folder
        self._lock = threading.RLock()
        self._folder: Path | None = None
        self._fingerprint: str | None = None
        self._model: Model | None = None

    @property
    def fingerprint(self) -> str:
        with self._lock:
            if self._fingerprint is None:
                self._fingerprint = self._find_fingerprint()
            return self._fingerprint

    @property
    def dimensions(self) -> int:
        with self._lock:
            return self._loaded().dimensions

    @property
    def window(self) -> int:
        with self._lock:
            return self._loaded().window

    def token_spans(self, text: str) -> Sequence[tuple[int, int]]:
        with self._lock:
            return self._loaded().spans(text)

    def embed_query(self, text: str) -> bytes:
        with self._lock:
            return self._loaded().embed([text], "query").tobytes()

    def embed_passages(self, texts: Sequence[str]) -> bytes:
        with self._lock:
            return self._loaded().embed(texts, "passage").tobytes() if texts else b""

    def _found(self) -> Path:
        if self._folder is None:
            self._folder = find_folder(self._options)
        return self._folder

    def _loaded(self) -> Model:
        if self._model is None:
            self._model = Model(self._found(), self._options)
        return self._model

    def _find_fingerprint(self) -> str:
        options = self._options
        shaping = [digest(self._found(), self._cache), options.query_prefix, options.passage_prefix]
        name = re.sub(r"[^\w.-]+", "-", Path(options.model).name)[:60]
        return f"sentence-transformers:{name}:{hashlib.sha256(repr(shaping).encode()).hexdigest()[:12]}"
