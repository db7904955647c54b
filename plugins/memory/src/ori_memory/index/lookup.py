"""A note by whatever a person calls it."""

from __future__ import annotations

import json
import sqlite3

from aries_kernel.errors import UnknownName, UserError
from ori_memory.index.records import fetch_records
from ori_memory.model import Link, LinkKind, NoteRecord

__all__ = ["AmbiguousNote", "find_note"]


class AmbiguousNote(UserError):
    """Several notes answer to a name; `candidates` holds their paths."""

    def __init__(self, name: str, candidates: tuple[str, ...]) -> None:
        self.name, self.candidates = name, candidates
        super().__init__(f"'{name}' may be any of {', '.join(candidates)}. Say the path.")


def find_note(connection: sqlite3.Connection, name: str) -> NoteRecord:
    """By id, path, name, title or alias, as a link in the vault's root would find it.

    Raises: AmbiguousNote; UnknownName with the nearest titles.
    """
    name = name.encode("utf-8", "replace").decode("utf-8")
    row = connection.execute(
        "SELECT num FROM note WHERE id = ? OR path = ? ORDER BY path = ? DESC", (name,) * 3
    ).fetchone()
    if row is not None:
        return fetch_records(connection, [row[0]])[row[0]]
    # The resolver of links; a path or an id needs none.
    from ori_memory.index.keys import key_number
    from ori_memory.index.naming import named_notes
    from ori_memory.links.names import keys_of
    from ori_memory.links.resolving import decide

    target = name.strip().removeprefix("[[").removesuffix("]]").strip()
    link = Link(LinkKind.WIKI, target, None, None, None, 0, 0, 1)
    rows = connection.execute(
        "SELECT DISTINCT note FROM name WHERE key IN (SELECT value FROM json_each(?))",
        (json.dumps([key_number(key) for key in keys_of(link)]),),
    )
    notes = named_notes(connection, [row[0] for row in rows])
    answer = decide(link, "", notes.values()) if target else None
    if answer is None or answer.path is None:
        raise UnknownName("note", name, _nearest(connection, name), are_all=False)
    if answer.is_ambiguous:
        raise AmbiguousNote(name, answer.candidates)
    num = next(num for num, note in notes.items() if note.path == answer.path)
    return fetch_records(connection, [num])[num]


def _nearest(connection: sqlite3.Connection, name: str) -> list[str]:
    import difflib

    titles = {title.lower(): title for (title,) in connection.execute("SELECT title FROM note ORDER BY path")}
    near = difflib.get_close_matches(name.lower()[:200], list(titles), n=5, cutoff=0.5)
    return [titles[one] for one in near]
