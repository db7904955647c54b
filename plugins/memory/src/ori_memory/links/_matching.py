"""Which of several notes a target means, and why."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from enum import IntEnum

from attrs import frozen

from ori_memory.links.names import (
    NamedNote,
    block_target,
    day_key,
    exact_path,
    folder_of,
    folder_spoken_for,
    is_address,
    join_path,
    plain_target,
    spelled_out,
    whole_name,
    without_ending,
)
from ori_memory.model import Link, LinkKind
from ori_memory.notes.naming import comparable, is_simple, slug, stem_of
from ori_memory.notes.titling import place_among_pages

__all__ = ["Match", "Way", "best_match"]


class Way(IntEnum):
    """How a target names a note; the smaller one decides."""

    PATH = 0
    NAME = 1
    TITLE = 2
    ALIAS = 3
    SLUG = 4
    FOLDER = 5
    DAY = 6
    NONE = 9


_FARTHER = 10
"""Before a folder that only ends so comes the one at the very path."""


@frozen
class Match:
    """The notes that answer, best first, and how."""

    way: Way
    paths: tuple[str, ...] = ()


def best_match(link: Link, source: str, notes: Iterable[NamedNote]) -> Match:
    """The notes that answer to the link's target in the best way that any of them does."""
    notes = tuple(notes)
    if len(notes) == 1 and _is_its_name(link, notes[0]):
        return Match(Way.NAME, (notes[0].path,))
    wanted = _Wanted(link, source)
    best = (Way.NONE, 9)
    paths: list[str] = []
    for note in notes:
        rank = wanted.rank(note)
        if rank < best:
            best, paths = rank, [note.path]
        elif rank == best and rank[0] is not Way.NONE:
            paths.append(note.path)
    folder = folder_of(source)
    paths.sort(key=lambda path: _order(path, folder))
    return Match(best[0], tuple(paths))


def _is_its_name(link: Link, note: NamedNote) -> bool:
    """Nearly all links, answered without making them ready for comparison."""
    is_wiki = link.kind in (LinkKind.WIKI, LinkKind.EMBED)
    return is_wiki and is_simple(link.target) and stem_of(note.path).lower() == link.target.lower()


def _order(path: str, folder: str) -> tuple[bool, bool, int, int, str]:
    own = folder_of(path)
    return (own != folder, own != "", path.count("/"), len(path), path)


class _Wanted:
    """A target, made ready for comparison."""

    def __init__(self, link: Link, source: str) -> None:
        target = plain_target(link.target)
        self._paths: list[str] = []
        self._names: list[str] = []
        self._day = day_key(target)
        self._block = target.lower() if target.startswith("((") else ""
        is_markdown = link.kind in (LinkKind.MARKDOWN, LinkKind.MARKDOWN_EMBED)
        exact = exact_path(target, source)
        if exact is not None:
            self._paths = _forms(exact) if exact else []
            self._names = list(self._paths) if is_address(target, is_markdown=is_markdown) else []
            return
        self._names = _forms(target)
        if is_markdown:
            relative = join_path(folder_of(source), target)
            self._paths = _forms(relative) if relative else []
        elif "/" in target:
            self._paths = list(self._names)
        self._whole = whole_name(link)

    _whole: str | None = None

    def rank(self, note: NamedNote) -> tuple[Way, int]:
        """How well the note answers: the way, and 0 for the same case, 1 for another."""
        if self._block and any(block_target(block).lower() == self._block for block in note.blocks):
            return Way.PATH, 0
        path = _composed(without_ending(note.path))
        for wanted in self._paths:
            if (case := _same(path, wanted)) is not None:
                return Way.PATH, case
        best = (Way.NONE, 9)
        for wanted in self._names:
            best = min(best, self._rank_name(note, path, wanted))
        if best[0] is Way.NONE and self._whole is not None:
            best = self._rank_name(note, path, self._whole)
        best = best if best[0] is not Way.NONE else self._rank_folder(note.path)
        is_its_day = best[0] is Way.NONE and self._day and self._day == day_key(stem_of(note.path))
        return (Way.DAY, 0) if is_its_day else best

    def _rank_folder(self, path: str) -> tuple[Way, int]:
        """The page of a folder answers to the folder; where a folder has several, they are not doubtful."""
        folder = _composed(folder_spoken_for(path))
        if not folder:
            return Way.NONE, 9
        place = place_among_pages(stem_of(path))
        if any(_same(folder, wanted) is not None for wanted in self._paths):
            return Way.FOLDER, place
        for wanted in self._names:
            tail = _tail(folder, wanted.count("/"))
            if tail is not None and _same(tail, wanted) is not None:
                return Way.FOLDER, _FARTHER + place
        return Way.NONE, 9

    def _rank_name(self, note: NamedNote, path: str, wanted: str) -> tuple[Way, int]:
        tail = _tail(path, wanted.count("/"))
        if tail is not None and (case := _same(tail, wanted)) is not None:
            return Way.NAME, case
        if (case := _same(note.title, wanted)) is not None:
            return Way.TITLE, case
        cases = [
            case for alias in (*note.aliases, *spelled_out(note.path)) if (case := _same(alias, wanted)) is not None
        ]
        if cases:
            return Way.ALIAS, min(cases)
        names = (*((tail,) if tail is not None else ()), note.title, *note.aliases)
        key = _slugged(wanted)
        return (Way.SLUG, 0) if key and any(_slugged(name) == key for name in names) else (Way.NONE, 9)


def _forms(target: str) -> list[str]:
    target = _composed(target)
    bare = without_ending(target)
    return [target] if bare == target else [bare, target]


def _composed(text: str) -> str:
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def _same(name: str, wanted: str) -> int | None:
    if name == wanted:
        return 0
    if not name:
        return None
    if _composed(name) == wanted:
        return 0
    return 1 if comparable(name) == comparable(wanted) else None


def _tail(path: str, slashes: int) -> str | None:
    parts = path.split("/")
    return "/".join(parts[-slashes - 1 :]) if len(parts) > slashes else None


def _slugged(name: str) -> str:
    return "/".join(slug(part) for part in name.split("/")).strip("/")
