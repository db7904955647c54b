"""Suggested links: which notes the text of a waiting note mentions without linking them."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence

from attrs import define, field

from ori_memory.index.asking import phrase
from ori_memory.index.linking import named_notes
from ori_memory.index.storing import StoredText, stored_text
from ori_memory.index.words import first_words
from ori_memory.index.writing import MENTIONS
from ori_memory.links.names import NamedNote
from ori_memory.links.suggesting import Mentions
from ori_memory.notes.naming import stem_of

__all__ = ["Mentioner", "mark_mentioners"]

_MANY_NAMES = 2000
_MANY_NOTES = 50
"""From here on it pays to know the names of all notes at once."""


def mark_mentioners(connection: sqlite3.Connection, changed: Iterable[NamedNote]) -> None:
    """Let every note wait whose text may mention one of `changed`, as it was or as it is."""
    if connection.execute(f"SELECT 1 FROM note WHERE NOT is_pending & {MENTIONS} LIMIT 1").fetchone() is None:
        return
    names = {name for note in changed for name in (stem_of(note.path), note.title, *note.aliases)}
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
    _all: Mentions | None = field(default=None, init=False)

    def work_off(self, sources: Sequence[tuple[int, str]]) -> None:
        """Write what these notes mention and let them wait no more."""
        for num, path in sources if self.is_wanted else ():
            self.connection.execute("DELETE FROM suggestion WHERE src = ?", (num,))
            text = stored_text(self.connection, num)
            if text is not None:
                self._mention(num, path, text, is_one_of_many=len(sources) > _MANY_NOTES)
        self.connection.execute(
            f"UPDATE note SET is_pending = is_pending & ~{MENTIONS} WHERE num IN (SELECT value FROM json_each(?))",
            (json.dumps([num for num, _ in sources]),),
        )

    def _mention(self, num: int, path: str, text: StoredText, *, is_one_of_many: bool) -> None:
        known = self._everything() if is_one_of_many or self._all is not None else self._that_may_occur(text.body)
        line = self.connection.execute("SELECT body_line FROM note WHERE num = ?", (num,)).fetchone()[0]
        # The line end in front keeps a rule at the start of a body from being read as frontmatter.
        rows = [
            (num, other, mention.text, mention.line - 1 + line)
            for mention in known.find("\n" + text.body, path)
            for other in mention.paths
        ]
        self.connection.executemany(
            "INSERT OR IGNORE INTO suggestion SELECT ?, num, ?, ? FROM note WHERE path = ?",
            [(src, found, place, other) for src, other, found, place in rows],
        )

    def _everything(self) -> Mentions:
        if self._all is None:
            nums = [row[0] for row in self.connection.execute("SELECT num FROM note")]
            self._all = Mentions.of(named_notes(self.connection, nums).values())
        return self._all

    def _that_may_occur(self, text: str) -> Mentions:
        """Only notes with a name that begins with a word of the text: others cannot be found in it anyway."""
        words = json.dumps(list(set(first_words(text))), ensure_ascii=False)
        rows = self.connection.execute(
            "SELECT DISTINCT note FROM opening WHERE word IN (SELECT value FROM json_each(?))", (words,)
        )
        return Mentions.of(named_notes(self.connection, [row[0] for row in rows]).values())
