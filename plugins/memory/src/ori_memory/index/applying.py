"""Changes of files as changes of rows, one transaction at a time."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Container, Mapping, Sequence

from attrs import define, field

from ori_memory.index.claims import Claims
from ori_memory.index.identity import IdentityStore, KeptId, derived_id, own_ids
from ori_memory.index.keys import key_number
from ori_memory.index.linking import link_numbers, mark_referrers
from ori_memory.index.naming import ID_LENGTH, named_notes
from ori_memory.index.planning import Known
from ori_memory.index.reading import ReadFile
from ori_memory.index.record import sql_text
from ori_memory.index.understanding import UnderstoodNote
from ori_memory.index.writing import NoteRow, clear_note, remove_note, write_notes
from ori_memory.links.names import NamedNote, names_of

__all__ = ["Applying"]


@define
class Applying:
    """One transaction's work. Identities are written before it ends: an index may be lost, an id may not."""

    connection: sqlite3.Connection
    identities: IdentityStore
    present: Container[str]
    """Paths that the scan saw."""
    problems: list[str] = field(factory=list)
    paths: set[str] = field(factory=set)
    """Of files whose rows were changed, made or removed."""
    changed_names: dict[NamedNote, None] = field(factory=dict)
    """Notes as they could be named before or can be named now, where that is not the same."""
    _kept: dict[str, KeptId | None] = field(factory=dict)
    _reserved: set[str] | None = None
    """Ids of notes that are there and may not be written yet."""

    def move(self, moves: Mapping[str, Known]) -> None:
        """Give notes their new paths; their files count as unread until they are written."""
        before = named_notes(self.connection, [known.num for known in moves.values()])
        self.changed_names.update(dict.fromkeys(before.values()))
        self.paths.update(moves, [known.path for known in moves.values()])
        # In two steps: a path may be the old place of one note and the new one of another.
        self.connection.executemany(
            "UPDATE note SET path = ? WHERE num = ?", [(f"\0{known.num}", known.num) for known in moves.values()]
        )
        self.connection.executemany(
            "UPDATE note SET path = ?, hash = x'', checked_ns = 0 WHERE num = ?",
            [(path, known.num) for path, known in moves.items()],
        )
        ids = self._ids([known.num for known in moves.values()])
        for path, known in moves.items():
            self._keep(path, ids[known.num], "")
            if known.path not in moves:
                self._kept.setdefault(known.path, None)

    def remove(self, notes: Sequence[Known]) -> None:
        """Take notes out whose files are gone."""
        self.changed_names.update(dict.fromkeys(named_notes(self.connection, [note.num for note in notes]).values()))
        self.paths.update([note.path for note in notes])
        for note in notes:
            remove_note(self.connection, note.num)

    def touch(self, files: Sequence[ReadFile]) -> None:
        """The files have another time and the same content."""
        self.paths.update([file.stamp.path for file in files])
        rows = [(*file.stamp[1:], file.checked_ns, file.stamp.path) for file in files]
        self.connection.executemany(
            "UPDATE note SET mtime_ns = ?, size = ?, inode = ?, checked_ns = ? WHERE path = ?", rows
        )

    def write(self, notes: Sequence[UnderstoodNote]) -> None:
        """Write notes as their files are now."""
        self.paths.update([note.record.path for note in notes])
        nums = self._nums([note.record.path for note in notes])
        before = named_notes(self.connection, nums.values())
        for old in nums.values():
            clear_note(self.connection, old)
        claims = self._claims(notes, nums)
        next_num = int(self.connection.execute("SELECT coalesce(max(num), 0) + 1 FROM note").fetchone()[0])
        rows = []
        # Of two new files that state one id, the older one has it; a note that has it already keeps it.
        for note in sorted(notes, key=_age):
            record, num = note.record, nums.get(note.record.path)
            blocks = tuple(block for block in map(sql_text, note.parsed.blocks) if len(block) == ID_LENGTH)
            named = NamedNote(record.path, record.title, record.aliases, blocks)
            if num is None or before.get(num) != named:
                self.changed_names[named] = None
                if num is not None and num in before:
                    self.changed_names[before[num]] = None
            is_new = num is None
            if num is None:
                num, next_num = next_num, next_num + 1
            wanted = link_numbers(note.parsed.links, record.path)
            id = self._identify(note, num, claims)
            rows.append(NoteRow(note, id, num, is_new, {key_number(key) for key in names_of(named)}, wanted))
        write_notes(self.connection, rows)

    def finish(self) -> None:
        """Let those wait whom the changes concern, and keep the ids. Raises: as IdentityStore.keep."""
        if self.changed_names:
            mark_referrers(self.connection, self.changed_names)
        if self._kept:
            self.identities.keep(self._kept)

    def _claims(self, notes: Sequence[UnderstoodNote], nums: Mapping[str, int]) -> Claims:
        ids = self._ids(list(nums.values()))
        kept = self.identities.of_paths()
        asked = {id for note in notes for id in (note.stated_id, derived_id(note.record.path)) if id}
        asked.update(kept[note.record.path].id for note in notes if note.record.path in kept)
        return Claims(self.connection, ids, asked)

    def _identify(self, note: UnderstoodNote, num: int, claims: Claims) -> str:
        path, stated = note.record.path, note.stated_id
        has = claims.id_of(num)
        kept = self.identities.of_paths().get(path)
        if kept is not None and kept.stated == stated and has in (None, kept.id) and claims.is_free(kept.id, num):
            id = kept.id
        elif stated and claims.is_free(stated, num):
            id = stated
        else:
            id = has or self._new_id(path, num, claims)
        owner = claims.owner(stated) if stated and id != stated else None
        if owner is not None:
            self.problems.append(f"{path} states the id {stated}, which {owner} has; it got its own.")
        claims.take(num, id, path)
        self._keep(path, id, stated)
        return id

    def _new_id(self, path: str, num: int, claims: Claims) -> str:
        if self._reserved is None:
            rows = self.identities.of_paths().items()
            self._reserved = {kept.id for path, kept in rows if path in self.present}
        reserved = self._reserved
        return next(id for id in own_ids(path) if id not in reserved and claims.is_free(id, num))

    def _keep(self, path: str, id: str, stated: str) -> None:
        self._kept[path] = None if id == (stated or derived_id(path)) else KeptId(id, stated)

    def _nums(self, paths: Sequence[str]) -> dict[str, int]:
        query = "SELECT path, num FROM note WHERE path IN (SELECT value FROM json_each(?))"
        return dict(self.connection.execute(query, (json.dumps(paths, ensure_ascii=False),)))

    def _ids(self, nums: Sequence[int]) -> dict[int, str]:
        query = "SELECT num, id FROM note WHERE num IN (SELECT value FROM json_each(?))"
        return dict(self.connection.execute(query, (json.dumps(nums),)))


def _age(note: UnderstoodNote) -> tuple[int, str]:
    return (note.file.stamp.mtime_ns, note.record.path)
