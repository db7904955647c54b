"""A cross-encoder of sentence-transformers as a function."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from aries_kernel.errors import UserError
from aries_kernel.local_models import model_folder, readable, without_progress

__all__ = ["Scorer", "load_scorer"]

Scorer = Callable[[Sequence[tuple[str, str]]], Sequence[float]]
"""The one logit of each pair of a question and a text."""


def load_scorer(name: str, *, allow_download: bool) -> Scorer | None:
    """The model in this folder or of this name; None where the library is not there.

    Raises: UserError where the model cannot be loaded or does not give one number a text.
    """
    try:
        import sentence_transformers
        import torch
        from transformers.utils import logging
    except ImportError:
        return None
    place = model_folder(name)
    try:
        with without_progress(logging):
            model = sentence_transformers.CrossEncoder(str(place or name), local_files_only=not allow_download)
    except Exception as error:  # Whatever the model's own files make the library raise.
        cure = "" if allow_download else ", or set allow_download to have it fetched"
        raise UserError(
            f"The model {name!r} of the stage crossencoder cannot be loaded; name the folder of a cross-encoder{cure}."
        ) from error
    if model.num_labels != 1:
        raise UserError(
            f"The model {name!r} gives {model.num_labels} numbers a text; the stage crossencoder needs one that gives "
            "a single number, as the ms-marco models do."
        )

    def score(pairs: Sequence[tuple[str, str]]) -> Sequence[float]:
        read = [(readable(question), readable(text)) for question, text in pairs]
        # The model's own activation may already be a sigmoid.
        logits = model.predict(read, activation_fn=torch.nn.Identity(), show_progress_bar=False)
        return [float(logit) for logit in logits]

    return score
