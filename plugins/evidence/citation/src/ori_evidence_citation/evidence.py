"""The evidence `citation`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from typing import ClassVar

from aries_kernel.contracts.evidence import NoteText, NoteWritten, TextSaid, Use, UseJournal

__all__ = ["Citation"]

_LINK = re.compile(r"!?\[\[([^\]|#\n]+)(?:#[^\]|\n]*)?(?:\|[^\]\n]*)?\]\]")
_FEWEST_WORDS, _FEWEST_SIGNS = 3, 12
"""A title that is shorter may stand in a text by chance; it counts as a link only."""
_WORD = re.compile(r"\w+")


class Citation:
    """A note links to another, an answer links to it or names it, or somebody tells that it was of use."""

    name: ClassVar[str] = "citation"
    description: ClassVar[str] = "A later note or answer links to it or names it."
    weight: ClassVar[float] = 1.0

    def uses(self, journal: UseJournal) -> Iterable[Use]:
        found: dict[tuple[str, str], Use] = {}
        for use in (*_linked(journal), *_named(journal), *_said(journal)):
            found.setdefault((use.note, use.by), use)
        return list(found.values())


def _linked(journal: UseJournal) -> Iterator[Use]:
    for one in journal.written:
        for note in one.links:
            if note != one.note:
                yield Use(note, one.session, one.at, f"note {one.note}")


def _named(journal: UseJournal) -> Iterator[Use]:
    for one in journal.named:
        for note in one.notes:
            yield Use(note, one.session, one.at, f"named {one.session}")


def _said(journal: UseJournal) -> Iterator[Use]:
    said: list[tuple[TextSaid | NoteWritten, str]] = [(one, f"said {_digest(one.text)}") for one in journal.said]
    said += [(one, f"note {one.note}") for one in journal.written]
    texts = [(one, by, _links_in(one.text), _spread(one.text)) for one, by in said if one.text.strip()]
    if not texts:
        return
    for id in dict.fromkeys(note for question in journal.questions for note in question.brought):
        note = journal.note(id)
        if note is None:
            continue
        names, phrases = _names(note), _phrases(note)
        for one, by, links, spread in texts:
            is_itself = isinstance(one, NoteWritten) and one.note == id
            if not is_itself and (
                links & names or any(phrase in spread for phrase in phrases) or _path_in(note, one.text)
            ):
                yield Use(id, one.session, one.at, by)


def _links_in(text: str) -> set[str]:
    return {_plain(target) for target in _LINK.findall(text)}


def _names(note: NoteText) -> set[str]:
    stem = note.path.rsplit("/", 1)[-1].removesuffix(".md")
    return {_plain(name) for name in (note.title, *note.aliases, stem, note.path, note.path.removesuffix(".md"))} - {""}


def _plain(name: str) -> str:
    return " ".join(name.strip().removesuffix(".md").casefold().split())


def _phrases(note: NoteText) -> list[str]:
    """Its names as words one after the other, between blanks; those that say enough to be meant."""
    found = []
    for name in (note.title, *note.aliases):
        words = _WORD.findall(name.casefold())
        if len(words) >= _FEWEST_WORDS and sum(map(len, words)) >= _FEWEST_SIGNS:
            found.append(f" {' '.join(words)} ")
    return found


def _spread(text: str) -> str:
    return f" {' '.join(_WORD.findall(text.casefold()))} "


def _path_in(note: NoteText, text: str) -> bool:
    at = text.find(note.path)
    return "/" in note.path and at >= 0 and not text[:at][-1:].isalnum()


def _digest(text: str) -> str:
    return blake2b(" ".join(text.split()).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
