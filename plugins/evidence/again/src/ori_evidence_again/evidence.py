"""The evidence `again`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from aries_kernel.contracts.evidence import QuestionAsked, Use, UseJournal

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
        for place, later in enumerate(journal.questions):
            for note in later.brought[:_BEST]:
                if any(_asks_again(earlier, later, note) for earlier in journal.questions[:place]):
                    by = "asked " + " ".join(sorted(set(later.words)))
                    found.setdefault((note, by), Use(note, later.session, later.at, by, place))
        return list(found.values())


def _asks_again(earlier: QuestionAsked, later: QuestionAsked, note: str) -> bool:
    before, after = set(earlier.words), set(later.words)
    return note in _top(earlier.brought) and before != after and bool(before & after)


def _top(brought: Sequence[str]) -> Sequence[str]:
    return brought[:_BEST]
