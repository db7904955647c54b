"""The words of a question, and how much of it a text holds."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from attrs import frozen

__all__ = ["Wording"]

_WORD = re.compile(r"\w+")
_STEM = 5
_LONGEST = 40_000


@frozen
class Wording:
    """Beginnings of the question's words, each with how rare it is; words that no note holds are left out."""

    words: Mapping[str, str]
    """The word as it stands in the question, by its beginning, in their order."""
    rarity: Mapping[str, float]
    total: float

    @classmethod
    def of(cls, rarity: Mapping[str, float]) -> Wording:
        """From the question's words, each with how much it says."""
        stems: dict[str, float] = {}
        first: dict[str, str] = {}
        for word, says in rarity.items():
            stem = word[:_STEM]
            stems[stem] = max(says, stems.get(stem, 0.0))
            first.setdefault(stem, word)
        return cls(first, stems, sum(stems.values()))

    def held_in(self, text: str) -> frozenset[str]:
        """Which of them a text holds."""
        lowered = text[:_LONGEST].lower()
        held = {word[:_STEM] for word in _WORD.findall(lowered)}
        # Scripts without spaces: a word is a part of a run of letters.
        return frozenset(stem for stem in self.rarity if stem in held or (not stem.isascii() and stem in lowered))

    def share(self, stems: Collection[str]) -> float:
        """How much of the question they say, from 0 to 1."""
        return sum(self.rarity[stem] for stem in stems) / self.total if self.total else 0.0

    def gain(self, before: frozenset[str], added: frozenset[str]) -> float:
        """How much of what `before` leaves open `added` says, from 0 to 1."""
        left = 1 - self.share(before)
        return self.share(added - before) / left if left > 1e-9 else 0.0

    def left_by(self, held: Collection[str]) -> list[str]:
        """The words, as typed, that are not among `held`."""
        return [word for stem, word in self.words.items() if stem not in held]
