"""What the links of waiting notes lead to, asked of the one resolver with exactly the notes that may answer."""

from __future__ import annotations

import functools
import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence

from attrs import define, field

from ori_memory.index.record import sql_text
from ori_memory.index.writing import LINKS
from ori_memory.links.names import NamedNote, keys_of, names_of
from ori_memory.links.resolving import decide
from ori_memory.model import Link, LinkKind, Resolution

__all__ = [
    "LINK_COLUMNS",
    "candidates_of",
    "link_keys",
    "link_of",
    "mark_referrers",
    "named_notes",
    "resolve_waiting",
    "waiting",
]

LINK_COLUMNS = "kind, target, heading, block, alias, first, last, line, is_property"


def mark_referrers(connection: sqlite3.Connection, changed: Iterable[NamedNote]) -> None:
    """Let every note wait that holds a link which one of `changed` may answer, as it was or as it is."""
    if connection.execute(f"SELECT 1 FROM note WHERE NOT is_pending & {LINKS} LIMIT 1").fetchone() is None:
        return  # A build from nothing: all of them wait.
    keys = {sql_text(key) for note in changed for key in names_of(note)}
    connection.execute(
        f"UPDATE note SET is_pending = is_pending | {LINKS} WHERE num IN "
        "(SELECT note FROM wanted WHERE key IN (SELECT value FROM json_each(?)))",
        (json.dumps(list(keys), ensure_ascii=False),),
    )


def waiting(connection: sqlite3.Connection, bit: int, limit: int) -> list[tuple[int, str]]:
    """Number and path of notes that wait, at most `limit`."""
    query = f"SELECT num, path FROM note WHERE is_pending AND is_pending & {bit} ORDER BY num LIMIT ?"
    return connection.execute(query, (limit,)).fetchall()


def resolve_waiting(connection: sqlite3.Connection, sources: Sequence[tuple[int, str]]) -> None:
    """Resolve all links of these notes and let them wait no more."""
    nums = json.dumps([num for num, _ in sources])
    paths = dict(sources)
    rows = connection.execute(
        f"SELECT src, position, {LINK_COLUMNS} FROM link WHERE src IN (SELECT value FROM json_each(?))", (nums,)
    ).fetchall()
    links = [(row[0], row[1], link_of(row[2:])) for row in rows]
    asked = _Asked.of(connection, [(link, paths[src]) for src, _, link in links])
    results = []
    for src, position, link in links:
        answer = asked.resolve(link, paths[src])
        dst = None if answer.path is None else asked.nums[answer.path] if link.target else src
        results.append((dst, int(answer.is_ambiguous), int(answer.is_attachment), src, position))
    connection.executemany(
        "UPDATE link SET dst = ?, is_ambiguous = ?, is_attachment = ? WHERE src = ? AND position = ?", results
    )
    connection.execute(
        f"UPDATE note SET is_pending = is_pending & ~{LINKS} WHERE num IN (SELECT value FROM json_each(?))", (nums,)
    )


def candidates_of(connection: sqlite3.Connection, links: Sequence[tuple[Link, str]]) -> list[tuple[str, ...]]:
    """All notes that answer to each of these links, best first."""
    asked = _Asked.of(connection, links)
    return [asked.resolve(link, source).candidates for link, source in links]


def link_keys(link: Link, source: str) -> tuple[str, ...]:
    """`keys_of`, remembered: the links of a vault repeat themselves."""
    is_wiki = link.kind in (LinkKind.WIKI, LinkKind.EMBED)
    return _keys(is_wiki, link.target, link.heading, link.block is None, source.rpartition("/")[0])


@functools.lru_cache(maxsize=32768)
def _keys(is_wiki: bool, target: str, heading: str | None, has_no_block: bool, folder: str) -> tuple[str, ...]:
    kind = LinkKind.WIKI if is_wiki else LinkKind.MARKDOWN
    link = Link(kind, target, heading, None if has_no_block else "", None, 0, 0, 1)
    return keys_of(link, folder + "/" if folder else "")


def link_of(row: Sequence[object]) -> Link:
    """A link from its columns, in the order of LINK_COLUMNS."""
    kind, target, heading, block, alias, start, end, line, is_property = row
    return Link(
        LinkKind(str(kind)),
        str(target),
        heading if isinstance(heading, str) else None,
        block if isinstance(block, str) else None,
        alias if isinstance(alias, str) else None,
        int(str(start)),
        int(str(end)),
        int(str(line)),
        bool(is_property),
    )


def named_notes(connection: sqlite3.Connection, nums: Iterable[int]) -> dict[int, NamedNote]:
    """These notes as far as links can name them."""
    wanted = json.dumps(list(nums))
    chosen = "IN (SELECT value FROM json_each(?))"
    aliases: dict[int, list[str]] = {}
    for num, alias in connection.execute(
        f"SELECT note, alias FROM alias WHERE note {chosen} ORDER BY note, position", (wanted,)
    ):
        aliases.setdefault(num, []).append(alias)
    rows = connection.execute(f"SELECT num, path, title FROM note WHERE num {chosen}", (wanted,))
    return {num: NamedNote(path, title, tuple(aliases.get(num, ()))) for num, path, title in rows}


@define
class _Asked:
    """The notes that may answer to a set of links, and the answers given so far."""

    nums: Mapping[str, int]
    _notes: Mapping[int, NamedNote]
    _by_key: Mapping[str, list[int]]
    _answers: dict[tuple[object, ...], Resolution] = field(factory=dict)

    @classmethod
    def of(cls, connection: sqlite3.Connection, links: Iterable[tuple[Link, str]]) -> _Asked:
        keys = {key for link, source in links for key in link_keys(link, source)}
        by_key: dict[str, list[int]] = {}
        rows = connection.execute(
            "SELECT key, note FROM name WHERE key IN (SELECT value FROM json_each(?))",
            (json.dumps(list(keys), ensure_ascii=False),),
        )
        for key, num in rows:
            by_key.setdefault(key, []).append(num)
        notes = named_notes(connection, {num for nums in by_key.values() for num in nums})
        return cls({note.path: num for num, note in notes.items()}, notes, by_key)

    def resolve(self, link: Link, source: str) -> Resolution:
        # A link means the same to all notes of a folder, and the links of a vault repeat themselves.
        is_wiki = link.kind in (LinkKind.WIKI, LinkKind.EMBED)
        question = (is_wiki, link.target, link.heading, link.block is None, source.rpartition("/")[0])
        if not link.target:
            return decide(link, source, ())
        answer = self._answers.get(question)
        if answer is None:
            candidates = {num for key in link_keys(link, source) for num in self._by_key.get(key, ())}
            answer = decide(link, source, [self._notes[num] for num in sorted(candidates)])
            self._answers[question] = answer
        return answer
