"""What a session could do next, with reasons."""

from __future__ import annotations

from collections.abc import Mapping

from ori_memory.exploring.bridging import bridges
from ori_memory.exploring.decomposing import parts_of
from ori_memory.exploring.ground import Ground
from ori_memory.exploring.session import Kind, Option, Seen, Session

__all__ = ["frontier_of"]

_MOST = 5
_NEIGHBORS, _BRANCHES = 2, 2
_WARMTH = 10
"""A warm note is worth as many links (spec C.19)."""
_BY_FORM = 2
"""Parts of the question that go before what its notes leave open, as in `ori explore`."""
_RICH = 2
"""New notes that make a step worth branching from."""


def frontier_of(ground: Ground, session: Session, seen: Mapping[str, Seen]) -> tuple[Option, ...]:
    """At most five: what to ask, whose links to follow, which step to branch from."""
    neighbors = _neighbors(ground, session, seen)[:_NEIGHBORS]
    branches = _branches(session, seen)[:_BRANCHES]
    questions = _questions(ground, session, seen)[: _MOST - len(neighbors) - len(branches)]
    return (*questions, *neighbors, *branches)


def _neighbors(ground: Ground, session: Session, seen: Mapping[str, Seen]) -> list[Option]:
    """Visited notes with links that lead to notes nobody has seen yet."""
    done = {node.target for node in session.nodes if node.kind is Kind.NEIGHBORS}
    numbers = ground.by_id([id for id in seen if id not in done])
    ties = ground.corpus.ties(numbers.values(), with_context=False)
    ends = ground.views({tie.note for found in ties.values() for tie in found})
    ranked = []
    for id, num in numbers.items():
        new = sum(1 for tie in ties.get(num, ()) if tie.note in ends and ends[tie.note].id not in seen)
        if new:
            ranked.append((-(new + _WARMTH * seen[id].warmth), seen[id].path, new))
    return [
        Option("neighbors", path, f"{count} linked {'note' if count == 1 else 'notes'} not visited yet")
        for _, path, count in sorted(ranked)
    ]


def _branches(session: Session, seen: Mapping[str, Seen]) -> list[Option]:
    done = {node.target for node in session.nodes if node.kind is Kind.BRANCH}
    rich = [
        (-len(node.notes), node.id, len([visit for visit in node.notes if visit.id in seen]))
        for node in session.nodes
        if node.id not in done and len(node.notes) >= _RICH
    ]
    return [Option("branch", id, f"{count} notes were new there") for _, id, count in sorted(rich) if count]


def _questions(ground: Ground, session: Session, seen: Mapping[str, Seen]) -> list[Option]:
    """Parts of the question, then what the notes leave open; nothing that was asked already."""
    asked = {node.target.casefold() for node in session.nodes}
    ranked = sorted(seen.values(), key=lambda one: (-one.score, one.path))
    numbers = ground.by_id([one.id for one in ranked])
    best = [(numbers[one.id], one.score) for one in ranked if one.id in numbers]
    named = ground.views(ground.named).values()
    titles = [name for view in named for name in (view.title, *view.aliases)]
    left = [
        Option("ask", one.text, f"'{one.title}' leaves this open and names {one.name}") for one in bridges(ground, best)
    ]
    parts = [Option("ask", part.text, part.reason) for part in parts_of(session.query, titles)]
    found = [*parts[:_BY_FORM], *left, *parts[_BY_FORM:]]
    return [one for one in found if one.direction.casefold() not in asked]
