"""Cosine of a question's vector and those of passages; a note counts by its best one."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import TYPE_CHECKING

from attrs import frozen

from aries_kernel.contracts import Corpus, Place, Question, Scores, Skipped, Vectors
from aries_kernel.ranking import FOUND, spread_out

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Options", "Semantic"]


@frozen
class Options:
    """Settings of the signal."""

    neighbour_share: float = 0.5
    """How much of a note's score in a thread comes from its neighbours' meaning."""
    understood: float = 0.05
    """Mean similarity of the question to all passages up to which the model tells texts of this language apart."""
    not_understood: float = 0.45
    """Mean similarity from which on everything looks alike to the model: it has no say then."""


class Semantic:
    """Exact search over all passages; no index is needed below half a million."""

    name, role = "semantic", "vote"
    description = "passages by meaning"
    options_type = Options

    def __init__(self, options: Options) -> None:
        self._options = options

    def score(self, question: Question, corpus: Corpus, found: Mapping[int, float]) -> Scores | Skipped:
        """Notes by their best passage; the confidence falls where the model cannot tell texts apart.

        Raises: UserError where the model cannot be used.
        """
        vectors = corpus.vectors()
        if isinstance(vectors, str):
            return Skipped(vectors)
        if not question.text.strip():
            return Skipped("the question is empty")
        passages = _Passages.of(vectors, corpus.embed(question.text))
        similarities = passages.nearest(_NEAR)
        if not similarities:
            return Skipped("no note has a vector yet")
        places = corpus.places(similarities.keys())
        if places or len(similarities) <= FOUND:
            similarities = passages.nearest(_NEAREST)
            places = corpus.places(similarities.keys())
        apart = self._apart(question, passages.background, len(vectors.owners))
        # A vault of one subject looks like a foreign language, but not where the question is English. Single lines of
        # a talk are told apart badly in any language.
        talk = len(places) / len(similarities)
        confidence = 1 - talk * (1 - apart) if question.is_english else apart
        if confidence <= 0:
            return Skipped("the model does not understand the language of the question")
        # They come nearest first, and no more count.
        scores = spread_out(dict(islice(similarities.items(), FOUND + 1)))
        scores = self._with_neighbours(similarities, places, scores)
        # Of a vault that is being embedded it knows a part: it must not outvote those who know all of it.
        known = min(1.0, (vectors.covered + vectors.stale) / max(1, corpus.note_count))
        return Scores(scores, confidence * known, _told(vectors), telling=max(0.0, apart) * known)

    def _apart(self, question: Question, background: float, passages: int) -> float:
        """How well the model tells the texts of this vault apart, up to 1.

        In a language it does not know all passages are about equally similar to it, and talk is more so than prose. So
        are the passages of a small vault of one subject: a few prove nothing against a question in Latin letters.
        """
        if passages < _TELLING and (question.is_english or question.text.isascii()):
            return 1.0
        options = self._options
        return min(1.0, (options.not_understood - background) / (options.not_understood - options.understood))

    def _with_neighbours(
        self, similarities: Mapping[int, float], places: Mapping[int, Place], own: dict[int, float]
    ) -> dict[int, float]:
        share = self._options.neighbour_share
        if not places or share <= 0:
            return own
        around = spread_out(_smoothed(similarities, places))
        mixed = {
            note: (1 - share) * own.get(note, 0.0) + share * around.get(note, 0.0) if note in places else score
            for note, score in {**around, **own}.items()
        }
        return spread_out(mixed)


_TELLING = 100
"""Passages from which on their mean similarity says something about the model."""
_NEAR, _NEAREST = 10 * FOUND, 40 * FOUND
"""Passages that are looked at, and those where that is not enough: a note of a thread is known by its neighbours too,
and long notes have many passages. A note of which none is among them is far from everything asked."""
_FALLING = ((1, 0.5), (2, 0.25))
"""Weight of a neighbour by its distance."""


def _smoothed(similarities: Mapping[int, float], places: Mapping[int, tuple[int, int, str]]) -> dict[int, float]:
    """Each note of a thread with a share of its neighbours."""
    by_seat = {(thread, position): similarities[note] for note, (thread, position, _) in places.items()}
    return {
        note: similarities[note]
        + sum(
            weight * by_seat.get((thread, position + side * step), 0.0) for step, weight in _FALLING for side in (-1, 1)
        )
        for note, (thread, position, _) in places.items()
    }


@frozen(eq=False)
class _Passages:
    """How like a question the passages are."""

    alike: NDArray[np.float32]
    owners: NDArray[np.int64]
    """The note of each; below 0 where it has none."""
    known: int
    """Those that have one."""
    background: float
    """The mean over them."""

    @classmethod
    def of(cls, vectors: Vectors, query: bytes) -> _Passages:
        import numpy as np

        owners = np.asarray(vectors.owners, dtype=np.int64)
        rows: NDArray[np.float32] = np.asarray(vectors.rows, dtype=np.float32).reshape(-1, vectors.dimensions)[
            : len(owners)
        ]
        # As fast as a product by linear algebra, whose threads wait for each other where the machine is busy.
        alike: NDArray[np.float32] = np.einsum("ij,j->i", rows, np.frombuffer(query, dtype=np.float32))
        left_out = np.flatnonzero(owners < 0)
        known = len(alike) - len(left_out)
        alike[left_out] = 0.0
        background = float(alike.sum(dtype=np.float64)) / max(1, known)
        alike[left_out] = -2.0
        return cls(alike, owners, known, background)

    def nearest(self, most: int) -> dict[int, float]:
        """The best similarity of each note among so many passages, nearest first."""
        import numpy as np

        alike, owners, count = self.alike, self.owners, min(self.known, most)
        if not count:
            return {}
        nearest = np.argpartition(alike, len(alike) - count)[-count:]
        nearest = nearest[np.lexsort((owners[nearest], -alike[nearest]))]
        _, first = np.unique(owners[nearest], return_index=True)
        best = nearest[np.sort(first)]
        return dict(zip(owners[best].tolist(), alike[best].tolist(), strict=True))


def _told(vectors: Vectors) -> str:
    return f"{vectors.stale:,} notes are known by an older text" if vectors.stale else ""
