"""The notes of a vault as questions are made from them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from attrs import field, frozen

from ori_memory.evaluation.dataset import Document
from ori_memory.evaluation.words import STOP_WORDS, units_of
from ori_memory.memory import Memory
from ori_memory.model import NoteRecord
from ori_memory.notes.naming import stem_of
from ori_memory.notes.parsing import parse_note
from ori_memory.vault.vault import OutsideVault

__all__ = ["OwnNote", "OwnTexts", "content_units"]

_HIDDEN = ("archived", "superseded", "released")
"""Notes that a question does not find, so that none is asked about them."""


@frozen
class OwnNote:
    """A note that can be found, with its body."""

    record: NoteRecord
    body: str

    @property
    def document(self) -> Document:
        return Document(self.record.path, self.record.title, self.body)


@frozen
class OwnTexts:
    """All notes that can be found, in the order of their paths, and where each word stands."""

    notes: Sequence[OwnNote]
    holders: Mapping[str, Sequence[int]] = field(repr=False)
    """Word: places in `notes`."""

    @classmethod
    def read(cls, memory: Memory) -> OwnTexts:
        """Files that cannot be read are passed over; the index tells of them."""
        notes = [note for record in memory.index.notes() if (note := _read(memory, record)) is not None]
        holders: dict[str, list[int]] = {}
        for place, note in enumerate(notes):
            text = f"{note.record.title}\n{note.record.description}\n{note.body}"
            for word in set(units_of(text)):
                holders.setdefault(word, []).append(place)
        return cls(notes, holders)

    def rarity(self, word: str) -> float:
        """The fewer notes hold it, the greater."""
        return math.log((len(self.notes) + 1) / (len(self.holders.get(word, ())) + 0.5))

    def is_only_in(self, words: Sequence[str], place: int) -> bool:
        """Whether no other note holds all of the words."""
        rarest_first = sorted((self.holders.get(word, ()) for word in words), key=len)
        left = set(rarest_first[0]) if rarest_first else set()
        for holding in rarest_first[1:]:
            left.intersection_update(holding)
        return left <= {place}


def content_units(text: str) -> list[str]:
    """Its words that say something, each once, in their order."""
    return [unit for unit in dict.fromkeys(units_of(text)) if unit not in STOP_WORDS and len(unit) > 1]


def _read(memory: Memory, record: NoteRecord) -> OwnNote | None:
    if record.status in _HIDDEN:
        return None
    try:
        text = memory.index.text_of(record.path)
    except (OSError, OutsideVault):
        return None
    return OwnNote(record, parse_note(text, stem_of(record.path)).body)
