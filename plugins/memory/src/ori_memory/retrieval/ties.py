"""What holds notes together, with the words around it: written links, and mentions without a link."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from attrs import field

from aries_kernel.contracts import Tie
from aries_kernel.values import define
from ori_memory.retrieval.sentence_ends import sentence_end, sentences

__all__ = ["Ties", "sentence_around"]

_HOMONYMS = 4
"""A name that more notes answer to says nothing about any of them."""
_MOST_MENTIONS = 60
"""A note that more others mention by one plain word is called like a word, not mentioned."""
_MOST_TIES = 400
_MOST_LINKS = 4 * _MOST_TIES
"""Links of a note that are looked at: it may link the same note many times."""
_MOST_KEPT = 50_000
_TIES = (
    "SELECT n.value, "
    "(SELECT json_group_array(dst) FROM (SELECT dst FROM link WHERE src = n.value AND dst NOTNULL AND dst != n.value "
    f"ORDER BY position LIMIT {_MOST_LINKS})), "
    "(SELECT json_group_array(src) FROM (SELECT DISTINCT src FROM link WHERE dst = n.value AND src != n.value "
    "LIMIT ?2 + 1)), "
    "(SELECT json_group_array(json_array(dst, mention)) FROM suggestion WHERE src = n.value), "
    "(SELECT json_group_array(json_array(src, mention, homonyms)) FROM (SELECT m.src, m.mention, "
    "(SELECT count(*) FROM suggestion o WHERE o.src = m.src AND o.mention = m.mention) AS homonyms "
    "FROM suggestion m WHERE m.dst = n.value LIMIT ?2 + 1)) "
    "FROM json_each(?1) n"
)
"""A row a note, each list as one text: a row a link would take five times as long to take over."""
_USUAL = (
    "SELECT n.value, (SELECT count(*) FROM (SELECT 1 FROM suggestion WHERE dst = n.value AND instr(mention, ' ') = 0 "
    f"LIMIT {_MOST_MENTIONS + 1})) FROM json_each(?) n"
)
_BY_PATH = (
    "SELECT DISTINCT l.src FROM link l JOIN note n ON n.num = l.src WHERE l.dst = ? AND l.src != l.dst "
    f"ORDER BY n.path LIMIT {_MOST_TIES}"
)
_MENTIONS_BY_PATH = (
    "SELECT m.src, m.mention, (SELECT count(*) FROM suggestion o WHERE o.src = m.src AND o.mention = m.mention) "
    f"FROM suggestion m JOIN note n ON n.num = m.src WHERE m.dst = ? ORDER BY n.path LIMIT {_MOST_TIES}"
)
_PAIRS = (
    "FROM json_each(?) p CROSS JOIN {} l ON l.src = json_extract(p.value, '$[0]') "
    "AND l.dst = json_extract(p.value, '$[1]')"
)
_CONTEXTS = "SELECT l.src, l.dst, l.context " + _PAIRS.format("link") + " ORDER BY p.key, l.position"
_SAID = "SELECT l.src, l.dst, l.mention " + _PAIRS.format("suggestion") + " ORDER BY p.key"
_LONGEST = 300
WRITTEN, SUGGESTED = "written", "suggested"

Mentions = Sequence[tuple[int, str, int]]
Texts = Callable[[Collection[int]], Mapping[int, str]]


@define
class Ties:
    """Ties of notes in both directions, each looked up once; a written link counts before a mention of the same pair.

    What is kept holds for one state of the index. Which of many are given does not depend on the numbers of notes.
    """

    _known: dict[int, tuple[Tie, ...]] = field(factory=dict, init=False)
    _usual: dict[int, int] = field(factory=dict, init=False)
    """How many notes mention each by a plain word; beyond 60 they are not counted."""
    _crowded: set[tuple[int, int]] = field(factory=set, init=False)
    """Notes with more ties than were asked for, and how many that was."""

    def of(
        self, connection: sqlite3.Connection, notes: Collection[int], at_most: int = _MOST_TIES
    ) -> dict[int, tuple[Tie, ...]]:
        """Without the words around them; notes with more than `at_most` are left out, but for 400: that many are given.

        Notes without ties are left out too.
        """
        if len(self._known) > _MOST_KEPT:
            self._known.clear()
        missing = [num for num in notes if num not in self._known and (num, at_most) not in self._crowded]
        if missing:
            self._look_up(connection, missing, at_most)
        is_whole = at_most == _MOST_TIES
        return {num: ties for num in notes if (ties := self._known.get(num)) and (is_whole or len(ties) <= at_most)}

    def with_context(
        self, connection: sqlite3.Connection, notes: Collection[int], texts: Texts
    ) -> dict[int, tuple[Tie, ...]]:
        """All with the words around them."""
        found = self.of(connection, notes)
        pairs = [(num, tie) for num, ties in found.items() for tie in ties]
        around = _contexts(connection, pairs, texts)
        return {
            num: tuple([Tie(*tie[:3], text) if (text := around.get((num, tie.note))) else tie for tie in ties])
            for num, ties in found.items()
        }

    def _look_up(self, connection: sqlite3.Connection, notes: Collection[int], most: int) -> None:
        found = connection.execute(_TIES, (json.dumps(list(notes)), most)).fetchall()
        rows = [(num, *map(json.loads, lists)) for num, *lists in found]
        self._count_usual(connection, (pair for _, _, _, mentions, _ in rows for pair in mentions))
        for num, links, linked, mentions, mentioned in rows:
            if most == _MOST_TIES:
                if len(linked) > most:
                    linked = [row[0] for row in connection.execute(_BY_PATH, (num,))]
                if len(mentioned) > most:
                    mentioned = connection.execute(_MENTIONS_BY_PATH, (num,)).fetchall()
            often = [(dst, word, 0 if " " in word else self._usual[dst]) for dst, word in mentions]
            ties = _merged([*links, *linked], often, mentioned)
            if most < _MOST_TIES and max(len(ties), len(linked), len(mentioned)) > most:
                self._crowded.add((num, most))
            else:
                self._known[num] = tuple(ties[:_MOST_TIES])

    def _count_usual(self, connection: sqlite3.Connection, mentions: Iterable[tuple[int, str]]) -> None:
        if len(self._usual) > _MOST_KEPT:
            self._usual.clear()
        missing = {dst for dst, word in mentions if " " not in word and dst not in self._usual}
        if missing:
            self._usual.update(connection.execute(_USUAL, (json.dumps(list(missing)),)).fetchall())


def _merged(linked: Iterable[int], mentions: Mentions, mentioned: Mentions) -> list[Tie]:
    """`mentions`: whom the note mentions, as what, and how many mention that one by a plain word, as far as it is one.

    `mentioned`: who mentions it, as what, and how many notes are meant by that there.
    """
    ties = {num: Tie(num, WRITTEN, 1.0, "") for num in linked}
    meant: dict[str, int] = {}
    for _, mention, _ in mentions:
        meant[mention] = meant.get(mention, 0) + 1
    usual = sum(1 for _, mention, _ in mentioned if " " not in mention)
    rows = [
        *((num, mention, meant[mention], often) for num, mention, often in mentions),
        *((num, mention, homonyms, 0 if " " in mention else usual) for num, mention, homonyms in mentioned),
    ]
    for num, mention, homonyms, often in rows:
        if num not in ties and homonyms <= _HOMONYMS and often <= _MOST_MENTIONS:
            ties[num] = Tie(num, SUGGESTED, _sureness(mention) / homonyms, "")
    return list(ties.values())


def _sureness(mention: str) -> float:
    """One plain word in small letters may be just that word."""
    return 0.3 if " " not in mention and mention.islower() else 1.0


def _contexts(
    connection: sqlite3.Connection, pairs: Iterable[tuple[int, Tie]], texts: Texts
) -> dict[tuple[int, int], str]:
    """The words around each tie, by its two notes; of several places the first that fit into 1,200 characters."""
    written, suggested = _both_ways(pairs, WRITTEN), _both_ways(pairs, SUGGESTED)
    found: dict[tuple[int, int], str] = {}
    for source, target, context in connection.execute(_CONTEXTS, (written,)) if written else ():
        _add(found, source, target, context)
    said = connection.execute(_SAID, (suggested,)).fetchall() if suggested else []
    bodies = texts({source for source, _, _ in said}) if said else {}
    for source, target, mention in said:
        if source in bodies:
            _add(found, source, target, sentence_around(bodies[source], mention))
    return found


def _both_ways(pairs: Iterable[tuple[int, Tie]], kind: str) -> str:
    """As JSON; empty where there are none."""
    chosen = {pair: None for num, tie in pairs if tie.kind == kind for pair in ((num, tie.note), (tie.note, num))}
    return json.dumps(list(chosen)) if chosen else ""


def _add(found: dict[tuple[int, int], str], source: int, target: int, context: str) -> None:
    for pair in ((source, target), (target, source)):
        known = found.get(pair, "")
        if context not in known:
            found[pair] = f"{known}\n{context}"[: 4 * _LONGEST] if known else context


def sentence_around(text: str, mention: str) -> str:
    """The sentence in which `mention` stands first; at most 300 characters of it."""
    at = text.find(mention)
    if at < 0:
        return ""
    first, end = max(0, at - _LONGEST), at + len(mention)
    around = text[max(0, first - 1) : end + _LONGEST]
    before = sentences(around).match(text, first, at)
    start = before.end() if before else first
    last = sentence_end(around).search(text, end, end + _LONGEST)
    return text[start : last.start() if last else end + _LONGEST // 2].strip()
