"""One step of a navigated exploration: a question, or links followed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from attrs import frozen

from aries_kernel.errors import UnknownName, UserError
from ori_memory.exploring.around import expand
from ori_memory.exploring.exploration import Exploring, Origin
from ori_memory.exploring.ground import Ground
from ori_memory.exploring.session import Kind, Node, Session, Visit
from ori_memory.retrieval.answer import Verdict

if TYPE_CHECKING:
    from ori_memory.memory import Memory

__all__ = ["Step", "Taken", "ask_flat", "question_of", "take"]

_NOTES = 7
"""A step shows at most."""
_BRANCH_LINKS = 2


@frozen
class Step:
    """How to go on: exactly one of the three."""

    ask: str = ""
    """A question to ask."""
    branch: str = ""
    """The id of a node whose notes' links are to be followed."""
    neighbors: str = ""
    """A note whose links are to be followed: path, title, alias or id."""


@frozen
class Taken:
    """What came of a step."""

    kind: Kind
    parent: str
    target: str
    visits: tuple[Visit, ...]
    """New or not, best first."""
    notices: tuple[str, ...] = ()


def ask_flat(memory: Memory, exploring: Exploring, limit: int) -> Taken:
    """The first pass."""
    visits, notices = _asked(memory, exploring, limit, Origin.FLAT)
    return Taken(Kind.ROOT, "", exploring.text, visits, notices)


def take(memory: Memory, session: Session, step: Step) -> Taken:
    """Raises: UnknownName for a node or a note that is not there, or may not be seen; as `ask`."""
    if step.ask:
        visits, notices = _asked(memory, session.filters.exploring(step.ask), _NOTES, Origin.QUESTION)
        return Taken(Kind.SUB_QUESTION, session.nodes[0].id, step.ask, visits, notices)
    if step.branch:
        node = session.node(step.branch)
        if node is None:
            raise UnknownName("node", step.branch, [one.id for one in session.nodes])
        weights = {visit.id: visit.score for visit in node.notes}
        return Taken(Kind.BRANCH, node.id, node.id, _followed(memory, session, node, weights, _BRANCH_LINKS))
    id = memory.index.note(step.neighbors).id
    parent = next((node for node in session.nodes if any(visit.id == id for visit in node.notes)), session.nodes[0])
    return Taken(Kind.NEIGHBORS, parent.id, id, _followed(memory, session, parent, {id: 1.0}, 1))


def question_of(session: Session, node: Node) -> str:
    """What is asked where this node stands."""
    if node.kind is Kind.SUB_QUESTION:
        return node.target
    parent = session.node(node.parent)
    return question_of(session, parent) if parent is not None else session.query


def _asked(
    memory: Memory, exploring: Exploring, limit: int, origin: Origin
) -> tuple[tuple[Visit, ...], tuple[str, ...]]:
    answer = memory.answer(exploring.asked(exploring.text, limit))
    hits = () if answer.verdict is Verdict.NOTHING and origin is Origin.QUESTION else answer.hits
    return tuple(Visit(hit.id, hit.score, origin.value) for hit in hits), answer.notices


def _followed(
    memory: Memory, session: Session, node: Node, weights: Mapping[str, float], links: int
) -> tuple[Visit, ...]:
    """Notes that links lead to, the best of those that are new first."""
    asked = session.filters.exploring(question_of(session, node)).asked(question_of(session, node), _NOTES)

    def look(ground: Ground) -> tuple[Visit, ...]:
        numbers = ground.by_id(list(weights))
        seeds = {num: weights[id] for id, num in numbers.items() if num in ground.views([num])}
        if weights and not seeds:
            raise UserError("None of these notes is there any more, or they may not be seen with these filters.")
        ways = expand(ground, seeds, links)
        views = ground.views(ways)
        known = session.visited
        ranked = sorted(views, key=lambda num: (views[num].id in known, -ways[num].score, views[num].path))
        return tuple(Visit(views[num].id, round(ways[num].score, 4), Origin.GRAPH.value) for num in ranked[:_NOTES])

    return memory.index.read(lambda connection: look(Ground.over(memory, connection, asked)))
