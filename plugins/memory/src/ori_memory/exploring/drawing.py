"""A navigated exploration as a document and as a tree."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from typing import Any

from ori_memory.exploring.navigating import Conclusion
from ori_memory.exploring.session import Navigated, Node, Seen
from ori_memory.retrieval.showing import tokens_of

__all__ = ["conclusion_data", "conclusion_text", "navigated_data", "navigated_text"]

_DESCRIPTION, _SHORT = 240, 60


def navigated_data(now: Navigated, budget: int | None = None) -> dict[str, Any]:
    """For `--json` and the server (spec B.5). `budget`: tokens; texts are cut, then notes left out, to keep to it.

    Only new notes are told with their text: the others were told before.
    """
    sizes = [(_DESCRIPTION, len(now.new))] if budget is None else [(_DESCRIPTION, len(now.new)), (_SHORT, len(now.new))]
    sizes += [(0, count) for count in range(len(now.new), -1, -1)] if budget is not None else []
    data: dict[str, Any] = {}
    for length, count in sizes:
        data = _data(now, length, count)
        if budget is None or tokens_of(json.dumps(data, ensure_ascii=False)) <= budget:
            break
    return data


def _data(now: Navigated, length: int, count: int) -> dict[str, Any]:
    session = now.session
    shown = set(now.new[:count])
    return {
        "exploration_id": session.id,
        "query": session.query,
        "budget_remaining": session.left,
        "budget_exhausted": now.is_budget_exhausted,
        "concluded": session.is_concluded,
        "new_notes": [_note(now.seen[id], length) for id in now.new if id in shown],
        "left_out": len(now.new) - len(shown),
        "tree": [
            {
                "id": node.id,
                "parent": node.parent or None,
                "kind": node.kind.value,
                "label": now.labels[node.id],
                "depth": node.depth,
                "new_notes": len(node.notes),
                "dead_end": node.is_dead_end,
                "exhausted": node.is_exhausted,
                "notes": [
                    {"title": now.seen[visit.id].title, "path": now.seen[visit.id].path, "score": visit.score}
                    for visit in node.notes
                    if visit.id in now.seen and (visit.id in shown or visit.id not in now.new)
                ],
            }
            for node in session.nodes
        ],
        "frontier": [{"option": one.option, "direction": one.direction, "reason": one.reason} for one in now.frontier],
        **({"hint": _nudge(now)} if now.is_budget_exhausted else {}),
    }


def _note(one: Seen, length: int) -> dict[str, Any]:
    return {
        "path": one.path,
        "title": one.title,
        "score": one.score,
        "warmth": one.warmth,
        "source": one.source,
        "description": one.description if len(one.description) <= length else one.description[:length].rstrip() + "…",
    }


def navigated_text(now: Navigated) -> str:
    """For a person: the tree, what could be done next, and how."""
    session = now.session
    lines = [f"{session.id}  {session.query}", "", *_tree(now), ""]
    if now.is_budget_exhausted:
        lines += [_nudge(now), ""]
    if now.frontier:
        lines.append("Next:")
        for place, one in enumerate(now.frontier, 1):
            command = f"ori explore-expand {session.id} --{one.option} {shlex.quote(one.direction)}"
            lines += [f"{place:2}. {one.reason}", f"    {command}"]
    else:
        lines.append("There is nothing left to follow.")
    lines += [
        "",
        f"{session.left} of {session.budget} expansions left. When done:",
        f"    ori explore-conclude {session.id} --answered --used NOTE",
    ]
    return "\n".join(lines)


def _nudge(now: Navigated) -> str:
    return (
        f"The budget of {now.session.budget} expansions is spent, so nothing was expanded. "
        "Conclude, or go on with --extend 1."
    )


def _tree(now: Navigated) -> Iterator[str]:
    new = set(now.new)
    for node in now.session.nodes:
        indent = "   " * node.depth
        yield f"{indent}{node.id} {node.kind.value}: {now.labels[node.id]}{_mark(node)}"
        for visit in node.notes:
            one = now.seen.get(visit.id)
            if one is None:
                continue
            yield f"{indent}   - {one.title}  [{visit.score:.2f}]"
            if visit.id in new:
                yield f"{indent}     {one.path}"
                if one.description:
                    yield f"{indent}     {one.description}"


def _mark(node: Node) -> str:
    if node.is_dead_end:
        return "  [x dead end: nothing was found]"
    return "  [= exhausted: only notes that were visited before]" if node.is_exhausted else ""


def conclusion_data(done: Conclusion) -> dict[str, Any]:
    """For `--json` and the server."""
    return {
        "id": done.id,
        "query": done.query,
        "passes": done.passes,
        "total_notes": done.total_notes,
        "dead_ends": done.dead_ends,
        "used_notes": list(done.used),
        "unused_notes": list(done.unused),
        "answered": done.is_answered,
    }


def conclusion_text(done: Conclusion) -> str:
    """For a person."""
    used = "\n".join(f"    {path}" for path in done.used) or "    none"
    how = "answered" if done.is_answered else "not answered"
    dead_ends = f", {done.dead_ends} of them dead ends" if done.dead_ends else ""
    return (
        f"{done.id} is concluded, {how}: {done.passes} steps{dead_ends}, {done.total_notes} notes.\n"
        f"Recorded as used:\n{used}"
    )
