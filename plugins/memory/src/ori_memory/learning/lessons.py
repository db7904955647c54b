"""What was learned of one note, so that a person can see why it stands where it stands."""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING, Any

from attrs import frozen

from aries_kernel.errors import UnknownName
from aries_kernel.tools.output import escape_controls

if TYPE_CHECKING:
    from ori_memory.learned.crediting import NoteCredit, Shown
    from ori_memory.learned.statements import Access
    from ori_memory.memory import Memory

__all__ = ["Companion", "Lessons", "lessons_data", "lessons_of", "lessons_text"]

_MOST_COMPANIONS = 10


@frozen
class Companion:
    """A note that was used together with it."""

    id: str
    title: str
    """Its id where there is no such note any more."""
    sessions: int
    last: datetime.datetime


@frozen
class Lessons:
    """All that is known of one note from use."""

    id: str
    path: str
    """Empty where there is no such note any more."""
    title: str
    credits: tuple[NoteCredit, ...]
    """The most first."""
    companions: tuple[Companion, ...]
    uses: Access | None
    shown: Shown | None
    warmth: float


def lessons_of(memory: Memory, name: str) -> Lessons:
    """What was learned of a note, by path, title, alias or id; what is waiting to be counted is counted first.

    Raises: UnknownName for a name that is no note's, and of which nothing was learned either; UserError where the store
    cannot be read.
    """
    memory.teaching.learn()
    learned = memory.learned
    learned.require()
    try:
        note = memory.index.note(name)
    except UnknownName:
        # The note may be in another branch, or gone: what was learned of it is kept.
        if name not in learned.orphans([]):
            raise
        id, path, title = name, "", ""
    else:
        id, path, title = note.id, note.path, note.title
    return Lessons(
        id=id,
        path=path,
        title=title,
        credits=learned.credits_of(id),
        companions=_companions(memory, id),
        uses=learned.accesses().get(id),
        shown=learned.shown().get(id),
        warmth=learned.boosts().get(id, 0.0),
    )


def lessons_data(found: Lessons) -> dict[str, Any]:
    """For `--json` and the server."""
    return {
        "id": found.id,
        "path": found.path,
        "title": found.title,
        "reward": round(sum(one.reward for one in found.credits), 6),
        "credits": [
            {
                "question": list(one.words),
                "topic": one.topic,
                "reward": round(one.reward, 6),
                "uses": one.uses,
                "sources": dict(one.sources),
                "first": one.first,
                "last": one.last,
            }
            for one in found.credits
        ],
        "used_with": [
            {"id": one.id, "title": one.title, "sessions": one.sessions, "last": one.last} for one in found.companions
        ],
        "accesses": found.uses.count if found.uses else 0,
        "last_access": found.uses.last if found.uses else None,
        "shown": found.shown.times if found.shown else 0,
        "last_shown": found.shown.last if found.shown else None,
        "warmth": round(found.warmth, 6),
    }


def lessons_text(found: Lessons) -> str:
    """For a person."""
    uses = found.uses.count if found.uses else 0
    shown = found.shown.times if found.shown else 0
    lines = [
        f"{found.path or 'no such note any more'}  {found.id}",
        f"shown {_times(shown)}, used {_times(uses)}, warmth {found.warmth:.3f}",
    ]
    lines.append("useful for:" if found.credits else "It has not proved useful for a question yet.")
    for one in found.credits:
        sources = ", ".join(f"{name} {_times(count)}" for name, count in one.sources.items())
        asked = " ".join(one.words) or "(no question)"
        lines.append(f"  {one.reward:.2f}  {asked}  ({sources}; last {one.last.date()})")
    if found.companions:
        lines.append("used together with:")
        lines += [f"  {_times(one.sessions)}  {one.title}  (last {one.last.date()})" for one in found.companions]
    return escape_controls("\n".join(lines))


def _companions(memory: Memory, id: str) -> tuple[Companion, ...]:
    titles = {note.id: note.title for note in memory.index.notes()}
    found = []
    for pair in memory.learned.pairs():
        if id in (pair.note_a, pair.note_b):
            other = pair.note_b if pair.note_a == id else pair.note_a
            found.append(Companion(other, titles.get(other, other), pair.sessions, pair.last))
    return tuple(sorted(found, key=lambda one: (-one.sessions, one.title))[:_MOST_COMPANIONS])


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"
