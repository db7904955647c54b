"""Lists that the links, the dates and the graph give, as documents for the command line and the server alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ori_memory.operations.backlinks import backlinks_of

if TYPE_CHECKING:
    from ori_memory.memory import Memory

__all__ = ["backlinks", "cross_project", "dangling", "fading", "important", "orphans"]


def orphans(memory: Memory) -> dict[str, Any]:
    """Notes that no other note links to."""
    return {"orphans": list(memory.orphans())}


def dangling(memory: Memory) -> dict[str, Any]:
    """Link targets that no note answers to, with the notes that hold them."""
    found = memory.index.dangling()
    return {"dangling": [{"target": one.target, "sources": list(one.sources)} for one in found]}


def backlinks(memory: Memory, note: str) -> dict[str, Any]:
    """Notes that link to a note or a part of it, with the line.

    Raises: as `backlinks_of`.
    """
    record, found = backlinks_of(memory, note)
    rows = [{"path": one.source, "line": one.link.line, "context": one.context} for one in found]
    return {"note": record.path, "backlinks": rows}


def cross_project(memory: Memory) -> dict[str, Any]:
    """Notes of two projects or more."""
    found = [one for one in memory.index.notes() if len(one.projects) > 1]
    return {"notes": [{"path": one.path, "projects": list(one.projects)} for one in found]}


def important(memory: Memory, limit: int) -> dict[str, Any]:
    """Notes that matter by their links (PageRank)."""
    from ori_memory.graph.ranking import pagerank

    scores = pagerank(memory.graph, memory.vault.config.graph.pagerank_alpha)
    if scores.skipped:
        memory.notice(f"There is no ranking: {scores.skipped}.")
    results = [{"path": path, "score": value} for path, value in scores.top(limit)]
    return {"results": results, "skipped": scores.skipped}


def fading(memory: Memory, threshold: float, limit: int) -> dict[str, Any]:
    """Notes whose vitality is below a threshold, the weakest first."""
    weak = sorted((one.value, path, one.zone.value) for path, one in memory.vitality.items() if one.value < threshold)
    if len(weak) > limit:
        memory.notice(f"{len(weak) - limit:,} more notes are that weak; a limit of {len(weak)} shows all.")
    shown = [{"path": path, "vitality": round(value, 4), "zone": zone} for value, path, zone in weak[:limit]]
    return {"results": shown, "total": len(weak)}
