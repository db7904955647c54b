"""Embeddings of a vault, waited for."""

from __future__ import annotations

from ori_memory.evaluation.running import Progress
from ori_memory.memory import Memory

__all__ = ["fill_vectors"]


def fill_vectors(memory: Memory, progress: Progress) -> None:
    """Embed what has no vectors yet."""
