"""The similarity of one note and a question."""

from __future__ import annotations

from aries_kernel.contracts import Vectors

__all__ = ["closest"]


def closest(vectors: Vectors, query: bytes, note: int) -> float | None:
    """Cosine of the note's best passage; None where it has no vectors."""
    import numpy as np

    owned = np.flatnonzero(np.asarray(vectors.owners) == note)
    if not len(owned):
        return None
    rows = np.asarray(vectors.rows, dtype=np.float32).reshape(-1, vectors.dimensions)
    return float((rows[owned] @ np.frombuffer(query, dtype=np.float32)).max())
