"""Tools that look: each puts its arguments to the library and tells the document that the command line tells."""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING

from aries_kernel.errors import UserError
from ori_memory.serving.told import Call, Told

if TYPE_CHECKING:
    from ori_memory.exploring.session import Navigated
    from ori_memory.memory import Memory
    from ori_memory.serving import arguments as given

__all__ = [
    "conclude",
    "expand",
    "explore",
    "explore_start",
    "fading",
    "health",
    "important",
    "query",
    "ranked",
    "read",
    "similar",
    "status",
    "validate",
    "warmth",
]

_TOKENS = 3_600
"""For answers that shorten themselves; below what a whole answer may hold."""
_MOST_EXPLORED = 30


def day(name: str, text: str) -> datetime.date | None:
    """A date as models write it. Raises: UserError."""
    if not text.strip():
        return None
    try:
        return datetime.datetime.fromisoformat(text.strip()).date()
    except ValueError as error:
        raise UserError(f"{name}: '{text[:40]}' is no date; write it as 2026-01-31.") from error


def status(memory: Memory, asked: given.Nothing, call: Call) -> Told:
    """`ori status`."""
    from ori_memory.operations.caring import status as status_of

    return Told(status_of(memory))


def health(memory: Memory, asked: given.Health, call: Call) -> Told:
    """`ori health`."""
    from ori_memory.operations.caring import health as health_of

    lists = (
        "dangling",
        "ambiguous",
        "invalid",
        "odd",
        "quarantined",
        "fading",
        "orphans",
        "learned_orphans",
        "silent_evidence",
        "copies",
    )
    return Told(health_of(memory), lists=lists)


def validate(memory: Memory, asked: given.Validate, call: Call) -> Told:
    """`ori validate`."""
    from ori_memory.operations.validating import validate_all, validate_note

    if not asked.path.strip():
        found = validate_all(memory, with_links=True)
        return Told({"notes": found}, is_good=not any(one.errors for one in found), lists=("notes",))
    one = validate_note(memory, asked.path)
    return Told(one, is_good=not one.errors, lists=("errors", "warnings"))


def query(memory: Memory, asked: given.Query, call: Call) -> Told:
    """`ori query orphans`, `dangling`, `backlinks`, `cross-project`."""
    from ori_memory.operations import listing

    if asked.kind == "backlinks":
        if not asked.note.strip():
            raise UserError("kind backlinks needs `note`: a path, title, alias or id.")
        return Told(listing.backlinks(memory, asked.note), lists=("backlinks",))
    lists = {"orphans": listing.orphans, "dangling": listing.dangling, "cross-project": listing.cross_project}
    data = lists[asked.kind](memory)
    return Told(data, lists=tuple(data))


def ranked(memory: Memory, asked: given.Ranked, call: Call) -> Told:
    """`ori query ranked`."""
    from ori_memory.retrieval.answer import Asked
    from ori_memory.retrieval.telling import answer_data

    answer = memory.ask(
        Asked(
            asked.query,
            limit=asked.limit if asked.limit is not None else memory.vault.config.retrieval.limit,
            as_of=day("as_of", asked.as_of),
            include_archived=asked.include_archived,
            projects=asked.project,
            folder=asked.folder,
        ),
        session=call.session,
        client=call.client,
    )
    return Told(answer_data(answer, explain=asked.explain), answer.notices, lists=("results", "parts"))


def similar(memory: Memory, asked: given.Similar, call: Call) -> Told:
    """`ori query similar`."""
    from ori_memory.retrieval.answer import Asked
    from ori_memory.retrieval.telling import answer_data

    limit = asked.limit if asked.limit is not None else memory.vault.config.retrieval.limit
    question = Asked(asked.query, limit, include_archived=asked.include_archived, only=("semantic",))
    answer = memory.ask(question, session=call.session, client=call.client)
    return Told(answer_data(answer), answer.notices, lists=("results",))


def important(memory: Memory, asked: given.Important, call: Call) -> Told:
    """`ori query important`."""
    from ori_memory.operations import listing

    return Told(listing.important(memory, _positive(asked.limit)), lists=("results",))


def fading(memory: Memory, asked: given.Fading, call: Call) -> Told:
    """`ori query fading`."""
    from ori_memory.operations import listing

    if not 0 <= asked.threshold <= 1:
        raise UserError(f"threshold must be from 0 to 1, not {asked.threshold:g}.")
    return Told(listing.fading(memory, asked.threshold, _positive(asked.limit)), lists=("results",))


def warmth(memory: Memory, asked: given.Warmth, call: Call) -> Told:
    """`ori query warm`."""
    from ori_memory.operations.warming import warm_notes

    found = warm_notes(memory, asked.context, _positive(asked.limit))
    return Told(found.data, found.notices, lists=("results",))


def explore(memory: Memory, asked: given.Explore, call: Call) -> Told:
    """`ori explore`."""
    from ori_memory.exploring.exploration import Exploring
    from ori_memory.exploring.telling import exploration_data

    found = memory.explore(
        Exploring(
            asked.query,
            limit=min(asked.limit, _MOST_EXPLORED),
            depth=asked.depth,
            is_recursive=asked.recursive,
            include_content=asked.include_content,
            include_archived=asked.include_archived,
            projects=asked.project,
            folder=asked.folder,
            as_of=day("as_of", asked.as_of),
        ),
        session=call.session,
        client=call.client,
    )
    return Told(exploration_data(found), found.notices, lists=("results", "paths"))


def explore_start(memory: Memory, asked: given.ExploreStart, call: Call) -> Told:
    """`ori explore-start`."""
    from ori_memory.exploring.exploration import Exploring
    from ori_memory.exploring.navigating import start

    exploring = Exploring(asked.query, projects=asked.project, folder=asked.folder, as_of=day("as_of", asked.as_of))
    return _navigated(start(memory, exploring, budget=asked.budget))


def expand(memory: Memory, asked: given.Expand, call: Call) -> Told:
    """`ori explore-expand`."""
    from ori_memory.exploring.navigating import expand as expand_it
    from ori_memory.exploring.steps import Step

    step = Step(ask=asked.sub_question, branch=asked.branch, neighbors=asked.neighbors)
    return _navigated(expand_it(memory, asked.exploration_id, step, extend=asked.extend_budget))


def conclude(memory: Memory, asked: given.Conclude, call: Call) -> Told:
    """`ori explore-conclude`."""
    from ori_memory.exploring.drawing import conclusion_data
    from ori_memory.exploring.navigating import conclude as conclude_it

    done = conclude_it(memory, asked.exploration_id, asked.used_notes, is_answered=asked.answered)
    return Told(conclusion_data(done), lists=("used_notes", "unused_notes"))


def read(memory: Memory, asked: given.Read, call: Call) -> Told:
    """`ori read`. What follows of a long note is the same use of it."""
    from ori_memory.operations.reading import read_data, read_one

    found = read_one(memory, asked.note, session=call.session, counts=not asked.cursor.strip())
    return Told(read_data(found), lists=("text", "backlinks"))


def _navigated(now: Navigated) -> Told:
    from ori_memory.exploring.drawing import navigated_data

    return Told(navigated_data(now, _TOKENS), now.notices, lists=("new_notes", "tree", "frontier"))


def _positive(limit: int) -> int:
    if limit < 1:
        raise UserError("The limit must be at least 1.")
    return limit
