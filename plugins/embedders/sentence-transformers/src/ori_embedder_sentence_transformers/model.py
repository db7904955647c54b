"""A loaded model: its tokens, its window, its vectors."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from aries_kernel.errors import UserError
from aries_kernel.local_models import readable, without_progress
from ori_embedder_sentence_transformers.options import Options

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Floats = NDArray[numpy.float32]

__all__ = ["Model"]

_USUAL_WINDOW = 512
_UNLIMITED = 100_000
"""From here on a length is no limit but a way to say that there is none."""
_LONGEST = 100
"""Characters a token of the window may have on average; what follows is not even split into tokens."""


class Model:
    """One model on one device; not for several threads at once."""

    def __init__(self, folder: Path, options: Options) -> None:
        self._options = options
        self._model: Any = _load(folder, options)
        self._tokenizer: Any = self._model.tokenizer
        self.window = self._find_window()
        # Models may end in layers that change the width, so it is looked at, not asked for.
        self.dimensions = int(self._encode(["a"], "").shape[1])

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Start and end of the tokens; pieces of one character share its place, markers without one are left out."""
        text = readable(text)
        if hasattr(self._tokenizer, "encode_batch"):  # Models that only look vectors up keep the bare tokenizer.
            offsets = self._tokenizer.encode(text, add_special_tokens=False).offsets
        else:
            settings = {"add_special_tokens": False, "truncation": False, "return_offsets_mapping": True}
            offsets = self._tokenizer(text, verbose=False, **settings)["offset_mapping"]
        return [(start, end) for start, end in offsets if start < end]

    def embed(self, texts: Sequence[str], kind: str) -> Floats:
        """A row for each text; `kind` is query or passage. A text without a token is all zeros."""
        import numpy

        heads = [readable(text[: self.window * _LONGEST]) for text in texts]
        places = [place for place, text in enumerate(heads) if self.spans(text)]
        rows = numpy.zeros((len(texts), self.dimensions), "<f4")
        if places:
            rows[places] = self._encode([heads[place] for place in places], self._prefix(kind))
        return rows

    def _prefix(self, kind: str) -> str:
        given = self._options.query_prefix if kind == "query" else self._options.passage_prefix
        if given is not None:
            return given
        prompts: dict[str, str] = getattr(self._model, "prompts", None) or {}
        names = ("query",) if kind == "query" else ("passage", "document")
        return next((prompts[name] for name in names if prompts.get(name)), "")

    def _encode(self, texts: list[str], prefix: str) -> Floats:
        import numpy

        rows = self._model.encode(
            texts, prompt=prefix, batch_size=self._options.batch_size, normalize_embeddings=True,
            show_progress_bar=False,
        )  # fmt: skip
        return numpy.asarray(rows, "<f4")

    def _find_window(self) -> int:
        for length in (self._model.max_seq_length, getattr(self._tokenizer, "model_max_length", None)):
            if isinstance(length, int) and 0 < length < _UNLIMITED:
                return length
        return _USUAL_WINDOW


def _load(folder: Path, options: Options) -> Any:
    from sentence_transformers import SentenceTransformer
    from transformers.utils import logging

    device = _device(options)
    try:
        with without_progress(logging):
            model = SentenceTransformer(
                str(folder), device=device, local_files_only=True, trust_remote_code=options.trust_remote_code
            )
    except Exception as error:  # Whatever the model's own files make the library raise.
        lines = str(error).strip().splitlines() or [type(error).__name__]
        raise UserError(
            f"{folder} cannot be loaded as a model of sentence-transformers: {lines[0]} Check embedders."
            "sentence-transformers.model; a model with program text of its own needs trust_remote_code: true."
        ) from error
    tokenizer = getattr(model, "tokenizer", None)
    if not hasattr(tokenizer, "encode_batch") and not getattr(tokenizer, "is_fast", False):
        raise UserError(f"The tokenizer of {folder} does not tell where its tokens stand; choose another model.")
    return model


def _device(options: Options) -> str | None:
    """What the library is told; None lets it choose."""
    import torch

    there = {"cuda": torch.cuda.is_available, "mps": torch.backends.mps.is_available}
    if options.device in there and not there[options.device]():
        raise UserError(
            f"torch finds no {options.device} device here; set embedders.sentence-transformers.device to auto or cpu, "
            "or install the build of torch that fits."
        )
    return None if options.device == "auto" else options.device
