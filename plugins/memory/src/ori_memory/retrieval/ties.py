"""What holds notes together, with the words around it: written links, and mentions without a link."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable, Collection, Mapping, Sequence

from aries_kernel.contracts import Tie

__all__ = ["ties_of"]

_LINKS = (
    "SELECT DISTINCT l.src, l.dst, l.context FROM link l WHERE l.dst NOTNULL AND l.src != l.dst "
    "AND l.{end} IN (SELECT value FROM json_each(?)) ORDER BY l.src, l.position"
)
_MENTIONS = "SELECT m.src, m.dst, m.mention FROM suggestion m WHERE m.{end} IN (SELECT value FROM json_each(?))"
_HOMONYMS = 4
"""A name that more notes answer to says nothing about any of them."""
_MOST_MENTIONS = 60
"""A note that more others mention by one plain word is called like a word, not mentioned."""
_MOST_TIES = 400
_SENTENCE_END = re.compile(r"[.!?。！？]\s|\n")
_LONGEST = 300
WRITTEN, SUGGESTED = "written", "suggested"


def ties_of(
    connection: sqlite3.Connection,
    notes: Collection[int],
    texts: Callable[[Collection[int]], Mapping[int, str]] | None,
) -> Mapping[int, Sequence[Tie]]:
    """Ties of each of `notes` in both directions; a written link counts before a mention of the same pair.

    `texts` None: without the words around them.
    """
    asked = json.dumps(sorted(notes))
    found: dict[int, dict[int, Tie]] = {num: {} for num in notes}
    for source, target, context in _both(connection, _LINKS, asked):
        _tie(found, source, target, WRITTEN, 1.0, context if texts is not None else "")
    mentions = _mentions(connection, asked, found)
    bodies = texts({source for source, _, _ in mentions}) if texts is not None else {}
    names: dict[tuple[int, str], int] = {}
    for source, _, mention in mentions:
        names[source, mention] = names.get((source, mention), 0) + 1
    for source, target, mention in mentions:
        homonyms = names[source, mention]
        if homonyms <= _HOMONYMS:
            context = sentence_around(bodies[source], mention) if source in bodies else ""
            _tie(found, source, target, SUGGESTED, _sureness(mention) / homonyms, context)
    return {num: list(ties.values())[:_MOST_TIES] for num, ties in found.items() if ties}


def sentence_around(text: str, mention: str) -> str:
    """The sentence in which `mention` stands first; at most 300 characters of it."""
    at = text.find(mention)
    if at < 0:
        return ""
    start = max(0, at - _LONGEST)
    for end in _SENTENCE_END.finditer(text, start, at):
        start = end.end()
    last = _SENTENCE_END.search(text, at + len(mention), at + len(mention) + _LONGEST)
    return text[start : last.start() if last else at + len(mention) + _LONGEST // 2].strip()


def _both(connection: sqlite3.Connection, query: str, asked: str) -> list[tuple[int, int, str]]:
    rows = [
        *connection.execute(query.format(end="src"), (asked,)),
        *connection.execute(query.format(end="dst"), (asked,)),
    ]
    return list(dict.fromkeys(rows))


def _mentions(
    connection: sqlite3.Connection, asked: str, found: Mapping[int, Mapping[int, Tie]]
) -> list[tuple[int, int, str]]:
    rows = _both(connection, _MENTIONS, asked)
    by_word: dict[int, int] = {}
    for _, target, mention in rows:
        if " " not in mention:
            by_word[target] = by_word.get(target, 0) + 1
    return [
        (source, target, mention)
        for source, target, mention in rows
        if target not in found.get(source, {})
        and source not in found.get(target, {})
        and (" " in mention or by_word[target] <= _MOST_MENTIONS)
    ]


def _sureness(mention: str) -> float:
    """One plain word in small letters may be just that word."""
    return 0.3 if " " not in mention and mention.islower() else 1.0


def _tie(found: dict[int, dict[int, Tie]], source: int, target: int, kind: str, weight: float, context: str) -> None:
    for one, other in ((source, target), (target, source)):
        if one in found:
            known = found[one].get(other)
            if known is None:
                found[one][other] = Tie(other, kind, weight, context)
            elif known.kind == kind and context and context not in known.context:
                found[one][other] = known._replace(context=f"{known.context}\n{context}"[: 4 * _LONGEST])
