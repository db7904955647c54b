"""The passages of a text that words are found in, the best first."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator

from attrs import frozen

__all__ = ["Passage", "found"]

_LONGEST = 1_200
_WORD = re.compile(r"\w+")
_HEADING = re.compile(r"#{1,6} +(.+)")
_LINK = re.compile(r"\[([^\[\]]*)\]\([^()\s]*\)")
_SHORTEST_PART = 400


@frozen
class Passage:
    """A part of a text, with its place and the heading it stands under."""

    start: int
    text: str
    heading: str = ""

    @property
    def end(self) -> int:
        """The position after it."""
        return self.start + len(self.text)


def found(text: str, words: str, most: int) -> list[Passage]:
    """At most `most` passages, best first, ranked by BM25 over word stems; else those that hold the words as they are.

    Empty where no passage has any of the words.
    """
    passages = list(_passages(text))
    wanted = list(dict.fromkeys(_WORD.findall(words.casefold())))
    if not wanted or not passages:
        return []
    return _ranked(passages, wanted, most) or _holding(passages, wanted, most)


def _ranked(passages: list[Passage], wanted: list[str], most: int) -> list[Passage]:
    import sqlite3

    query = " OR ".join(f'"{word}"' for word in wanted)
    with contextlib.closing(sqlite3.connect(":memory:")) as store:
        store.execute("CREATE VIRTUAL TABLE p USING fts5(heading, text, tokenize='porter unicode61')")
        rows = ((number, one.heading, one.text) for number, one in enumerate(passages))
        store.executemany("INSERT INTO p(rowid, heading, text) VALUES (?, ?, ?)", rows)
        best = store.execute(
            "SELECT rowid FROM p WHERE p MATCH ? ORDER BY bm25(p, 0.5, 1.0), rowid LIMIT ?", (query, most)
        )
        return [passages[number] for (number,) in best]


def _holding(passages: list[Passage], wanted: list[str], most: int) -> list[Passage]:
    """For parts of words, and for scripts that put no spaces between theirs."""
    folded = ((one, one.text.casefold()) for one in passages)
    scored = [(sum(word in text for word in wanted), one) for one, text in folded]
    kept = [pair for pair in scored if pair[0]]
    return [one for _, one in sorted(kept, key=lambda pair: (-pair[0], pair[1].start))[:most]]


def _passages(text: str) -> Iterator[Passage]:
    """Paragraphs put together until they are worth reading, never across a heading, and cut where one is too long."""
    heading, start, held = "", 0, ""
    for part, at in _blocks(text):
        named = _HEADING.match(part)
        if held.strip() and (named or len(held) >= _SHORTEST_PART):
            yield from _cut(Passage(start, held, heading))
            held = ""
        if named:
            heading = _LINK.sub(r"\1", named[1]).strip()[:120]
        start = at if not held else start
        held += part
    if held.strip():
        yield from _cut(Passage(start, held, heading))


def _blocks(text: str) -> Iterator[tuple[str, int]]:
    at = 0
    for match in re.finditer(r"\n[ \t]*\n\s*", text):
        yield text[at : match.end()], at
        at = match.end()
    if at < len(text):
        yield text[at:], at


def _cut(passage: Passage) -> Iterator[Passage]:
    text, at = passage.text, passage.start
    while len(text) > _LONGEST:
        line, space = text.rfind("\n", 0, _LONGEST) + 1, text.rfind(" ", 0, _LONGEST) + 1
        end = line if line > _LONGEST // 2 else space if space > _LONGEST // 2 else _LONGEST
        yield Passage(at, text[:end], passage.heading)
        text, at = text[end:], at + end
    if text.strip():
        yield Passage(at, text, passage.heading)
