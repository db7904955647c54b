"""What must not be seen in an answer: taken out before the stages, and again after all that could bring it back."""

from __future__ import annotations

import datetime
import json
import sqlite3
from collections.abc import Collection, Iterable, Iterator
from itertools import islice

from attrs import field

from aries_kernel.contracts import Found
from aries_kernel.errors import UnknownName
from aries_kernel.values import define, frozen
from ori_memory.index.lookup import AmbiguousNote, find_note
from ori_memory.index.records import day_of
from ori_memory.model import NoteRecord
from ori_memory.retrieval.answer import Asked
from ori_memory.retrieval.kept import Kept

__all__ = ["HIDDEN", "Standing", "Visibility", "folders_near", "hidden_because", "notes_within", "unknown_projects"]

_AT_ONCE = 100
_STANDINGS = (
    "SELECT num, path, status, created, valid_from, valid_until, "
    "(SELECT CASE WHEN count(*) THEN json_group_array(project) END FROM project WHERE note = num) "
    "FROM note WHERE num IN (SELECT value FROM json_each(?))"
)
HIDDEN = ("archived", "superseded", "released")

_MOST_PROJECTS = 30
"""A notice names so many; the nearest is looked for among them."""


@frozen
class Standing:
    """What of a note says whether it may be shown."""

    path: str
    status: str
    created: datetime.date | None
    valid_from: datetime.date | None
    valid_until: datetime.date | None
    projects: tuple[str, ...]


def hidden_because(note: NoteRecord | Standing, asked: Asked, today: datetime.date, replaced: Collection[str]) -> str:
    """Why a note may not be shown, or an empty text. `replaced`: paths of notes that others say they supersede."""
    day = asked.as_of or today
    if not asked.include_archived:
        if note.status in HIDDEN:
            return note.status
        if note.path in replaced:
            return "superseded"
    if asked.as_of is not None and note.created is not None and note.created > day:
        return "not there yet"
    if note.valid_from is not None and note.valid_from > day:
        return "not valid yet"
    if note.valid_until is not None and note.valid_until < day:
        return "no longer valid"
    if asked.projects and not set(asked.projects) & set(note.projects):
        return "of another project"
    if asked.folder and not f"{note.path}/".startswith(asked.folder.strip("/") + "/"):
        return "of another folder"
    return ""


def notes_within(connection: sqlite3.Connection, asked: Asked) -> frozenset[int] | None:
    """The notes of the projects and the folder that are asked for; None where all are.

    Signals look among these alone: the hundred best of a large vault may hold none of a small project.
    """
    if not asked.projects and not asked.folder:
        return None
    folder = asked.folder.strip("/") + "/" if asked.folder.strip("/") else ""
    rows = connection.execute(
        "SELECT num FROM note WHERE (? = '' OR substr(path || '/', 1, length(?)) = ?) AND (? OR num IN "
        "(SELECT note FROM project WHERE project IN (SELECT value FROM json_each(?))))",
        (folder, folder, folder, not asked.projects, json.dumps(asked.projects, ensure_ascii=False)),
    )
    return frozenset(row[0] for row in rows)


def folders_near(connection: sqlite3.Connection, name: str) -> list[str]:
    """Folders of the vault whose names, or whole paths, are like this one; at most five."""
    import difflib

    folders: dict[str, str] = {}
    for (path,) in connection.execute("SELECT path FROM note ORDER BY path"):
        above = path.rpartition("/")[0]
        while above and above not in folders:
            folders[above] = above.lower()
            above = above.rpartition("/")[0]
    wanted, last = name.lower()[:200], name.lower().rpartition("/")[2][:200]
    near = difflib.get_close_matches(wanted, folders.values(), n=5, cutoff=0.6)
    near += difflib.get_close_matches(last, {low.rpartition("/")[2] for low in folders.values()}, n=5, cutoff=0.75)
    return [folder for folder, low in folders.items() if low in near or low.rpartition("/")[2] in near][:5]


def unknown_projects(connection: sqlite3.Connection, asked: Collection[str]) -> Iterator[str]:
    """A notice for each project that no note belongs to: it may be new, or mistyped."""
    if not asked:
        return
    known = [name for (name,) in connection.execute("SELECT DISTINCT project FROM project ORDER BY project")]
    for name in asked:
        if name not in known:
            yield f"{UnknownName('project', name[:80], known[:_MOST_PROJECTS], are_all=len(known) <= _MOST_PROJECTS)}"


@define
class Visibility:
    """Which notes of one state of the index an answer may show."""

    connection: sqlite3.Connection
    asked: Asked
    today: datetime.date
    kept: Kept = field(factory=Kept)
    """Of this state of the index."""
    _known: dict[int, bool] = field(factory=dict, init=False)

    def of(self, ranked: Iterable[Found]) -> Iterator[Found]:
        """Those that may be seen, in their order; no more of them are looked up than are taken."""
        remaining = iter(ranked)
        while part := list(islice(remaining, _AT_ONCE)):
            self._look_up([found.note for found in part if found.note not in self._known])
            yield from (found for found in part if self._known[found.note])

    def among(self, notes: Collection[int]) -> frozenset[int]:
        """Those of `notes` that may be seen."""
        self._look_up([note for note in notes if note not in self._known])
        return frozenset(note for note in notes if self._known[note])

    def _look_up(self, notes: list[int]) -> None:
        if notes and self.kept.replaced is None:
            self.kept.replaced = _replaced(self.connection)
        self._known.update(dict.fromkeys(notes, False))
        known = self.kept.standings
        if missing := [note for note in notes if note not in known]:
            known.update(_standings(self.connection, missing))
        for note in notes:
            if note in known:
                why = hidden_because(known[note], self.asked, self.today, self.kept.replaced or ())
                self._known[note] = not why


def _standings(connection: sqlite3.Connection, notes: Collection[int]) -> Iterator[tuple[int, Standing]]:
    for num, path, status, created, valid_from, valid_until, projects in connection.execute(
        _STANDINGS, (json.dumps(list(notes)),)
    ):
        yield (
            num,
            Standing(
                path,
                status,
                day_of(created),
                day_of(valid_from),
                day_of(valid_until),
                tuple(json.loads(projects)) if projects else (),
            ),
        )


def _replaced(connection: sqlite3.Connection) -> frozenset[str]:
    """Paths of notes that another note says it supersedes."""
    rows = connection.execute("SELECT s.target, n.path FROM supersedes s JOIN note n ON n.num = s.note").fetchall()
    found = set()
    for target, source in rows:
        try:
            path = find_note(connection, target).path
        except (AmbiguousNote, UnknownName):
            continue  # `ori validate` tells it; nothing is hidden on a guess.
        if path != source:
            found.add(path)
    return frozenset(found)
