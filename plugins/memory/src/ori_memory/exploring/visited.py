"""The notes of a session as they are now, and what could be done next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from attrs import frozen

from aries_kernel.errors import UserError
from ori_memory.exploring.frontier import frontier_of
from ori_memory.exploring.ground import Ground
from ori_memory.exploring.session import Kind, Option, Seen, Session
from ori_memory.exploring.showing import previews

if TYPE_CHECKING:
    from ori_memory.memory import Memory

__all__ = ["Looked", "look_at", "resolve_used"]


@frozen
class Looked:
    seen: dict[str, Seen]
    """By id; what is gone or may not be seen is not among them."""
    labels: dict[str, str]
    frontier: tuple[Option, ...]


def look_at(memory: Memory, session: Session, *, with_frontier: bool = True) -> Looked:
    """One look at the index for all that is told of a session. Archived meanwhile means hidden (spec G.5-65)."""
    asked = session.filters.exploring(session.query).asked(session.query, 1)

    def look(ground: Ground) -> Looked:
        seen = _seen(ground, session)
        frontier = frontier_of(ground, session, seen) if with_frontier else ()
        return Looked(seen, _labels(ground, session), frontier)

    return memory.index.read(lambda connection: look(Ground.over(memory, connection, asked)))


def _seen(ground: Ground, session: Session) -> dict[str, Seen]:
    visited = session.visited
    numbers = ground.by_id(list(visited))
    views = ground.views(numbers.values())
    looks = previews(ground, list(views))
    warm = ground.corpus.boosts()
    return {
        id: Seen(
            id=id,
            path=views[num].path,
            title=views[num].title,
            aliases=views[num].aliases,
            score=visited[id].score,
            warmth=round(warm.get(num, 0.0), 4),
            source=visited[id].source,
            description=looks[num].description or looks[num].text,
        )
        for id, num in numbers.items()
        if num in views
    }


def _labels(ground: Ground, session: Session) -> dict[str, str]:
    targets = ground.by_id([node.target for node in session.nodes if node.kind is Kind.NEIGHBORS])
    views = ground.views(targets.values())
    labels: dict[str, str] = {}
    for node in session.nodes:
        labels[node.id] = node.target
        if node.kind is Kind.BRANCH:
            labels[node.id] = f"links around {node.target}"
        if node.kind is Kind.NEIGHBORS:
            view = views.get(targets.get(node.target, -1))
            labels[node.id] = view.title if view is not None else "a note that is not there any more"
    return labels


def resolve_used(names: Sequence[str], visited: Sequence[Seen]) -> tuple[Seen, ...]:
    """Visited notes by exact path, title or alias; one of `names` may be several, parted by commas.

    Raises: UserError that names all that fit none, or several.
    """
    found: dict[str, Seen] = {}
    wrong: list[str] = []
    for name in [part for given in names for part in _parted(given, visited)]:
        fitting = _fitting(name, visited)
        if len(fitting) == 1:
            found[fitting[0].id] = fitting[0]
        elif fitting:
            wrong.append(f"'{name}' may be any of {', '.join(one.path for one in fitting)}")
        else:
            wrong.append(f"'{name}' was not visited")
    if wrong:
        known = ", ".join(one.path for one in visited) or "none"
        raise UserError(f"{'; '.join(wrong)}. Nothing was recorded. Visited: {known}.")
    return tuple(found.values())


def _parted(given: str, visited: Sequence[Seen]) -> list[str]:
    """Cut at commas, but not within a name that has some: the longest that fits is taken."""
    pieces = given.split(",")
    found: list[str] = []
    while pieces:
        joined = [",".join(pieces[:count]).strip() for count in range(len(pieces), 0, -1)]
        name = next((one for one in joined if _fitting(one, visited)), joined[-1])
        found += [name] if name else []
        del pieces[: len(joined) - joined.index(name)]
    return found


def _fitting(name: str, visited: Sequence[Seen]) -> list[Seen]:
    for names_of in (_paths, _titles, _aliases):
        fitting = [one for one in visited if name in names_of(one)]
        if fitting:
            return fitting
    return []


def _paths(one: Seen) -> Sequence[str]:
    return (one.path, one.path.removesuffix(".md"), one.id)


def _titles(one: Seen) -> Sequence[str]:
    return (one.title,)


def _aliases(one: Seen) -> Sequence[str]:
    return one.aliases
