"""What the links of waiting notes lead to, asked of the one resolver with exactly the notes that may answer."""

from __future__ import annotations

import functools
import itertools
import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence

from attrs import frozen

from ori_memory.index.keys import key_number
from ori_memory.index.naming import named_notes
from ori_memory.index.schema import LINKS, MENTIONS
from ori_memory.links.names import NamedNote, folder_of, is_attachment, keys_for, keys_of, names_of
from ori_memory.links.resolving import decide
from ori_memory.model import Link, LinkKind, Resolution

__all__ = [
    "Linker",
    "candidates_of",
    "do_all_wait",
    "link_numbers",
    "mark_referrers",
    "waiting",
]

Question = tuple[bool, str, str | None, bool, str]
"""What an answer depends on: whether the link is a wiki-link, its target, heading, that it has no block, and the folder
of its note. A link means the same to all notes of a folder, and the links of a vault repeat themselves."""


_RELATIVE = (".", "/", "\\", "")


def mark_referrers(connection: sqlite3.Connection, changed: Iterable[NamedNote]) -> None:
    """Let every note wait that holds a link which one of `changed` may answer, as it was or as it is."""
    if do_all_wait(connection, LINKS):
        return  # A build from nothing: all of them wait.
    keys = {key_number(key) for note in changed for key in names_of(note)}
    connection.execute(
        f"UPDATE note SET is_pending = is_pending | {LINKS} WHERE num IN "
        "(SELECT note FROM wanted WHERE key IN (SELECT value FROM json_each(?)))",
        (json.dumps(list(keys)),),
    )


def do_all_wait(connection: sqlite3.Connection, bit: int) -> bool:
    """Whether this bit is set for every note, as during a build from nothing."""
    without = (0, (LINKS | MENTIONS) & ~bit)  # Listed, so that an index tells it, batch by batch.
    return connection.execute("SELECT 1 FROM note WHERE is_pending IN (?, ?) LIMIT 1", without).fetchone() is None


def waiting(connection: sqlite3.Connection, bit: int, limit: int) -> list[tuple[int, str]]:
    """Number and path of notes that wait, at most `limit`."""
    query = f"SELECT num, path FROM note WHERE is_pending AND is_pending & {bit} ORDER BY num LIMIT ?"
    return connection.execute(query, (limit,)).fetchall()


def candidates_of(connection: sqlite3.Connection, links: Sequence[tuple[Link, str]]) -> list[tuple[str, ...]]:
    """All notes that answer to each of these links, best first."""
    keys = [_numbers(*_question(link, folder_of(source))) for link, source in links]
    asked = _Asked.of(connection, keys)
    return [asked.resolve(link, source, own).candidates for (link, source), own in zip(links, keys, strict=True)]


def link_numbers(links: Iterable[Link], source: str) -> set[int]:
    """Numbers of the keys that links of one note ask for."""
    folder = folder_of(source)
    questions = {_question(link, folder) for link in links}
    return {number for question in questions for number in _numbers(*question)}


def _question(link: Link, folder: str) -> Question:
    kind = link.kind
    is_wiki = kind is LinkKind.WIKI or kind is LinkKind.EMBED
    return is_wiki, link.target, link.heading, link.block is None, folder


def _asking(question: Question) -> tuple[Link, str]:
    """A link in a note that asks this."""
    is_wiki, target, heading, has_no_block, folder = question
    kind = LinkKind.WIKI if is_wiki else LinkKind.MARKDOWN
    return Link(kind, target, heading, None if has_no_block else "", None, 0, 0, 1), folder + "/" if folder else ""


def _numbers(is_wiki: bool, target: str, heading: str | None, has_no_block: bool, folder: str) -> tuple[int, ...]:
    if is_wiki and target[:1] not in _RELATIVE:
        folder = ""  # The keys are the same everywhere, though the answers may not be.
    return _numbers_in(is_wiki, target, heading, has_no_block, folder)


@functools.lru_cache(maxsize=32768)
def _numbers_in(*question: *Question) -> tuple[int, ...]:
    is_wiki, target, heading, _, folder = question
    if is_wiki and heading is None and not folder:
        return tuple([key_number(key) for key in keys_for(target)])
    return tuple([key_number(key) for key in keys_of(*_asking(question))])


class Linker:
    """Resolves links and remembers the answers; good for as long as no name changes."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._answers: dict[Question, tuple[int | None, bool, bool]] = {}

    def work_off(self, sources: Sequence[tuple[int, str]]) -> None:
        """Resolve all links of these notes and let them wait no more."""
        nums = json.dumps([num for num, _ in sources])
        folders = {num: folder_of(path) for num, path in sources}
        rows = self._connection.execute(
            "SELECT src, position, dst, is_ambiguous, is_attachment, kind = ?, kind IN (?, ?), target, heading, "
            "block IS NULL FROM link WHERE src IN (SELECT value FROM json_each(?))",
            (LinkKind.MARKDOWN_EMBED.value, LinkKind.WIKI.value, LinkKind.EMBED.value, nums),
        ).fetchall()
        asked: list[Question] = [(row[6], *row[7:], folders[row[0]]) for row in rows]
        self._answer({question for question in asked if question not in self._answers and question[1]})
        results = []
        for question, (src, position, *known, is_image, _, target, _, _) in zip(asked, rows, strict=True):
            answer = self._answers[question] if target else (src, False, False)
            if is_image and answer[0] is None:
                answer = (None, False, True)  # A picture of whatever name, where no note has it.
            if tuple(known) != answer:
                results.append((*answer, src, position))
        self._connection.executemany(
            "UPDATE link SET dst = ?, is_ambiguous = ?, is_attachment = ? WHERE src = ? AND position = ?", results
        )
        self._connection.execute(
            f"UPDATE note SET is_pending = is_pending & ~{LINKS} WHERE num IN (SELECT value FROM json_each(?))", (nums,)
        )

    def _answer(self, questions: Iterable[Question]) -> None:
        keys = {question: _numbers(*question) for question in questions}
        asked = _Asked.of(self._connection, keys.values())
        for question, own in keys.items():
            if not asked.candidates(own):
                self._answers[question] = (None, False, is_attachment(question[1]))
                continue
            found = asked.resolve(*_asking(question), own)
            dst = None if found.path is None else asked.nums[found.path]
            self._answers[question] = (dst, found.is_ambiguous, found.is_attachment)


@frozen
class _Asked:
    """The notes that may answer to a set of links."""

    nums: Mapping[str, int]
    _notes: Mapping[int, NamedNote]
    _by_key: Mapping[int, list[int]]

    @classmethod
    def of(cls, connection: sqlite3.Connection, keys: Iterable[Iterable[int]]) -> _Asked:
        """`keys`: of each link, as `_numbers` gives them."""
        by_key: dict[int, list[int]] = {}
        asked = json.dumps(list({*itertools.chain.from_iterable(keys)}))
        rows = connection.execute("SELECT key, note FROM name WHERE key IN (SELECT value FROM json_each(?))", (asked,))
        for key, num in rows:
            by_key.setdefault(key, []).append(num)
        notes = named_notes(connection, {num for nums in by_key.values() for num in nums})
        return cls({note.path: num for num, note in notes.items()}, notes, by_key)

    def candidates(self, keys: Iterable[int]) -> list[int]:
        get = self._by_key.get
        return sorted({num for key in keys for num in get(key, ())})

    def resolve(self, link: Link, source: str, keys: Iterable[int]) -> Resolution:
        return decide(link, source, [self._notes[num] for num in self.candidates(keys)])
