"""The evidence `again`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import ClassVar

from aries_kernel.contracts.evidence import Use, UseJournal

__all__ = ["Again"]

_BEST = 3
"""Places that count: further down stands what is only like it."""


class Again:
    """A note is asked for again: another question about the same thing brings it to the top once more.

    The same words in another order are the same question, and a note that comes up for questions that have no word in
    common was not asked for, it is only often shown.
    """

    name: ClassVar[str] = "again"
    description: ClassVar[str] = "A different question about the same thing brings it to the top again."
    weight: ClassVar[float] = 0.4

    def uses(self, journal: UseJournal) -> Iterable[Use]:
        found: dict[tuple[str, str], Use] = {}
        earlier: defaultdict[str, list[frozenset[str]]] = defaultdict(list)
        for place, asked in enumerate(journal.questions):
            words = frozenset(asked.words)
            for note in dict.fromkeys(asked.brought[:_BEST]):
                if any(words != before and words & before for before in earlier[note]):
                    by = "asked " + " ".join(sorted(words))
                    found.setdefault((note, by), Use(note, asked.session, asked.at, by, place))
                earlier[note].append(words)
        return list(found.values())
