"""How much alike notes are: by their vectors where all of them have some, else by the words of their texts."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence

from aries_kernel.contracts import Corpus

__all__ = ["Likeness", "likeness_by_vectors", "likeness_by_words", "texts_of", "word_sets"]

Likeness = Callable[[int, int], float]
"""From 0 to 1, of two notes."""

_WORD = re.compile(r"\w+")
_UNSEGMENTED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]{2,}")
"""Scripts without spaces between words: their pairs of signs stand for words."""


def texts_of(notes: Collection[int], corpus: Corpus) -> Mapping[int, str]:
    """Title and text of each note."""
    texts = corpus.texts(notes)
    return {note: f"{view.title}\n{texts.get(note, '')}" for note, view in corpus.describe(notes).items()}


def word_sets(texts: Mapping[int, str]) -> Mapping[int, frozenset[str]]:
    """The words of each text."""
    return {note: frozenset(_words(text.casefold())) for note, text in texts.items()}


def _words(text: str) -> set[str]:
    words = set(_WORD.findall(text))
    for run in _UNSEGMENTED.findall(text):
        words |= {run[start : start + 2] for start in range(len(run) - 1)}
    return words


def likeness_by_words(words: Mapping[int, frozenset[str]]) -> Likeness:
    """The share of the words of both that both have (Jaccard)."""

    def likeness(one: int, other: int) -> float:
        either = len(words[one] | words[other])
        return len(words[one] & words[other]) / either if either else 1.0

    return likeness


def likeness_by_vectors(notes: Sequence[int], corpus: Corpus) -> Likeness | None:
    """The cosine of the notes' mean vectors; None where one of them has none."""
    vectors = corpus.vectors()
    if isinstance(vectors, str):
        return None
    import numpy as np

    owners = np.asarray(vectors.owners)
    rows = np.asarray(vectors.rows, dtype=np.float32).reshape(-1, vectors.dimensions)
    means = []
    for note in notes:
        mean = rows[np.flatnonzero(owners == note)].sum(axis=0)
        length = float(np.linalg.norm(mean))
        if not length:
            return None
        means.append(mean / length)
    cosines = np.clip(np.stack(means) @ np.stack(means).T, 0.0, 1.0).tolist() if means else []
    place = {note: number for number, note in enumerate(notes)}
    return lambda one, other: float(cosines[place[one]][place[other]])
