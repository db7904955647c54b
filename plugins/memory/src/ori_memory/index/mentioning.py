"""Suggested links: which notes the text of a waiting note mentions without linking them."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence

from attrs import define, field, frozen

from ori_memory.index.asking import phrase
from ori_memory.index.linking import do_all_wait
from ori_memory.index.naming import named_notes
from ori_memory.index.schema import MENTIONS
from ori_memory.index.stored import unpack
from ori_memory.index.words import first_words
from ori_memory.links.mentions import Mentions
from ori_memory.links.names import NamedNote, mentionable_names, names_in_texts

__all__ = ["Mentioner", "mark_mentioners"]

_MANY_NAMES = 2000
_MANY_NOTES = 50
"""From here on it pays to know the names of all notes at once."""
_TEXTS = (
    "SELECT num, path, body_line, text, taken FROM note JOIN stored ON note = num "
    "WHERE num IN (SELECT value FROM json_each(?)) ORDER BY num"
)


def mark_mentioners(connection: sqlite3.Connection, changed: Iterable[NamedNote]) -> None:
    """Let every note wait whose text may mention one of `changed`, as it was or as it is."""
    if do_all_wait(connection, MENTIONS):
        return
    names = {name for note in changed for name in mentionable_names(note)}
    if len(names) > _MANY_NAMES:
        connection.execute(f"UPDATE note SET is_pending = is_pending | {MENTIONS}")
        return
    for name in names:
        # Names that are too common to be a mention are not looked for.
        asked = phrase(name) if Mentions.of([NamedNote("", name)]).find("\n" + name, "other") else None
        if asked is not None:
            connection.execute(
                f"UPDATE note SET is_pending = is_pending | {MENTIONS} "
                "WHERE num IN (SELECT rowid FROM words WHERE words MATCH ?)",
                (asked,),
            )


@define
class Mentioner:
    """Works the waiting notes off; good for as long as no name changes."""

    connection: sqlite3.Connection
    is_wanted: bool
    _all: _Known | None = field(default=None, init=False)

    def work_off(self, sources: Sequence[tuple[int, str]]) -> None:
        """Write what these notes mention and let them wait no more."""
        nums = json.dumps([num for num, _ in sources])
        if self.is_wanted:
            self.connection.execute("DELETE FROM suggestion WHERE src IN (SELECT value FROM json_each(?))", (nums,))
            texts = self.connection.execute(_TEXTS, (nums,)).fetchall()
            is_one_of_many = self._all is not None or len(sources) > _MANY_NOTES
            rows = [row for text in texts for row in self._mentions(*text, is_one_of_many=is_one_of_many)]
            self.connection.executemany("INSERT OR IGNORE INTO suggestion VALUES(?, ?, ?, ?)", rows)
        self.connection.execute(
            f"UPDATE note SET is_pending = is_pending & ~{MENTIONS} WHERE num IN (SELECT value FROM json_each(?))",
            (nums,),
        )

    def _mentions(
        self, num: int, path: str, line: int, packed: str | bytes, taken: bytes, *, is_one_of_many: bool
    ) -> Iterator[tuple[int, int, str, int]]:
        text = unpack(packed, taken)
        known = self._everything() if is_one_of_many else self._that_may_occur(text.body)
        for mention in known.mentions.find_in(text.body, text.spans, path):
            for other in mention.paths:
                yield num, known.nums[other], mention.text, mention.line + line

    def _everything(self) -> _Known:
        if self._all is None:
            self._all = self._of([row[0] for row in self.connection.execute("SELECT num FROM note")])
        return self._all

    def _that_may_occur(self, text: str) -> _Known:
        """Only notes with a name that begins with a word of the text: others cannot be found in it anyway."""
        words = json.dumps(list(set(first_words(text))), ensure_ascii=False)
        rows = self.connection.execute(
            "SELECT DISTINCT note FROM opening WHERE word IN (SELECT value FROM json_each(?))", (words,)
        )
        return self._of([row[0] for row in rows])

    def _of(self, nums: Sequence[int]) -> _Known:
        notes = named_notes(self.connection, nums)
        return _Known(Mentions.of(notes.values(), names_in_texts), {note.path: num for num, note in notes.items()})


@frozen
class _Known:
    """Names to look for, and the numbers of the notes that have them."""

    mentions: Mentions
    nums: Mapping[str, int]
