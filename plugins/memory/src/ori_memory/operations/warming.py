"""Which notes use has left warm, and how they stand to what is going on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from aries_kernel.errors import UserError
from aries_kernel.values import frozen
from ori_memory.retrieval.answer import Asked
from ori_memory.retrieval.visibility import HIDDEN

if TYPE_CHECKING:
    from ori_memory.memory import Memory

__all__ = ["WarmNotes", "warm_notes"]

_FITTING = 30
"""Notes that are looked at for what is going on."""
_WARMTH = 0.3
"""What warmth counts beside how well a note fits."""


@frozen
class WarmNotes:
    """Notes, the warmest for what is going on first."""

    data: dict[str, Any]
    notices: tuple[str, ...]


def warm_notes(memory: Memory, context: str, limit: int) -> WarmNotes:
    """Notes that fit `context`, or that use has warmed, or both; each says which.

    Raises: UserError for no context; as `ask`.
    """
    if not context.strip():
        raise UserError("Say what is going on; a few words are enough.")
    answer = memory.answer(Asked(context, limit=max(limit, _FITTING), explores=False))
    fits = {hit.path: hit.score for hit in answer.hits}
    notes = {note.id: note for note in memory.index.notes() if note.status not in HIDDEN}
    warm = {notes[id].path: min(1.0, boost) for id, boost in memory.learned.boosts().items() if id in notes}
    titles = {note.path: note.title for note in notes.values()} | {hit.path: hit.title for hit in answer.hits}
    scored = {path: (1 - _WARMTH) * fits.get(path, 0.0) + _WARMTH * warm.get(path, 0.0) for path in {*fits, *warm}}
    best = sorted(scored, key=lambda path: (-scored[path], path))[:limit]
    results = [
        {
            "path": path,
            "title": titles[path],
            "score": round(scored[path], 4),
            "source": "both" if path in fits and path in warm else "context" if path in fits else "use",
            "warmth": round(warm.get(path, 0.0), 4),
        }
        for path in best
    ]
    return WarmNotes({"context": context, "results": results, "count": len(results)}, answer.notices)
