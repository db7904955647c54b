"""The similarity of notes and a question."""

from __future__ import annotations

from collections.abc import Collection

from aries_kernel.contracts import Vectors

__all__ = ["closest", "closest_of"]


def closest(vectors: Vectors, query: bytes, note: int) -> float | None:
    """Cosine of the note's best passage; None where it has no vectors."""
    return closest_of(vectors, query, [note]).get(note)


def closest_of(vectors: Vectors, query: bytes, notes: Collection[int]) -> dict[int, float]:
    """The same of several notes at once; those without vectors are left out."""
    import numpy as np

    owners = np.asarray(vectors.owners)
    owned = np.flatnonzero(np.isin(owners, list(notes)))
    rows = np.asarray(vectors.rows, dtype=np.float32).reshape(-1, vectors.dimensions)
    found: dict[int, float] = {}
    cosines = rows[owned] @ np.frombuffer(query, dtype=np.float32)
    for note, cosine in zip(owners[owned].tolist(), cosines.tolist(), strict=True):
        found[note] = max(cosine, found.get(note, -1.0))
    return found
