"""Navigated explorations: begun, expanded step by step within a budget, concluded with what was of use."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from attrs import evolve, frozen

from aries_kernel.errors import UserError
from ori_memory.exploring.exploration import Exploring
from ori_memory.exploring.session import Filters, Navigated, Node, Session
from ori_memory.exploring.steps import Step, Taken, ask_flat, take
from ori_memory.exploring.store import SessionStore
from ori_memory.exploring.visited import look_at, resolve_used

if TYPE_CHECKING:
    from ori_memory.memory import Memory

__all__ = ["BUDGET", "Conclusion", "conclude", "expand", "start"]

BUDGET = 2
_FEWEST = 5


@frozen
class Conclusion:
    """What came of an exploration."""

    id: str
    query: str
    passes: int
    total_notes: int
    dead_ends: int
    used: tuple[str, ...]
    """Paths."""
    unused: tuple[str, ...]
    """Visited and not used; nothing is held against them."""
    is_answered: bool


def start(memory: Memory, exploring: Exploring, *, budget: int = BUDGET) -> Navigated:
    """Begin with a flat pass. Raises: as `ask`; UserError where the vault cannot be written."""
    if budget < 0:
        raise UserError("The budget must be 0 or more.")
    store = _store(memory)
    with store.changing():
        store.sweep()
        limit = max(_FEWEST, exploring.limit // 2)
        taken = ask_flat(memory, exploring, limit)
        root = _node(taken, (), ())
        session = Session(_new_id(memory), exploring.text, "", Filters.of(exploring), budget, 0, (root,))
        session = store.save(session)
    return _told(memory, session, root, taken.notices)


def expand(memory: Memory, id: str, step: Step, *, extend: int = 0) -> Navigated:
    """One step further. Past the budget nothing is expanded, and the answer says so; `extend` adds to the budget.

    Raises: UnknownName for an id, a node or a note that is not there; UserError for an expired or concluded one.
    """
    if sum(map(bool, (step.ask.strip(), step.branch, step.neighbors))) != 1:
        raise UserError("Say how to go on: a question to ask, a branch or a note whose neighbours to see; one of them.")
    if extend < 0:
        raise UserError("A budget is extended by 1 or more.")
    store = _store(memory)
    with store.changing():
        session = _open(store, id)
        session = evolve(session, budget=session.budget + extend)
        if not session.left:
            return _told(memory, session, None, ())
        taken = take(memory, session, step)
        node = _node(taken, session.nodes, session.visited)
        session = evolve(session, spent=session.spent + 1, nodes=(*session.nodes, node))
        session = store.save(session)
    return _told(memory, session, node, taken.notices)


def conclude(memory: Memory, id: str, used: Sequence[str] = (), *, is_answered: bool = False) -> Conclusion:
    """End it: the notes that were used are recorded as use; nothing is held against the others (spec G.4-47).

    Raises: UserError for a name that is no visited note's, and nothing is recorded then.
    """
    store = _store(memory)
    with store.changing():
        session = _open(store, id)
        seen = look_at(memory, session, with_frontier=False).seen
        chosen = resolve_used(used, list(seen.values()))
        ids = tuple(one.id for one in chosen)
        # Kept first: a process that is killed in between teaches nothing rather than everything twice.
        store.save(evolve(session, is_concluded=True, is_answered=is_answered, used=ids))
        try:
            if chosen:
                memory.record_use({one.path: 1.0 for one in chosen}, session=session.id)
                memory.teaching.asked(session.query, [one.id for one in seen.values()], session=session.id)
                memory.teaching.named(ids, session=session.id)
        except BaseException:
            store.save(session)
            raise
    return Conclusion(
        id=session.id,
        query=session.query,
        passes=len(session.nodes),
        total_notes=len(session.visited),
        dead_ends=sum(node.is_dead_end for node in session.nodes),
        used=tuple(one.path for one in chosen),
        unused=tuple(one.path for one in seen.values() if one.id not in ids),
        is_answered=is_answered,
    )


def _store(memory: Memory) -> SessionStore:
    return SessionStore(memory.vault.state_folder / "explorations", memory.now())


def _open(store: SessionStore, id: str) -> Session:
    session = store.load(id)
    if session.is_concluded:
        raise UserError(f"The exploration {id} is concluded. Start another: ori explore-start QUESTION.")
    return session


def _node(taken: Taken, nodes: Sequence[Node], known: Collection[str]) -> Node:
    depth = next((node.depth + 1 for node in nodes if node.id == taken.parent), 0)
    new = tuple(visit for visit in taken.visits if visit.id not in known)
    return Node(f"n{len(nodes)}", taken.parent, taken.kind, taken.target, depth, new, len(taken.visits))


def _told(memory: Memory, session: Session, node: Node | None, notices: tuple[str, ...]) -> Navigated:
    looked = look_at(memory, session)
    new = tuple(visit.id for visit in node.notes if visit.id in looked.seen) if node else ()
    return Navigated(session, looked.seen, looked.labels, new, node is None, looked.frontier, notices)


def _new_id(memory: Memory) -> str:
    return f"exp-{memory.make_id()}"
