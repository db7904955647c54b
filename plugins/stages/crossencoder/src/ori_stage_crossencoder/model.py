"""A cross-encoder of sentence-transformers as a function."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from aries_kernel.errors import UserError

__all__ = ["Scorer", "load_scorer"]

Scorer = Callable[[Sequence[tuple[str, str]]], Sequence[float]]
"""The one logit of each pair of a question and a text."""

_SURROGATES = re.compile("[\ud800-\udfff]")


def load_scorer(name: str, *, allow_download: bool) -> Scorer | None:
    """The model in this folder or of this name; None where the library is not there.

    Raises: UserError where the model cannot be loaded or does not give one number a text.
    """
    try:
        import sentence_transformers
        import torch
    except ImportError:
        return None
    try:
        with _silence():
            model = sentence_transformers.CrossEncoder(name, local_files_only=not allow_download)
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
        read = [(_readable(question), _readable(text)) for question, text in pairs]
        # The model's own activation may already be a sigmoid.
        logits = model.predict(read, activation_fn=torch.nn.Identity(), show_progress_bar=False)
        return [float(logit) for logit in logits]

    return score


@contextmanager
def _silence() -> Iterator[None]:
    """No progress bar where another program may be listening."""
    from transformers.utils import logging

    was_on = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        if was_on:
            logging.enable_progress_bar()


def _readable(text: str) -> str:
    """Half characters, which no encoding knows, as the character for what cannot be read."""
    return text if text.isascii() else _SURROGATES.sub("\ufffd", text)
